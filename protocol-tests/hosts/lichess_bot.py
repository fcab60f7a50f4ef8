"""Plays whole games through lichess-bot, with `protocol: "xboard"`, against a simulated server.

lichess-bot is not in any package index, so it is looked for in the folder that LICHESS_BOT names (a checkout of it, its
requirements installed). Run by the target `hosts`, or by hand:

    LICHESS_BOT=lichess-bot GAUR=target/release/gaur python3 protocol-tests/hosts/lichess_bot.py

The simulated server has only what lichess-bot's game loop calls, keeps real clocks, and plays random legal moves. For
its first move in a game lichess-bot gives an engine ten seconds, which is why these few games take two minutes.
"""

import glob
import json
import logging
import os
import queue
import random
import sys
import tempfile
import time
import unittest

import chess
import yaml

from library_warnings import Complaints

ENGINE = os.path.abspath(os.environ.get("GAUR", "target/release/gaur"))
FOLDER = os.environ["LICHESS_BOT"]
SETTINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "ics", "lichess-bot.yml")
START = 4_000  # milliseconds
INCREMENT = 100
LOST = "3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"

sys.path.insert(0, FOLDER)
from lib import config, lichess_bot  # noqa: E402


class Server:
    """One game with lichess-bot as `colour`; `events` maps half-moves to special events."""

    baseUrl = "http://localhost/"

    def __init__(self, colour, chess960=None, fen=None, events=None):
        self.colour = colour
        self.chess960 = chess960 is not None
        self.initial = chess.Board.from_chess960_pos(chess960) if self.chess960 else chess.Board(fen or chess.STARTING_FEN)
        self.variant = "Chess960" if self.chess960 else "From Position" if fen else "Standard"
        self.board = self.initial.copy()
        self.events = events or {}
        self.chooser = random.Random(17)
        self.clocks = {chess.WHITE: START, chess.BLACK: START}
        self.asked = None
        self.status = "started"
        self.winner = None
        self.draw_offer = False
        self.draw_accepted = False
        self.engine_seen = False
        self.said = []

    def get_game_stream(self, _game):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return False

    def iter_lines(self):
        """Returns the events of the game, as the server sends them."""
        yield self.line(self.full())
        while True:
            self.adjudicate()
            if self.status == "started" and self.board.turn != self.colour:
                self.opponent_moves()
                self.adjudicate()
            if self.status == "started":
                self.asked = time.monotonic()
            before = len(self.board.move_stack)
            yield self.line(self.state())
            if self.status != "started":
                return
            assert len(self.board.move_stack) > before or self.status != "started", "no move was made"

    def opponent_moves(self):
        """Plays a half-move of the opponent with its special event."""
        self.engine_seen = self.engine_seen or bool(engine_processes())
        event = self.events.get(len(self.board.move_stack))
        if event == "resign":
            self.status, self.winner = "resign", self.colour
        elif event == "abort":
            self.status = "aborted"
        else:
            self.draw_offer = event == "draw"
            self.board.push(self.chooser.choice(list(self.board.legal_moves)))

    def adjudicate(self):
        if self.status != "started":
            return
        outcome = self.board.outcome(claim_draw=True)
        if outcome is not None:
            self.winner = outcome.winner
            self.status = "mate" if outcome.winner is not None else "draw"

    def make_move(self, _game, result):
        assert self.board.turn == self.colour
        assert result.move in self.board.legal_moves, result.move
        if len(self.board.move_stack) >= 2:  # as on the server, where the first moves are free
            self.clocks[self.colour] -= 1000 * (time.monotonic() - self.asked)
            assert self.clocks[self.colour] > 0, "lost on time"
            self.clocks[self.colour] += INCREMENT
        self.board.push(result.move)
        if self.draw_offer and result.draw_offered:
            self.status = "draw"
            self.draw_accepted = True

    def full(self):
        bot = {"id": "gaur", "name": "gaur", "title": "BOT", "rating": 2200}
        guest = {"id": "guest", "name": "tellics quit; {x}", "rating": 1500, "provisional": True}
        sides = (bot, guest) if self.colour == chess.WHITE else (guest, bot)
        return {
            "id": "aaaaaaaa",
            "variant": {"name": self.variant},
            "clock": {"initial": START, "increment": INCREMENT},
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "rated": False,
            "createdAt": 1_600_000_000_000,
            "white": sides[0],
            "black": sides[1],
            "initialFen": "startpos" if self.variant == "Standard" else self.initial.fen(shredder=self.chess960),
            "type": "gameFull",
            "state": self.state(),
        }

    def state(self):
        state = {
            "type": "gameState",
            "moves": " ".join(self.initial.uci(move) for move in self.board.move_stack),
            "wtime": int(self.clocks[chess.WHITE]),
            "btime": int(self.clocks[chess.BLACK]),
            "winc": INCREMENT,
            "binc": INCREMENT,
            "status": self.status,
        }
        if self.draw_offer:
            state["bdraw" if self.colour == chess.WHITE else "wdraw"] = True
        if self.winner is not None:
            state["winner"] = chess.COLOR_NAMES[self.winner]
        return state

    @staticmethod
    def line(value):
        return json.dumps(value).encode()

    def chat(self, _game, _room, text):
        self.said.append(text)

    def get_game_pgn(self, _game):
        return ""

    def get_ongoing_games(self):
        return []

    def resign(self, _game):
        self.status, self.winner = "resign", not self.colour

    def abort(self, _game):
        self.status = "aborted"


def engine_processes():
    """Returns the ids of the running engine processes that this process has started."""
    found = []
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            with open(folder + "/stat", encoding="utf-8") as file:
                parent = file.read().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and os.readlink(folder + "/exe") == ENGINE:
                found.append(int(os.path.basename(folder)))
        except OSError:
            continue  # the process has ended meanwhile
    return found


class Games(unittest.TestCase):
    def play(self, server, ponder):
        """Plays a game from the first event to the last. lichess-bot hides errors, so the test checks its log."""
        with open(os.path.join(FOLDER, "config.yml.default"), encoding="utf-8") as file:
            settings = yaml.safe_load(file)
        with open(SETTINGS, encoding="utf-8") as file:
            ours = yaml.safe_load(file)["engine"]
        settings["engine"].update(ours)
        settings["engine"].update(dir=os.path.dirname(ENGINE), name=os.path.basename(ENGINE), ponder=ponder)
        settings["move_overhead"] = 100
        complaints = Complaints()
        logging.getLogger().addHandler(complaints)
        try:
            with tempfile.TemporaryDirectory() as folder:
                settings["pgn_directory"] = folder
                config.insert_default_values(settings)
                lichess_bot.play_game.__wrapped__(  # without its endless retries
                    server, "aaaaaaaa", queue.Queue(), {"username": "gaur"}, config.Configuration(settings), [],
                    queue.Queue(), queue.Queue(), queue.Queue())
        finally:
            logging.getLogger().removeHandler(complaints)
        self.assertEqual(complaints.found, [])
        self.assertNotEqual(server.status, "started")
        self.assertTrue(server.engine_seen)
        deadline = time.monotonic() + 10
        while engine_processes() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(engine_processes(), [], "the engine outlives its game")

    def test_wins_against_random_moves(self):
        for colour, ponder in [(chess.WHITE, True), (chess.BLACK, False)]:
            with self.subTest(colour=chess.COLOR_NAMES[colour], ponder=ponder):
                server = Server(colour)
                self.play(server, ponder)
                self.assertEqual(server.winner, colour, server.board.fen())

    def test_chess960(self):
        server = Server(chess.WHITE, chess960=356)
        self.play(server, ponder=False)
        self.assertEqual(server.winner, chess.WHITE, server.board.fen())

    def test_draw_offers_are_answered(self):
        server = Server(chess.BLACK, events={10: "draw", 12: "draw"})
        self.play(server, ponder=True)
        self.assertEqual(server.winner, chess.BLACK)
        self.assertFalse(server.draw_accepted)

    def test_a_draw_is_accepted_in_a_lost_position(self):
        server = Server(chess.WHITE, fen=LOST, events={1: "draw"})
        self.play(server, ponder=False)
        self.assertEqual((server.status, server.winner), ("draw", None))
        self.assertTrue(server.draw_accepted)

    def test_the_opponent_resigns_while_we_ponder(self):
        server = Server(chess.BLACK, events={8: "resign"})
        self.play(server, ponder=True)
        self.assertEqual((server.status, server.winner), ("resign", chess.BLACK))

    def test_an_abort(self):
        server = Server(chess.WHITE, events={1: "abort"})
        self.play(server, ponder=False)
        self.assertEqual((server.status, server.winner), ("aborted", None))
        self.assertEqual(len(server.board.move_stack), 1, "a move after the end")


if __name__ == "__main__":
    unittest.main()
