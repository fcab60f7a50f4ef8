#!/usr/bin/env python3
"""Draws the plot of docs/levels.md from the tables of docs/experiments/levels.md.

    docs/levels.py docs/experiments/levels.md docs/levels.png

The line is the rating that follows from the games between neighbours, with level 1600 at 1600 and 95 % errors of the
differences; the points are ratings against other programs. Needs Matplotlib.
"""

import math
import re
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

REFERENCE = 1600


def elo(score):
    return 400 * math.log10(score / (1 - score))


def error(wins, draws, losses):
    """Returns the 95 % error of a rating difference, as if the games were independent."""
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / games
    return 1.96 * math.sqrt(variance / games) * 400 / math.log(10) / (score * (1 - score))


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", text, re.M)
    pairs = [tuple(map(int, row)) for row in rows]
    levels = [pairs[0][1]]
    ratings = [0.0]
    errors = [0.0]
    for level, _, wins, draws, losses in pairs:
        levels.append(level)
        ratings.append(ratings[-1] + elo((wins + draws / 2) / (wins + draws + losses)))
        errors.append(error(wins, draws, losses))
    shift = REFERENCE - ratings[levels.index(REFERENCE)]
    ratings = [rating + shift for rating in ratings]
    anchors = re.findall(r"^\| (\d+) \| ([A-Za-z][^|]*) \| (\d+) \|.*\| (\d+) ± (\d+) \|", text, re.M)
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    axes.plot([600, 2800], [600, 2800], color="0.7", linewidth=1, label="option Elo")
    axes.errorbar(levels, ratings, yerr=errors, marker="o", markersize=4, capsize=3, label="games between neighbours")
    for family, marker in [("Stockfish", "s"), ("", "^")]:
        points = [
            (int(level), int(rating), int(bar))
            for level, name, _, rating, bar in anchors
            if name.startswith("Stockfish") == (family == "Stockfish")
        ]
        if points:
            x, y, bars = zip(*points)
            name = "against Stockfish with UCI_Elo" if family else "against other programs"
            axes.errorbar(x, y, yerr=bars, fmt=marker, markersize=5, capsize=3, label=name)
    axes.set_xlabel("option Elo")
    axes.set_ylabel("measured rating")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
