"""Drives Gaur through python-chess, the library behind lichess-bot and many scripts, as its users do.

Run by the target `hosts`, or by hand:

    GAUR=target/release/gaur python3 protocol-tests/hosts/python_chess.py

Whatever python-chess does not expect from the engine it logs as a warning; here every warning is a failure.
"""

import asyncio
import logging
import os
import random
import time
import unittest

import chess
import chess.engine

from library_warnings import Complaints

ENGINE = os.environ.get("GAUR", "target/release/gaur")
TIMEOUT = 20.0
MATE_IN_TWO = "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATED = "R6k/6pp/8/8/8/8/8/4K3 b - - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class HostTest(unittest.TestCase):
    """Starts the engine before each test; afterwards it must exit with status 0."""

    def setUp(self):
        self.complaints = Complaints()
        logging.getLogger("chess.engine").addHandler(self.complaints)
        logging.getLogger("chess.engine").propagate = False
        self.engine = chess.engine.SimpleEngine.popen_xboard(ENGINE, timeout=TIMEOUT)

    def tearDown(self):
        logging.getLogger("chess.engine").removeHandler(self.complaints)
        self.engine.quit()
        self.assertEqual(self.engine.returncode.result(TIMEOUT), 0)
        self.assertEqual(self.complaints.found, [])

    def play(self, board, limit, **arguments):
        """Requests a move, which must be legal (python-chess checks this, too)."""
        result = self.engine.play(board, limit, **arguments)
        self.assertIn(result.move, board.legal_moves)
        return result


class Configure(HostTest):
    def test_features(self):
        features = self.engine.protocol.features
        for name in ["ping", "setboard", "usermove", "draw", "analyze", "exclude", "nps", "memory", "smp"]:
            self.assertEqual(features[name], 1, name)
        self.assertTrue(features["myname"].startswith("Gaur "))
        self.assertEqual(set(features["variants"].split(",")), {"normal", "fischerandom"})

    def test_every_option_takes_its_values(self):
        texts = {"string", "file", "path"}
        for name, option in self.engine.options.items():
            # Commands of the protocol, which python-chess also lists as options; options that its user cannot set; a type
            # that it reads but cannot write; and buttons with output that it does not expect.
            if name.islower() or option.is_managed() or option.type in ("slider", "save") or name == "ResetSettings":
                continue
            with self.subTest(option=name, type=option.type):
                if option.type == "spin":
                    values = [option.min, option.default]
                elif option.type == "check":
                    values = [not option.default, option.default]
                elif option.type == "combo":
                    values = [*option.var, option.default]
                elif option.type in texts:
                    continue
                else:
                    values = [None]
                for value in values:
                    self.engine.configure({name: value})
        self.engine.ping()
        self.play(chess.Board(), chess.engine.Limit(time=0.05))

    def test_memory_and_cores(self):
        self.engine.configure({"memory": 32, "cores": 2})
        self.play(chess.Board(), chess.engine.Limit(time=0.1))
        self.engine.configure({"memory": 16, "cores": 1})
        self.play(chess.Board(), chess.engine.Limit(time=0.1))

    def test_an_option_that_is_not_there(self):
        with self.assertRaises(chess.engine.EngineError):
            self.engine.configure({"NoSuchOption": 1})
        self.engine.ping()


class Play(HostTest):
    def test_time(self):
        result = self.play(chess.Board(), chess.engine.Limit(time=0.2), info=chess.engine.INFO_ALL)
        self.assertEqual(result.info["pv"][0], result.move)
        self.assertGreater(result.info["nodes"], 0)

    def test_depth(self):
        result = self.play(chess.Board(), chess.engine.Limit(depth=3), info=chess.engine.INFO_ALL)
        self.assertEqual(result.info["depth"], 3)

    def test_nodes(self):
        result = self.play(chess.Board(), chess.engine.Limit(nodes=2000), info=chess.engine.INFO_ALL)
        self.assertLessEqual(result.info["nodes"], 2000)

    def test_the_node_limit_goes_with_its_game(self):
        self.play(chess.Board(), chess.engine.Limit(nodes=500), game="first")
        result = self.play(chess.Board(), chess.engine.Limit(time=0.5), game="second", info=chess.engine.INFO_ALL)
        self.assertGreater(result.info["nodes"], 2000)

    def test_a_game_on_the_clock(self):
        """Plays a whole game against random moves with running clocks; the engine must win it in time."""
        increment = 0.1
        for colour in chess.COLORS:
            chooser = random.Random(3)
            board = chess.Board()
            clocks = {chess.WHITE: 4.0, chess.BLACK: 4.0}
            while not board.is_game_over(claim_draw=True):
                if board.turn != colour:
                    board.push(chooser.choice(list(board.legal_moves)))
                    continue
                limit = chess.engine.Limit(
                    white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
                    white_inc=increment, black_inc=increment)
                asked = time.monotonic()
                board.push(self.play(board, limit, game=colour).move)
                clocks[colour] -= time.monotonic() - asked
                self.assertGreater(clocks[colour], 0, "lost on time")
                clocks[colour] += increment
            self.assertEqual(board.outcome().winner, colour, board.fen())

    def test_games_that_go_back_and_forth(self):
        """Analyses positions of one game object out of order: python-chess takes moves back."""
        chooser = random.Random(5)
        board = chess.Board()
        for _ in range(60):
            back = chooser.randrange(0, min(6, len(board.move_stack)) + 1)
            for _ in range(back):
                board.pop()
            for _ in range(chooser.randrange(1, 6)):
                if board.is_game_over():
                    break
                board.push(chooser.choice(list(board.legal_moves)))
            if not board.is_game_over():
                self.play(board, chess.engine.Limit(time=0.01), game="one")

    def test_five_hundred_quick_moves(self):
        chooser = random.Random(7)
        moves, game, board = 0, 0, chess.Board()
        while moves < 500:
            if board.is_game_over():
                game, board = game + 1, chess.Board()
            board.push(self.play(board, chess.engine.Limit(time=0.005), game=game).move)
            moves += 1
            if not board.is_game_over():
                board.push(chooser.choice(list(board.legal_moves)))

    def test_positions(self):
        for fen in [MATE_IN_TWO, KIWIPETE, "8/8/8/8/8/6k1/6p1/6K1 b - - 0 1", "8/P6k/8/8/8/8/8/K7 w - - 99 80"]:
            with self.subTest(fen=fen):
                self.play(chess.Board(fen), chess.engine.Limit(time=0.05))

    def test_fischer_random(self):
        for number in range(0, 960, 97):
            board = chess.Board.from_chess960_pos(number)
            for _ in range(20):
                if board.is_game_over():
                    break
                board.push(self.play(board, chess.engine.Limit(time=0.01), game=number).move)

    def test_a_move_in_a_drawn_position(self):
        """Expects a move in a drawn position: a claim is allowed, but python-chess needs the move as well."""
        board = chess.Board()
        for move in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split():
            board.push_uci(move)
        self.assertTrue(board.is_repetition(3))
        self.play(board, chess.engine.Limit(time=0.05))

    def test_mate_score(self):
        result = self.play(chess.Board(MATE_IN_TWO), chess.engine.Limit(time=0.5), info=chess.engine.INFO_ALL)
        self.assertEqual(result.info["score"].relative, chess.engine.Mate(2))

    def test_a_search_that_is_cancelled(self):
        """Cancels a search with pondering; without it, python-chess 1.11 waits for ever."""

        async def scenario():
            transport, protocol = await chess.engine.popen_xboard(ENGINE)
            for _ in range(20):
                with self.assertRaises(asyncio.TimeoutError):
                    endless = protocol.play(chess.Board(), chess.engine.Limit(time=60), ponder=True)
                    await asyncio.wait_for(endless, 0.05)
                await protocol.ping()
            result = await protocol.play(chess.Board(), chess.engine.Limit(time=0.05))
            self.assertIsNotNone(result.move)
            await protocol.quit()
            self.assertEqual(await protocol.returncode, 0)

        asyncio.run(asyncio.wait_for(scenario(), 3 * TIMEOUT))


class Ponder(HostTest):
    def test_a_game_with_pondering(self):
        chooser = random.Random(11)
        board = chess.Board()
        limit = chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.05, black_inc=0.05)
        hints = 0
        for _ in range(30):
            if board.is_game_over():
                break
            result = self.play(board, limit, ponder=True, game="ponder", info=chess.engine.INFO_BASIC)
            board.push(result.move)
            if result.ponder is not None:
                hints += 1
                self.assertIn(result.ponder, board.legal_moves)
            if board.is_game_over():
                break
            expected = result.ponder is not None and chooser.random() < 0.5
            board.push(result.ponder if expected else chooser.choice(list(board.legal_moves)))
        self.assertGreater(hints, 5)

    def test_from_pondering_to_analysis(self):
        board = chess.Board()
        board.push(self.play(board, chess.engine.Limit(time=0.1), ponder=True).move)
        info = self.engine.analyse(board, chess.engine.Limit(time=0.1))
        self.assertIn(info["pv"][0], board.legal_moves)


class Draws(HostTest):
    LOST = "3k4/8/8/8/8/8/3qr3/K7 w - - 0 60"
    WON = "3K4/8/8/8/8/8/3QR3/k7 w - - 0 60"

    def test_an_offer_in_a_lost_position_is_taken(self):
        board = chess.Board(self.LOST)
        result = self.play(board, chess.engine.Limit(time=0.1), draw_offered=True)
        self.assertTrue(result.draw_offered)

    def test_an_offer_in_a_won_position_is_not(self):
        result = self.play(chess.Board(self.WON), chess.engine.Limit(time=0.1), draw_offered=True)
        self.assertFalse(result.draw_offered)
        self.assertFalse(result.resigned)


class Analyse(HostTest):
    def test_a_time_limit(self):
        board = chess.Board(KIWIPETE)
        info = self.engine.analyse(board, chess.engine.Limit(time=1.0))
        self.assertIn(info["pv"][0], board.legal_moves)
        self.assertGreater(info["depth"], 1)

    def test_depth_nodes_and_mate(self):
        info = self.engine.analyse(chess.Board(), chess.engine.Limit(depth=5))
        self.assertGreaterEqual(info["depth"], 5)
        info = self.engine.analyse(chess.Board(), chess.engine.Limit(nodes=5000))
        self.assertGreaterEqual(info["nodes"], 5000)
        info = self.engine.analyse(chess.Board(MATE_IN_TWO), chess.engine.Limit(mate=2))
        self.assertEqual(info["score"].white(), chess.engine.Mate(2))

    def test_some_root_moves(self):
        board = chess.Board()
        wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        info = self.engine.analyse(board, chess.engine.Limit(time=1.0), root_moves=wanted, game="some")
        self.assertIn(info["pv"][0], wanted)
        info = self.engine.analyse(board, chess.engine.Limit(depth=6), game="all")
        self.assertNotIn(info["pv"][0], wanted)

    def test_an_endless_analysis_that_is_stopped(self):
        board = chess.Board()
        with self.engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 7:
                    break
        self.play(board, chess.engine.Limit(time=0.05))

    def test_positions_without_moves(self):
        for fen in [STALEMATE, MATED]:
            with self.subTest(fen=fen):
                self.engine.analyse(chess.Board(fen), chess.engine.Limit(time=0.1))
        self.play(chess.Board(), chess.engine.Limit(time=0.05))

    def test_every_position_of_a_game(self):
        chooser = random.Random(13)
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 80:
            info = self.engine.analyse(board, chess.engine.Limit(time=0.02), game="game")
            if "pv" in info:
                self.assertIn(info["pv"][0], board.legal_moves)
            board.push(chooser.choice(list(board.legal_moves)))

    def test_fischer_random(self):
        board = chess.Board.from_chess960_pos(356)
        info = self.engine.analyse(board, chess.engine.Limit(time=0.1))
        self.assertIn(info["pv"][0], board.legal_moves)


class Ends(HostTest):
    def test_opponent_and_result(self):
        board = chess.Board()
        opponent = chess.engine.Opponent("Some; One {x}", "GM", 2700, False)
        self.engine.send_opponent_information(opponent=opponent, engine_rating=2500)
        board.push(self.play(board, chess.engine.Limit(time=0.05), game=1).move)
        self.engine.send_game_result(board, chess.WHITE, "White wins on time", False)
        self.engine.ping()
        self.play(chess.Board(), chess.engine.Limit(time=0.05), game=2)

    def test_many_pings(self):
        for _ in range(200):
            self.engine.ping()


if __name__ == "__main__":
    unittest.main()
