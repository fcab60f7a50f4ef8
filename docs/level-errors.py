#!/usr/bin/env python3
"""Measures the errors of the levels in games: how many moves lose at least 100 centipawns, by difficulty of the position.

    docs/level-errors.py ENGINE MOVES GAMES.pgn...

ENGINE is a UCI engine that evaluates the positions with 20,000 nodes before and after MOVES moves per player. The names
of the players are eELO, as in docs/experiments/levels.md. The difficulty is the number of captures and checks of both
sides. Positions in which a side is more than six pawns ahead do not count. The last line compares the moves after a loss
of at least 200 centipawns with all other moves, in the first 30 games of each file. Needs python-chess.
"""

import collections
import random
import sys

import chess
import chess.engine
import chess.pgn

NODES = 20_000
DECIDED = 600  # centipawns
ERROR = 100  # centipawns
BLUNDER = 200  # centipawns
SEQUENCE_GAMES = 30
SEQUENCE_NODES = 5_000
CLASSES = ["0-2", "3-5", "6 or more"]


def forcing(board):
    """Returns the number of captures and checks of the side to move."""
    return sum(board.is_capture(move) or board.gives_check(move) for move in board.legal_moves)


def difficulty(board):
    """Returns the index of the class of a position."""
    count = forcing(board)
    if not board.is_check():
        board.push(chess.Move.null())
        count += forcing(board)
        board.pop()
    return 0 if count <= 2 else 1 if count <= 5 else 2


def games(paths):
    for path in paths:
        with open(path) as file:
            while game := chess.pgn.read_game(file):
                yield game


def samples(paths, seed):
    """Yields the player, the board and the move of all positions in random order."""
    found = []
    for game in games(paths):
        board = game.board()
        for move in game.mainline_moves():
            player = game.headers["White" if board.turn else "Black"]
            found.append((player, board.fen(), move))
            board.push(move)
    random.Random(seed).shuffle(found)
    return found


def after_blunders(paths, score):
    """Returns the shares of errors among the moves after an own loss of BLUNDER, and among the others."""
    counts = {True: [0, 0], False: [0, 0]}
    for path in paths:
        for number, game in enumerate(games([path])):
            if number == SEQUENCE_GAMES:
                break
            board = game.board()
            scores = [score(board, SEQUENCE_NODES)]
            for move in game.mainline_moves():
                board.push(move)
                if board.is_game_over():
                    break
                scores.append(score(board, SEQUENCE_NODES))
            losses = [before + after for before, after in zip(scores, scores[1:])]
            for index in range(2, len(losses)):
                if abs(scores[index]) <= DECIDED:
                    entry = counts[losses[index - 2] >= BLUNDER]
                    entry[0] += 1
                    entry[1] += losses[index] >= ERROR
    return {key: f"{100 * errors / max(1, total):.0f} % of {total}" for key, (total, errors) in counts.items()}


def main():
    engine = chess.engine.SimpleEngine.popen_uci(sys.argv[1])
    wanted = int(sys.argv[2])

    def score(board, nodes=NODES):
        info = engine.analyse(board, chess.engine.Limit(nodes=nodes))
        return info["score"].pov(board.turn).score(mate_score=3000)

    counts = collections.defaultdict(lambda: [[0, 0] for _ in CLASSES])
    moves = collections.Counter()
    losses = collections.Counter()
    for player, fen, move in samples(sys.argv[3:], 28):
        if moves[player] == wanted:
            continue
        board = chess.Board(fen)
        before = score(board)
        if abs(before) > DECIDED:
            continue
        index = difficulty(board)
        board.push(move)
        after = 0 if board.is_game_over() and not board.is_checkmate() else -score(board) if not board.is_checkmate() else 3000
        loss = max(0, before - after)
        moves[player] += 1
        losses[player] += min(loss, DECIDED)
        counts[player][index][0] += 1
        counts[player][index][1] += loss >= ERROR
    shares = after_blunders(sys.argv[3:], score)
    engine.quit()
    print("| level | moves | mean loss | " + " | ".join(f"errors, {name} forcing moves" for name in CLASSES) + " |")
    print("|---" * (3 + len(CLASSES)) + "|")
    for player in sorted(counts, key=lambda name: int(name[1:])):
        cells = [f"{100 * errors / max(1, total):.0f} % of {total}" for total, errors in counts[player]]
        mean = losses[player] / moves[player]
        print(f"| {player[1:]} | {moves[player]} | {mean:.0f} cp | " + " | ".join(cells) + " |")
    print(f"errors after a loss of {BLUNDER} centipawns: {shares[True]}; otherwise: {shares[False]}")


if __name__ == "__main__":
    main()
