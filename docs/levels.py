#!/usr/bin/env python3
"""Draws the plot of docs/levels.md from the tables of docs/experiments/levels.md.

    docs/levels.py docs/experiments/levels.md docs/levels.png

On the left, ratings against Stockfish; on the right, differences between neighbours; both with 95 % errors. Needs Matplotlib.
"""

import math
import re
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


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
    pairs = re.findall(r"^\| (\d+) \| \d+ \| (\d+) \| (\d+) \| (\d+) \|", text, re.M)
    points = re.findall(r"^\| (\d+) \| Stockfish [^|]*\| \d+ \|.*\| (\d+) ± (\d+) \|", text, re.M)
    figure, (ratings, steps) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")

    levels, values, bars = zip(*(map(int, point) for point in points))
    ratings.plot([600, 2800], [600, 2800], color="0.7", linewidth=1, label="option Elo")
    ratings.errorbar(levels, values, yerr=bars, fmt="o", markersize=4, capsize=3, label="against Stockfish with UCI_Elo")
    ratings.set_ylabel("measured rating")
    ratings.legend()

    results = [(int(level), tuple(map(int, counts))) for level, *counts in pairs]
    differences = [elo((wins + draws / 2) / (wins + draws + losses)) for _, (wins, draws, losses) in results]
    errors = [error(*counts) for _, counts in results]
    steps.axhline(200, color="0.7", linewidth=1, label="difference of the option Elo")
    steps.errorbar(
        [level for level, _ in results], differences, yerr=errors, fmt="s", markersize=4, capsize=3, label="games between neighbours"
    )
    steps.set_ylim(0)
    steps.set_ylabel("Elo against the level before")
    steps.legend()

    for axes in (ratings, steps):
        axes.set_xlabel("option Elo")
        axes.grid(alpha=0.3)
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
