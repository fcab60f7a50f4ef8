#!/usr/bin/env python3
"""Fits the probability of a win by score and material to games, preferably of players of equal strength.

    docs/win-model.py games.pgn win-model.png

The comments of the games begin with the score, as match runners ({+0.35/12 0.1s}) and `gaur-lab data convert --to pgn`
({+0.35}) write them. The model is that of the Stockfish project: the probability is 1 / (1 + exp((a - score) / b)), where
a and b depend on the material on the board (pawn 1, knight and bishop 3, rook 5, queen 9, both sides together). Needs
python-chess, NumPy and Matplotlib.
"""

import re
import sys

import chess
import chess.pgn
import matplotlib
import numpy

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
LARGEST_SCORE = 1000  # larger scores are ignored, centipawns
DEGREE = 3  # degree of the polynomials in the material
SHOWN = [20, 30, 40, 50, 60, 70, 78]
USUAL = 58  # material at which Stockfish defines a score of 1.00 as an even chance to win


def material(board):
    return sum(VALUES[piece.piece_type] for piece in board.piece_map().values() if piece.piece_type in VALUES)


def samples(path):
    """Yields the score of the moving side in centipawns, the material, and 1 for its win, 0 for a draw, -1 for its loss."""
    with open(path) as file:
        while game := chess.pgn.read_game(file):
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(game.headers["Result"])
            if winner is None and game.headers["Result"] != "1/2-1/2":
                continue
            for node in game.mainline():
                score = re.match(r"([+-]\d+\.\d+)(?:/|$)", node.comment)
                if score is None:
                    continue
                board = node.parent.board()
                outcome = 0 if winner is None else 1 if winner == board.turn else -1
                yield 100 * float(score[1]), material(board), outcome


def fit(scores, materials, outcomes):
    """Fits the polynomials p and q, highest power last, of p(material) * score - q(material), by Newton's method.

    Each score counts for both sides: as it is for wins of the moving side, negated for its losses.
    """
    powers = (materials[:, None] / USUAL) ** numpy.arange(DEGREE + 1)
    inputs = numpy.concatenate([
        numpy.hstack([scores[:, None] * powers, -powers]),
        numpy.hstack([-scores[:, None] * powers, -powers]),
    ])
    wins = numpy.concatenate([outcomes == 1, outcomes == -1]).astype(float)
    scale = numpy.abs(inputs).max(axis=0)
    inputs = inputs / scale
    weights = numpy.zeros(inputs.shape[1])
    for _ in range(100):
        chances = 1 / (1 + numpy.exp(-inputs @ weights))
        gradient = inputs.T @ (wins - chances)
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs
        step = numpy.linalg.solve(curvature + 1e-6 * numpy.eye(len(weights)), gradient)
        weights += step
        if numpy.abs(step).max() < 1e-9:
            break
    else:
        raise SystemExit("no fit: more games are needed")
    return numpy.split(weights / scale, 2)


def parameters(model, amount):
    """Returns a and b in centipawns at this material."""
    p, q = (polynomial @ (amount / USUAL) ** numpy.arange(DEGREE + 1) for polynomial in model)
    return q / p, 1 / p


def draw(model, scores, materials, outcomes, path):
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    line = numpy.linspace(-300, 500, 200)
    for amount, color in zip((20, 40, 58, 74), ("C0", "C1", "C2", "C3")):
        a, b = parameters(model, amount)
        axes.plot(line / 100, 100 / (1 + numpy.exp((a - line) / b)), color=color, label=f"material {amount}")
        near = numpy.abs(materials - amount) <= 4
        for score in range(-250, 500, 50):
            here = near & (numpy.abs(scores - score) <= 25)
            if here.sum() >= 50:
                axes.plot(score / 100, 100 * (outcomes[here] == 1).mean(), ".", color=color)
    axes.set_xlabel("score, pawns")
    axes.set_ylabel("won, %")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    scores, materials, outcomes = numpy.array(list(samples(sys.argv[1])), dtype=float).T
    counted = numpy.abs(scores) <= LARGEST_SCORE
    scores, materials, outcomes = scores[counted], materials[counted], outcomes[counted]
    model = fit(scores, materials, outcomes)
    print(f"{len(scores)} positions")
    print("material     a     b")
    for amount in sorted({*SHOWN, USUAL}):
        print("{:8} {:5.0f} {:5.0f}".format(amount, *parameters(model, amount)))
    draw(model, scores, materials, outcomes, sys.argv[2])


if __name__ == "__main__":
    main()
