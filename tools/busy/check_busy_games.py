"""Checks the match runner with engines that lose on time, play an illegal move, end, or play random moves.

    python3 tools/busy/check_busy_games.py
"""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).with_name("busy_games.py")

# An engine of either protocol. Arguments: protocol, behaviour from its third move on, and a number that only names it.
ENGINE = """
import random, sys, time
import chess
protocol, behaviour = sys.argv[1:3]
board, moves, is_forced, generator = chess.Board(), 0, False, random.Random(1)

def think():
    global moves
    moves += 1
    if moves >= 3:
        if behaviour == "late":
            time.sleep(1.5)
        if behaviour == "illegal":
            return "a1a1"
        if behaviour == "end":
            sys.exit()
    move = generator.choice(list(board.legal_moves))
    board.push(move)
    return move.uci()

def answer(word):
    print(word, think(), flush=True)

for line in sys.stdin:
    command, *words = line.split()
    if command == "protover":
        print('feature done=0 ping=1 usermove=1', flush=True)
        print('feature smp=1 memory=1 myname="a b" done=1', flush=True)
    elif command == "ping":
        print("pong", words[0], flush=True)
    elif command == "new":
        board, moves = chess.Board(), 0
    elif command == "force":
        is_forced = True
    elif command == "usermove":
        board.push_uci(words[0])
        if not is_forced:
            answer("move")
    elif command == "uci":
        print("uciok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "ucinewgame":
        moves = 0
    elif command == "position":
        board = chess.Board()
        for move in words[2:]:
            board.push_uci(move)
    elif command == "go":
        is_forced = False
        answer("move" if protocol == "xboard" else "bestmove")
    elif command == "quit":
        break
"""


def engine(folder, protocol, behaviour):
    script = folder / "engine.py"
    script.write_text(ENGINE)
    return f"{protocol}:{shlex.join((sys.executable, str(script), protocol, behaviour))}"


def games(folder, first, second, *options):
    """Returns the games between two behaviours, and the statistics of both engines."""
    output = folder / "output.json"
    players = (engine(folder, "xboard", first), engine(folder, "uci", second))
    command = (sys.executable, PROGRAM, *players, "--json", output, *options)
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    (row,) = json.loads(output.read_text())
    has_faults = any(player["faults"] for player in row["engines"])
    require(status == int(has_faults), f"{first}, {second}: status {status}")
    return row["games"], row["engines"]


def require(condition, text):
    if not condition:
        raise SystemExit(f"check_busy_games.py: {text}")


def check_outcome(folder, behaviour, time_control, loss, reason):
    """Checks that each of four games ends with this loss of the engine that misbehaves, whatever its protocol."""
    for index in (0, 1):
        pair = [behaviour, "random"] if index == 0 else ["random", behaviour]
        played, players = games(folder, *pair, "--games", "4", "--time", time_control)
        require(len(played) == 4, f"{behaviour}: {len(played)} games")
        for game in played:
            require(game["reason"] == reason, f"{behaviour}: {game}")
            require(len(game["moves"]) in (4, 5, 6), f"{behaviour}: {len(game['moves'])} moves")
        counts = [players[index][loss], players[1 - index][loss]]
        counts = [count if isinstance(count, int) else len(count) for count in counts]
        require(counts == [4, 0], f"{behaviour}: {counts}")


def check_games_end(folder):
    """Checks complete games: legal results, both colours, clocks and thread switches."""
    played, players = games(folder, "random", "random", "--games", "4", "--time", "60+1", "--cores", "2")
    require({game["reason"] for game in played} <= {"mate", "stalemate", "insufficient material", "fifty moves",
                                                    "repetition", "length"}, str(played))
    require([game["white"] == played[0]["white"] for game in played] == [True, False] * 2, "colours do not alternate")
    require([game["opening"] for game in played] == [0, 0, 1, 1], "openings are not played twice")
    for player in players:
        require(not player["time_losses"] and not player["faults"], str(player))
        require(player["switches_per_move"] > 0 if sys.platform == "linux" else True, "no switches")


def check_arguments():
    """Checks that wrong arguments are refused before the first game."""
    for arguments in (("gaur", "uci:a"), ("uci:", "uci:a"), ("uci:a", "uci:b", "--games", "0"),
                      ("uci:a", "uci:b", "--json", "/no/such/folder/file")):
        result = subprocess.run((sys.executable, PROGRAM, *arguments), capture_output=True, text=True)
        require(result.returncode == 2 and "Traceback" not in result.stderr, f"{arguments}: {result.stderr}")


def check_busy_processes_end(folder):
    """Checks that the busy processes exist while games are played and end with the program, even if it is killed."""
    players = (engine(folder, "xboard", "random"), engine(folder, "uci", "random"))
    for way in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        program = subprocess.Popen(
            (sys.executable, PROGRAM, *players, "--busy", "2", "--games", "1000", "--time", "60+1"),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        children = wait_for(lambda: len(of_parent(program.pid)) == 4 and of_parent(program.pid), "four children")
        program.send_signal(way)
        output = program.communicate()[0]
        wait_for(lambda: not any(map(is_running, children)), f"the end of the children after {way.name}")
        require(("lost on time by" in output) == (way != signal.SIGKILL), f"{way.name}: {output}")


def of_parent(pid):
    tasks = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return tasks.read_text().split() if tasks.exists() else []


def is_running(pid):
    status = pathlib.Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, text):
    deadline = time.monotonic() + 60
    while not (value := condition()):
        require(time.monotonic() < deadline, f"no {text}")
        time.sleep(0.05)
    return value


def main():
    # A shell starts programs in the background with this signal ignored, and so would be those of the last check.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_outcome(folder, "late", "1+0", "time_losses", "time")
        check_outcome(folder, "illegal", "60+1", "faults", "fault")
        check_outcome(folder, "end", "60+1", "faults", "fault")
        check_games_end(folder)
        check_arguments()
        if os.path.exists("/proc/self/task"):
            check_busy_processes_end(folder)
    print("busy_games.py: good")


if __name__ == "__main__":
    main()
