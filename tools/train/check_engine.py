"""Checks that the engine's scores with a network equal those computed by the training code.

    python3 tools/train/check_engine.py NET SAMPLES GAUR
"""

import pathlib
import re
import subprocess
import sys

import numpy

from netfile import engine_scores, from_bytes
from network import network_of
from samples import read

POSITIONS = 40


def fen(record):
    """Returns the position of a record as FEN, with the side to move as White."""
    board = [["."] * 8 for _ in range(8)]
    occupied = [square for square in range(64) if int(record["occupied"]) >> square & 1]
    for index, square in enumerate(occupied):
        code = int(record["codes"][index // 2]) >> 4 * (index % 2) & 15
        board[square // 8][square % 8] = "PNBRQK..pnbrqk"[code]
    ranks = ("".join(rank) for rank in reversed(board))
    return "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), rank) for rank in ranks) + " w - - 0 1"


def score_by_engine(gaur, net, position):
    """Returns the engine's score in centipawns for White."""
    command = [gaur, "eval", "--set", f"EvalFile={net}", position]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return round(100 * float(text.split()[-2]))


def main():
    net, samples, gaur = sys.argv[1:]
    records = read(samples)
    chosen = records[numpy.linspace(0, len(records) - 1, POSITIONS).astype(int)]
    parameters, _ = from_bytes(pathlib.Path(net).read_bytes())
    expected = engine_scores(parameters, network_of(parameters).batch(chosen))
    for record, score in zip(chosen, expected):
        found = score_by_engine(gaur, net, fen(record))
        if found != score:
            raise SystemExit(f"{fen(record)}: the engine's score is {found}, that of the training code {score}")
    print(f"{POSITIONS} positions: engine and training code agree")


if __name__ == "__main__":
    main()
