"""Games between two engines, one at a time, with clocks that allow no margin."""

import dataclasses
import gc
import random
import time

import chess

import engines

# Half-moves of an opening.
OPENING_LENGTH = 8
# Half-moves after which a game is a draw.
LONGEST_GAME = 400


@dataclasses.dataclass
class Move:
    """One requested move; times in seconds."""

    engine: int
    clock: float
    seconds: float


@dataclasses.dataclass
class Game:
    """Result of one game.

    `loser` is the number of the engine that lost on time or by a fault, otherwise `None`; `faults` maps the numbers of
    engines, which must be started again, to descriptions.
    """

    opening: int
    white: int
    result: str = "*"
    reason: str = ""
    loser: int | None = None
    is_time_loss: bool = False
    faults: dict = dataclasses.field(default_factory=dict)
    moves: list = dataclasses.field(default_factory=list)
    counts: list = dataclasses.field(default_factory=list)


def opening(seed, number):
    """Returns legal random moves; equal for equal arguments on every system."""
    generator = random.Random(f"{seed}/{number}")
    while True:
        board = chess.Board()
        while len(board.move_stack) < OPENING_LENGTH and not board.is_game_over():
            board.push(generator.choice(sorted(board.legal_moves, key=chess.Move.uci)))
        if not board.is_game_over() and not board.is_check():
            return list(board.move_stack)


def end_by_rules(board):
    """Returns the result and its reason if the rules end the game."""
    if board.is_checkmate():
        return ("0-1" if board.turn == chess.WHITE else "1-0"), "mate"
    for is_draw, reason in (
        (board.is_stalemate(), "stalemate"),
        (board.is_insufficient_material(), "insufficient material"),
        (board.halfmove_clock >= 100, "fifty moves"),
        (board.is_repetition(3), "repetition"),
        (len(board.move_stack) >= LONGEST_GAME, "length"),
    ):
        if is_draw:
            return "1/2-1/2", reason
    return None


def play(players, settings, number):
    """Plays one game. `players` are two engines; the first has White in the games with even numbers.

    Each opening is played twice, with both colours. A flag falls when the time from the writing of the opponent's move to
    the reading of the answer exceeds the clock.
    """
    game = Game(opening=number // 2, white=number % 2)
    moves = opening(settings.seed, game.opening)
    board = chess.Board()
    for move in moves:
        board.push(move)
    for player in players:
        player.new_game(moves)
    before = [player.thread_counts() for player in players]
    # A collection during a move would count as time of the engine.
    gc.collect()
    gc.disable()
    try:
        run(players, settings, game, board, len(moves))
    finally:
        gc.enable()
    for index, (player, start) in enumerate(zip(players, before)):
        counts = engines.ThreadCounts()
        if index not in game.faults:
            counts = player.thread_counts()
            counts.subtract(start)
            try:
                player.end_game(game.result)
            except engines.EngineFault as fault:
                game.faults[index] = str(fault)
        game.counts.append(counts)
    return game


def run(players, settings, game, board, opening_length):
    """Lets the engines move until the game ends."""
    clocks = [settings.base, settings.base]
    while not (ending := end_by_rules(board)):
        mover = game.white if board.turn == chess.WHITE else 1 - game.white
        win_for_other = "0-1" if board.turn == chess.WHITE else "1-0"
        try:
            started = time.monotonic()
            players[mover].ask(board.move_stack[opening_length:], clocks[mover], clocks[1 - mover])
            answer = players[mover].answer(started, clocks[mover])
            game.moves.append(Move(mover, clocks[mover], answer.seconds))
            if answer.seconds > clocks[mover]:
                game.loser, game.is_time_loss, game.reason = mover, True, "time"
                game.result = win_for_other
                if answer.word is None:
                    game.faults[mover] = f"{players[mover].name} does not answer"
                return
            if answer.word == "resign":
                game.result, game.reason = win_for_other, "resignation"
                return
            board.push(move_of(players[mover], board, answer.word))
            clocks[mover] += settings.increment - answer.seconds
        except engines.EngineFault as fault:
            game.faults[mover] = str(fault)
            game.loser, game.result, game.reason = mover, win_for_other, "fault"
            return
    game.result, game.reason = ending


def move_of(player, board, word):
    """Returns the move; the host has ended the game before any claim could be correct."""
    move = engines.parse_move(board, word)
    if move is None:
        raise engines.EngineFault(f"{player.name}: {word} in {board.fen()}")
    return move
