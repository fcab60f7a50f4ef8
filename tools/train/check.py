"""Compares what the engine makes of a network with what the training says it should make of it, to the last centipawn.

    python3 tools/train/check.py NET SAMPLES GAUR
"""

import pathlib
import re
import subprocess
import sys

import numpy

from netfile import exact_values, from_bytes
from samples import NO_PIECE, Batch, read

POSITIONS = 40


def fen(record):
    """The position of a record; the side to move is White."""
    board = [["."] * 8 for _ in range(8)]
    for feature in record["features"]:
        if feature < NO_PIECE:
            piece, square = divmod(int(feature), 64)
            board[square // 8][square % 8] = "PNBRQKpnbrqk"[piece]
    rows = ("".join(row) for row in reversed(board))
    return "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in rows) + " w - - 0 1"


def engine_value(gaur, net, position):
    """Centipawns for the side to move."""
    command = [gaur, "eval", "--set", f"EvalFile={net}", position]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return round(100 * float(text.split()[-2]))


def main():
    net, samples, gaur = sys.argv[1:]
    records, _ = read(samples)
    chosen = records[numpy.linspace(0, len(records) - 1, POSITIONS).astype(int)]
    expected = exact_values(from_bytes(pathlib.Path(net).read_bytes())[0], Batch(chosen))
    for record, value in zip(chosen, expected):
        found = engine_value(gaur, net, fen(record))
        if found != value:
            raise SystemExit(f"{fen(record)}: the engine says {found}, the training {value}")
    print(f"{POSITIONS} positions: engine and training agree")


if __name__ == "__main__":
    main()
