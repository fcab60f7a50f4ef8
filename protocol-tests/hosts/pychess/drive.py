"""Drives an engine by PyChess's own modules, without its windows.

usage: drive.py SCENARIO ENGINE FOLDER

Registers the engine as the preferences of PyChess do, and plays one scenario. `detection` only lets PyChess find the engine in
PATH, by the entry for its list of engines in ENTRY. Writes the conversation to
FOLDER/conversation-N.txt, one file for each engine process, with `> ` before lines of PyChess and `< ` before lines of the
engine. Exits with status 0 if the scenario succeeded.
"""
import asyncio
import os
import sys

import gi

gi.require_version("Gtk", "3.0")

from pychess.Players import CECPEngine, engineList, engineNest
from pychess.System import SubProcess
from pychess.Utils import wait_signal
from pychess.Utils.Board import Board
from pychess.Utils.GameModel import GameModel
from pychess.Utils.Move import parseAny
from pychess.Utils.Offer import Offer
from pychess.Utils.TimeModel import TimeModel
from pychess.Utils.const import (
    ANALYZING, BLACK, DRAW, DRAW_50MOVES, DRAW_INSUFFICIENT, DRAW_OFFER, DRAW_REPETITION, DRAW_STALEMATE,
    FISCHERRANDOMCHESS, INVERSE_ANALYZING, NORMALCHESS, UNKNOWN_REASON, WHITE, WHITEWON, WON_MATE)
from pychess.Variants import variants

TIMEOUT = 60  # seconds

# The entry for the list of engines that PyChess knows.
ENTRY = os.path.join(os.path.dirname(__file__), "../../../tools/package/pychess-engine-list.txt")

# Reasons for the end of a game on the board.
FAIR = (WON_MATE, DRAW_STALEMATE, DRAW_REPETITION, DRAW_50MOVES, DRAW_INSUFFICIENT)

# The cancel() of PyChess 1.0.3 lacks the argument that asyncio passes since Python 3.9.
_cancel = wait_signal.cancel
wait_signal.cancel = lambda future, msg=None: _cancel(future)


class Recorder:
    """Records the lines to and from every process of the engine."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = 0
        recorder = self
        start, write = SubProcess.SubProcess.start, SubProcess.SubProcess.write

        async def recorded_start(process):
            recorder.processes += 1
            name = os.path.join(recorder.folder, f"conversation-{recorder.processes}.txt")
            process.record = open(name, "w", buffering=1)
            process.unfinished = ""
            await start(process)
            process.connect("line", lambda _, line: process.record.write(f"< {line}\n"))

        def recorded_write(process, text):
            # PyChess prints a line in pieces.
            process.unfinished += text
            while "\n" in process.unfinished:
                line, process.unfinished = process.unfinished.split("\n", 1)
                process.record.write(f"> {line}\n")
            write(process, text)

        SubProcess.SubProcess.start = recorded_start
        SubProcess.SubProcess.write = recorded_write


class Window:
    """Replaces the window in which PyChess shows an error of the engine."""

    shown = []

    def __init__(self, *_, **__):
        pass

    def set_markup(self, text):
        Window.shown.append(text)

    def connect(self, *_):
        pass

    def show_all(self):
        pass


CECPEngine.Gtk.MessageDialog = Window


async def until(what, happened):
    """Waits for a condition, up to TIMEOUT."""
    for _ in range(TIMEOUT * 20):
        if happened():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {TIMEOUT} s")


async def known_engine(command):
    """Registers the engine as the preferences of PyChess do, and returns their entry."""
    assert not engineNest.is_uci(command), "taken for a UCI engine"
    assert engineNest.is_cecp(command), "not taken for an xboard engine"
    # Ignores other engines of this machine.
    engineNest.ENGINES_LIST = []
    discoverer = engineNest.discoverer
    discoverer.engines = []
    discoverer.addEngine("Gaur", command, "xboard", None, None)
    found = []
    discoverer.connect("all_engines_discovered", lambda _: found.append(True))
    discoverer.discover()
    await until("the discovery of the engine", lambda: found)
    engine = discoverer.getEngineByName("Gaur")
    assert engine is not None, "the engine failed the discovery"
    assert engine["analyze"], engine
    assert {"normal", "fischerandom"} <= set(engine["variants"]), engine
    assert any(option["name"] == "memory" for option in engine["options"]), engine
    return engine


async def detection(command):
    """Lets PyChess find the engine by the entry for its list."""
    with open(ENTRY) as file:
        entry = eval(file.read().strip().rstrip(","), vars(engineList))
    engineNest.ENGINES_LIST = [entry]
    discoverer = engineNest.discoverer
    discoverer.engines = []
    found = []
    discoverer.connect("all_engines_discovered", lambda _: found.append(True))
    discoverer.discover()
    await until("the discovery of the engine", lambda: found)
    engine = discoverer.getEngineByName(entry.name)
    assert engine is not None, "the engine was not found"
    assert engine["command"] == command and engine["protocol"] == "xboard", engine
    assert engine["analyze"] and engine["options"], engine


async def player(engine, color, variant, time, ponder):
    """Starts a new engine process."""
    return await engineNest.discoverer.initPlayerEngine(
        engine, color, 20, variant, secs=time.secs, incr=time.gain, moves=time.moves, forcePonderOff=not ponder)


async def game(engine, variant, time):
    """Lets the engine play itself; one of the two ponders."""
    model = GameModel(time, variant)
    model.setPlayers([
        await player(engine, WHITE, variant, time, ponder=True), await player(engine, BLACK, variant, time, ponder=False)])
    if variant.variant == FISCHERRANDOMCHESS:
        for one in model.players:
            one.setOptionInitialBoard(model)
    ended = []
    model.connect("game_ended", lambda _, reason: ended.append(reason))
    model.start()
    await asyncio.wait_for(until_true(ended), 240)
    assert model.reason in FAIR, f"status {model.status}, reason {model.reason}"
    print(f"{len(model.moves)} moves, status {model.status}, reason {model.reason}")
    model.terminate()


async def until_true(flags):
    while not flags:
        await asyncio.sleep(0.1)


async def match(engine):
    """Plays two games: normal chess with periods, Fischer Random chess without."""
    await game(engine, variants[NORMALCHESS], TimeModel(3, 0, moves=20))
    await game(engine, variants[FISCHERRANDOMCHESS], TimeModel(8, 0))


async def person(engine):
    """Plays as a person: requests an immediate move, offers a draw, pauses, and takes back a move."""
    variant = variants[NORMALCHESS]
    gaur = await player(engine, BLACK, variant, TimeModel(600, 0), ponder=True)
    event, is_dead = asyncio.Event(), set()
    gaur.start(event, is_dead)
    await event.wait()
    assert not is_dead
    model = GameModel(None, variant)

    async def reply(text):
        """Plays a move of the person and returns the engine's answer."""
        before = model.boards[-1]
        move = parseAny(before, text)
        model.moves.append(move)
        model.boards.append(before.move(move))
        gaur.updateTime(600, 600)
        answer = asyncio.ensure_future(gaur.makeMove(model.boards[-1], move, before))
        await asyncio.sleep(0.5)
        assert not answer.done(), "the engine moved at once with ten minutes left"
        gaur.hurry()
        answer = await asyncio.wait_for(answer, 10)
        model.moves.append(answer)
        model.boards.append(model.boards[-1].move(answer))

    await reply("e2e4")
    gaur.offer(Offer(DRAW_OFFER))
    # PyChess suspends the whole process by a signal.
    gaur.pause()
    await asyncio.sleep(1)
    gaur.resume()
    await reply("d2d4")
    # Takes back the last move and its answer.
    del model.boards[-2:], model.moves[-2:]
    model.players = [None, gaur]
    gaur.playerUndoMoves(2, model)
    await reply("g1f3")
    gaur.end(WHITEWON, UNKNOWN_REASON)
    await until("the end of the engine", lambda: gaur.engine.proc.returncode is not None)


async def analysis(engine):
    """Lets both analysers of PyChess, hints and spy, follow a game forwards and backwards."""
    variant = variants[NORMALCHESS]
    for mode in (ANALYZING, INVERSE_ANALYZING):
        analyser = await engineNest.discoverer.initAnalyzerEngine(engine, mode, variant)
        analyses = []
        analyser.connect("analyze", lambda _, lines, kept=analyses: kept.extend(lines))
        event, is_dead = asyncio.Event(), set()
        analyser.start(event, is_dead)
        await event.wait()
        assert not is_dead
        model = GameModel(None, variant)
        analyser.setOptionInitialBoard(model)
        # PyChess reads the model slightly later.
        await asyncio.sleep(0.2)
        # The queen's check ends with a position in which the spy could take the king.
        for text in ("e2e4", "f7f6", "d1h5", "g7g6", "h5g6"):
            before = model.boards[-1]
            move = parseAny(before, text)
            model.moves.append(move)
            model.boards.append(before.move(move))
            analyses.clear()
            analyser.putMove(model.boards[-1], move, before)
            await fitting(analyses, model.boards[-1], mode)
        analyses.clear()
        analyser.setBoard(model.boards[2])
        await fitting(analyses, model.boards[2], mode)
        analyser.end(DRAW, UNKNOWN_REASON)
        await until("the end of the engine", lambda: analyser.engine.proc.returncode is not None)
        if mode == ANALYZING:
            assert not Window.shown, Window.shown


async def fitting(analyses, board, mode):
    """Waits for a line of analysis that is about this board."""
    if mode == INVERSE_ANALYZING:
        board = board.switchColor()

    def fits():
        try:
            return analyses and parseAny(board, analyses[-1][1][0])
        except Exception:  # PyChess raises various exceptions for illegal moves
            return False

    await until("analysis of the position", fits)


async def main():
    scenario, command, folder = sys.argv[1:]
    if scenario == "detection":
        await detection(command)
        return
    engine = await known_engine(command)
    Recorder(folder)
    await {"match": match, "person": person, "analysis": analysis}[scenario](engine)


asyncio.set_event_loop(asyncio.SelectorEventLoop())
asyncio.get_event_loop().run_until_complete(main())
