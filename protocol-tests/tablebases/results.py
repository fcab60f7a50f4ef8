"""Prints the result of each position on standard input by python-chess, from -2 (lost) to 2 (won), one on a line.

The argument names the folder of the tablebases.
"""

import sys

import chess
import chess.syzygy

with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
    for line in sys.stdin:
        print(tables.probe_wdl(chess.Board(line.strip())))
