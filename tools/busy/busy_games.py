#!/usr/bin/env python3
"""Games between two engines beside busy processes, with clocks that allow no margin.

    tools/busy/busy_games.py xboard:target/release/gaur uci:stockfish --busy 3 --time 0.2+0.002 --games 60
    tools/busy/busy_games.py xboard:target/release/gaur uci:stockfish --table

Plays one game at a time and prints the losses on time, the times per move and the thread switches of each engine. With
`--table` it plays the conditions of docs/experiments/latency.md, one after the other. Needs Python 3.10 and the package
`chess`, which checks the moves; thread switches and waits are only measured on Linux. Ctrl-C prints what has been
measured. The busy processes end with this program, even if it is killed. The exit status is 1 after a fault (an illegal
move, the end of an engine) or an interruption; losses on time are results.
"""

import argparse
import contextlib
import dataclasses
import json
import pathlib
import signal
import sys

try:
    import engines
    import load
    import play
    import report
except ModuleNotFoundError as error:
    sys.exit(f"{error}. Install python-chess: pip install chess")


@dataclasses.dataclass
class Row:
    """Conditions of a row of the table; times in seconds."""

    base: float
    increment: float
    busy: int
    cores: int
    games: int
    seed: int = 1
    hash: int = 16
    post: bool = True
    xboard_lines: tuple = ()

    def time_control(self):
        return f"{self.base:g}+{self.increment:g}"

    def text(self):
        output = "" if self.post else ", `nopost`"
        return f"{self.time_control()}, {self.busy} busy processes, `cores {self.cores}`{output}"


# Time control, busy processes, cores and games of each row.
TABLE = (
    (0.2, 0.002, 0, 1, 60),
    (0.2, 0.002, 1, 1, 60),
    (0.2, 0.002, 3, 1, 60),
    (0.5, 0.005, 1, 4, 20),
    (1.0, 0.0, 10, 1, 20),
)


class Session:
    """Two engines that play the games of a row; an engine that fails is started again."""

    def __init__(self, descriptions, row):
        self.descriptions = descriptions
        self.row = row
        self.players = [None, None]
        self.names = names_of(descriptions)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for player in self.players:
            if player is not None:
                player.close()

    def play(self, number):
        for index, description in enumerate(self.descriptions):
            if self.players[index] is None:
                self.players[index] = engines.start(description, self.row, self.names[index])
        game = play.play(self.players, self.row, number)
        for index in game.faults:
            self.players[index].close()
            self.players[index] = None
        return game


def names_of(descriptions):
    """Returns the names of the programs, numbered if they are equal."""
    names = [pathlib.Path(description.partition(":")[2].split()[0]).name for description in descriptions]
    return names if names[0] != names[1] else [f"{name} {number}" for number, name in enumerate(names, 1)]


def play_row(row, descriptions, games):
    """Plays the games of a row and appends them to `games`, so that an interruption keeps them."""
    with load.busy_processes(row.busy), Session(descriptions, row) as session:
        for number in range(row.games):
            games.append(session.play(number))
            show_progress(row, games, session.names)


def show_progress(row, games, names):
    """Shows the state on standard error, on a terminal in one line."""
    losses = ", ".join(
        f"{name} {sum(game.is_time_loss and game.loser == index for game in games)}" for index, name in enumerate(names)
    )
    text = f"{row.text()}: {len(games)} of {row.games} games, lost on time: {losses}"
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="\n" if len(games) == row.games else "", file=sys.stderr, flush=True)
    elif len(games) == row.games or len(games) % 10 == 0:
        print(text, file=sys.stderr, flush=True)


def rows_of(arguments):
    """Returns the rows to play."""
    shared = {
        "seed": arguments.seed,
        "hash": arguments.hash,
        "post": not arguments.nopost,
        "xboard_lines": tuple(arguments.xboard_line),
    }
    if arguments.table:
        rows = [Row(*conditions, **shared) for conditions in TABLE]
        return [dataclasses.replace(row, games=arguments.games or row.games) for row in rows]
    base, increment = arguments.time
    return [Row(base, increment, arguments.busy, arguments.cores, arguments.games or 20, **shared)]


def time_control(text):
    """Parses BASE+INCREMENT in seconds."""
    base, _, increment = text.partition("+")
    times = float(base), float(increment or 0)
    if times[0] <= 0 or times[1] < 0:
        raise ValueError
    return times


def natural(text):
    """Parses a number of at least 0."""
    if (number := int(text)) < 0:
        raise ValueError
    return number


def positive(text):
    """Parses a number of at least 1."""
    if (number := natural(text)) == 0:
        raise ValueError
    return number


def engine(text):
    """Parses PROTOCOL:COMMAND."""
    protocol, _, command = text.partition(":")
    if protocol not in ("xboard", "uci") or not command.strip():
        raise argparse.ArgumentTypeError(f"{text!r}: write xboard:COMMAND or uci:COMMAND")
    return text


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engines", nargs=2, type=engine, metavar="PROTOCOL:COMMAND", help="for example xboard:gaur or uci:stockfish")
    parser.add_argument("--table", action="store_true", help="play all rows of the table")
    parser.add_argument("--time", type=time_control, default=(0.2, 0.002), metavar="BASE+INCREMENT", help="seconds")
    parser.add_argument("--games", type=positive, help="games (20; with --table, as in the table)")
    parser.add_argument("--busy", type=natural, default=0, help="busy processes")
    parser.add_argument("--cores", type=natural, default=1, help="search threads of each engine")
    parser.add_argument("--hash", type=natural, default=16, help="memory of each engine in megabytes")
    parser.add_argument("--nopost", action="store_true", help="no thinking output from the xboard engine")
    parser.add_argument("--xboard-line", action="append", default=[], metavar="LINE", help="line to send before a game")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings")
    parser.add_argument("--json", metavar="FILE", help="write everything that was measured")
    arguments = parser.parse_args()
    if arguments.json:
        try:
            pathlib.Path(arguments.json).touch()
        except OSError as error:
            parser.error(f"{arguments.json} cannot be written: {error.strerror}")
    return arguments


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    arguments = read_arguments()
    signal.signal(signal.SIGTERM, interrupt)
    names = names_of(arguments.engines)
    rows, losses, measured, failed, has_faults = rows_of(arguments), [], [], False, False
    for row in rows:
        games = []
        try:
            play_row(row, arguments.engines, games)
        except KeyboardInterrupt:
            failed = True
        except engines.EngineFault as fault:
            print(f"\n{fault}", file=sys.stderr)
            failed = True
        players = [report.of_player(games, index, name, row.base) for index, name in enumerate(names)]
        losses.append(report.summary(row, games, players))
        measured.append(report.as_json(row, games, players))
        print(report.details(row, players), end="\n\n", flush=True)
        faults = [fault for player in players for fault in player.faults]
        for fault in faults:
            print(f"FAULT: {fault}\n", flush=True)
        has_faults |= bool(faults)
        if failed:
            break
    print(report.summary_heading(names), *losses, sep="\n", flush=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(measured, indent=1) + "\n")
    return 1 if failed or has_faults else 0


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        sys.exit(main())
