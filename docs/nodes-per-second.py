#!/usr/bin/env python3
"""Nodes per second of engines that take turns on five middlegame positions.

    docs/nodes-per-second.py [--seconds 3] [--rounds 3] xboard:target/release/gaur uci:toga2 ...

Each engine has one thread and 16 MB of hash (an xboard engine may use a part for other purposes; Gaur uses 4 MB). The
speed is the number of nodes divided by the processor time of the process, both up to its last thinking line, so that
other programs on the machine have little influence. Linux only: the time comes from /proc.
"""

import argparse
import os
import re
import statistics
import subprocess

POSITIONS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 0 1",
]

PROTOCOLS = {
    "xboard": (
        "xboard\nprotover 2\nmemory 16\ncores 1\npost\nsetboard {fen}\nst {seconds}\ngo\n",
        re.compile(r"^\s*\d+[.+]?\s+-?\d+\s+\d+\s+(\d+)\s"),
        "move ",
    ),
    "uci": (
        "uci\nsetoption name Hash value 16\nposition fen {fen}\ngo movetime {seconds}000\n",
        re.compile(r"^info .*\bnodes (\d+)"),
        "bestmove ",
    ),
}


def processor_time(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def speed(engine, fen, seconds):
    protocol, command = engine.split(":", 1)
    commands, thinking, answer = PROTOCOLS[protocol]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write(commands.format(fen=fen, seconds=seconds))
        process.stdin.flush()
        nodes, used = 0, 0.0
        for line in process.stdout:
            if match := thinking.match(line):
                nodes, used = int(match[1]), processor_time(process.pid)
            if line.startswith(answer):
                break
        process.stdin.write("quit\n")
        process.stdin.flush()
    return nodes / used


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engines", nargs="+", metavar="PROTOCOL:COMMAND")
    parser.add_argument("--seconds", type=int, default=3, help="time per position")
    parser.add_argument("--rounds", type=int, default=3, help="runs per position; the median counts")
    arguments = parser.parse_args()
    speeds = {engine: [] for engine in arguments.engines}
    for number, fen in enumerate(POSITIONS, 1):
        found = {engine: [] for engine in arguments.engines}
        for _ in range(arguments.rounds):
            for engine in arguments.engines:
                found[engine].append(speed(engine, fen, arguments.seconds))
        print(f"position {number}", end="")
        for engine in arguments.engines:
            speeds[engine].append(statistics.median(found[engine]))
            print(f"  {engine} {speeds[engine][-1] / 1e3:.0f} k", end="")
        print(flush=True)
    first = arguments.engines[0]
    for engine in arguments.engines:
        mean = statistics.mean(speeds[engine])
        ratio = statistics.mean(a / b for a, b in zip(speeds[first], speeds[engine]))
        print(f"{engine}: {mean / 1e3:.0f} k nodes per second; ratio of the first to this {ratio:.2f}")


if __name__ == "__main__":
    main()
