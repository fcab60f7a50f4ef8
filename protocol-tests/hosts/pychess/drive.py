"""Drives an engine by PyChess's own modules, without its windows.

usage: drive.py SCENE ENGINE FOLDER

The engine is made known to PyChess as its preferences do it, and then one scene is played. What PyChess and the engine
say to each other is written to FOLDER/conversation-N.txt, one file for each process of the engine, `> ` before lines of
PyChess and `< ` before lines of the engine. Ends with status 0 if the scene went as it should.
"""
import asyncio
import os
import sys

import gi

gi.require_version("Gtk", "3.0")

from pychess.Players import CECPEngine, engineNest
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

PATIENCE = 60  # seconds

# The ends of a game that are reached on the board.
FAIR = (WON_MATE, DRAW_STALEMATE, DRAW_REPETITION, DRAW_50MOVES, DRAW_INSUFFICIENT)

# PyChess 1.0.3 has a cancel() without the argument that asyncio hands over since Python 3.9.
_cancel = wait_signal.cancel
wait_signal.cancel = lambda future, msg=None: _cancel(future)


class Recorder:
    """Writes down what is said to and by every process of the engine."""

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
    """Stands for the window in which PyChess shows an error of the engine."""

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
    """Waits for something, but not for ever."""
    for _ in range(PATIENCE * 20):
        if happened():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {PATIENCE} s")


async def known_engine(command):
    """Finds out about the engine as the preferences of PyChess do, and gives what they keep about it."""
    assert not engineNest.is_uci(command), "taken for a UCI engine"
    assert engineNest.is_cecp(command), "not taken for an xboard engine"
    # Other engines of this machine are none of our business.
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


async def player(engine, color, variant, time, ponder):
    """A new process of the engine that plays."""
    return await engineNest.discoverer.initPlayerEngine(
        engine, color, 20, variant, secs=time.secs, incr=time.gain, moves=time.moves, forcePonderOff=not ponder)


async def game(engine, variant, time):
    """The engine plays itself, and one of the two ponders."""
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
    """Two games: normal chess with periods, Fischer random chess without."""
    await game(engine, variants[NORMALCHESS], TimeModel(3, 0, moves=20))
    await game(engine, variants[FISCHERRANDOMCHESS], TimeModel(8, 0))


async def person(engine):
    """A person plays, asks for a hurried move, offers a draw, pauses, and takes back a move."""
    variant = variants[NORMALCHESS]
    gaur = await player(engine, BLACK, variant, TimeModel(600, 0), ponder=True)
    event, is_dead = asyncio.Event(), set()
    gaur.start(event, is_dead)
    await event.wait()
    assert not is_dead
    model = GameModel(None, variant)

    async def reply(text):
        """Plays a move of the person and gives back the engine's answer."""
        before = model.boards[-1]
        move = parseAny(before, text)
        model.moves.append(move)
        model.boards.append(before.move(move))
        gaur.updateTime(600, 600)
        answer = asyncio.ensure_future(gaur.makeMove(model.boards[-1], move, before))
        await asyncio.sleep(0.5)
        assert not answer.done(), "ten minutes, and it does not even think"
        gaur.hurry()
        answer = await asyncio.wait_for(answer, 10)
        model.moves.append(answer)
        model.boards.append(model.boards[-1].move(answer))

    await reply("e2e4")
    gaur.offer(Offer(DRAW_OFFER))
    # PyChess stops the whole process by a signal.
    gaur.pause()
    await asyncio.sleep(1)
    gaur.resume()
    await reply("d2d4")
    # The person takes back the last move and the answer to it.
    del model.boards[-2:], model.moves[-2:]
    model.players = [None, gaur]
    gaur.playerUndoMoves(2, model)
    await reply("g1f3")
    gaur.end(WHITEWON, UNKNOWN_REASON)
    await until("the end of the engine", lambda: gaur.engine.proc.returncode is not None)


async def analysis(engine):
    """Both analysers of PyChess, the hints and the spy, follow a game and go back in it."""
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
        # It reads the model a moment later.
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
        except Exception:  # PyChess has many ways to dislike a move
            return False

    await until("analysis of the position", fits)


async def main():
    scene, command, folder = sys.argv[1:]
    engine = await known_engine(command)
    Recorder(folder)
    await {"match": match, "person": person, "analysis": analysis}[scene](engine)


asyncio.set_event_loop(asyncio.SelectorEventLoop())
asyncio.get_event_loop().run_until_complete(main())
