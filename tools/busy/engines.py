"""Engines behind pipes: lines, answers and the thread switches that Linux counts for each process."""

import collections
import contextlib
import os
import pathlib
import select
import shlex
import shutil
import subprocess
import time

import chess

# Seconds for a greeting, and for an answer whose time is not limited by a clock.
GREETING_TIME = 10.0
# Seconds after a flag fall in which the late answer is awaited.
LATE_ANSWER_TIME = 10.0
# Folder of games on Debian, which is not always in PATH.
GAMES = "/usr/games"


class EngineFault(Exception):
    """Misbehaviour of an engine: its end, no answer, an illegal move, a false claim."""


class Answer:
    """Answer to the request for a move.

    `word` is a move in the engine's notation, `resign`, a claimed result, or `None` after a flag fall without any answer.
    """

    def __init__(self, word, seconds):
        self.word = word
        self.seconds = seconds


class ThreadCounts(collections.Counter):
    """Counters by thread name: `(name, "switches")`, `(name, "slices")` and `(name, "waited")` in nanoseconds."""

    def total(self, counter):
        return sum(value for (_, kind), value in self.items() if kind == counter)

    def names(self):
        return sorted({name for name, _ in self})


class Engine:
    """Engine process of either protocol. A subclass translates the requests."""

    def __init__(self, name, command, settings):
        self.name = name
        self.settings = settings
        words = shlex.split(command)
        if not words:
            raise EngineFault(f"{name}: no command")
        words[0] = shutil.which(words[0]) or shutil.which(words[0], path=GAMES) or words[0]
        try:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise EngineFault(f"{name}: cannot start {words[0]}: {error}") from error
        self.unread = b""
        self.lines = collections.deque()
        self.poll = select.poll()
        self.poll.register(self.process.stdout, select.POLLIN)

    def send(self, *lines):
        """Sends lines in one write."""
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            while data:
                data = data[self.process.stdin.write(data) :]
        except OSError as error:
            raise EngineFault(f"{self.name} has ended") from error

    def line(self, deadline):
        """Returns the next line, or `None` after the deadline in monotonic time."""
        while not self.lines:
            milliseconds = max(0.0, deadline - time.monotonic()) * 1000
            if not self.poll.poll(milliseconds):
                return None
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EngineFault(f"{self.name} has ended")
            *lines, self.unread = (self.unread + data).split(b"\n")
            self.lines.extend(line.decode(errors="replace").rstrip("\r") for line in lines)
        return self.lines.popleft()

    def wait_for(self, is_wanted, seconds=GREETING_TIME):
        """Returns the first line that satisfies a condition; ignores those before it."""
        deadline = time.monotonic() + seconds
        while (line := self.line(deadline)) is not None:
            if is_wanted(line):
                return line
        raise EngineFault(f"{self.name} does not answer")

    def answer(self, started, clock):
        """Waits for the answer to a request that was written from `started` on.

        The time ends when the answer has been read. After a flag fall the answer is still awaited, so that the next
        game begins in order.
        """
        deadline = started + clock + LATE_ANSWER_TIME
        while (line := self.line(deadline)) is not None:
            now = time.monotonic()
            if word := self.answer_in(line):
                return Answer(word, now - started)
        return Answer(None, time.monotonic() - started)

    def thread_counts(self):
        """Returns the counters of all threads, as far as the system has them."""
        counts = ThreadCounts()
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*"):
            # A thread can end at any time, and some systems have no schedstat.
            with contextlib.suppress(OSError):
                name = (task / "comm").read_text().strip()
                for line in (task / "status").read_text().splitlines():
                    if "ctxt_switches" in line:
                        counts[name, "switches"] += int(line.split()[1])
                _, waited, slices = map(int, (task / "schedstat").read_text().split())
                counts[name, "waited"] += waited
                counts[name, "slices"] += slices
        return counts

    def close(self):
        """Ends the process: asks it to quit, then kills it."""
        with contextlib.suppress(EngineFault):
            self.send("quit")
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class XboardEngine(Engine):
    """Engine that speaks the xboard protocol, version 2."""

    def __init__(self, name, command, settings):
        super().__init__(name, command, settings)
        self.features = {"ping": "0", "usermove": "0", "smp": "0", "memory": "0"}
        self.pings = 0
        self.is_forced = True
        self.send("xboard", "protover 2")
        while self.features.get("done") != "1":
            line = self.wait_for(lambda line: line.startswith("feature "))
            for word in shlex.split(line)[1:]:
                name, _, value = word.partition("=")
                self.features[name] = value
                self.send(f"accepted {name}")

    def synchronise(self):
        """Waits until the engine has carried out all commands."""
        if self.features["ping"] == "1":
            self.pings += 1
            self.send(f"ping {self.pings}")
            self.wait_for(lambda line: line.strip() == f"pong {self.pings}")
        else:
            time.sleep(0.2)
        self.lines.clear()

    def new_game(self, opening):
        base, increment = self.settings.base, self.settings.increment
        # Whole seconds, rounded up, as hosts send them; `time` corrects the clock before each move.
        seconds = int(-(-base // 1))
        self.send("new", f"level 0 {seconds // 60}:{seconds % 60:02} {increment:g}", "easy")
        self.send("post" if self.settings.post else "nopost")
        if self.features["memory"] == "1":
            self.send(f"memory {self.settings.hash}")
        if self.features["smp"] == "1":
            self.send(f"cores {self.settings.cores}")
        self.send(*self.settings.xboard_lines, "force", *map(self.move_line, opening))
        self.is_forced = True
        self.synchronise()

    def move_line(self, move):
        prefix = "usermove " if self.features["usermove"] == "1" else ""
        return prefix + move.uci()

    def ask(self, moves, own_clock, other_clock):
        """Requests a move. `moves` are those since the opening."""
        clocks = (f"time {int(own_clock * 100)}", f"otim {int(other_clock * 100)}")
        last = (self.move_line(moves[-1]),) if moves else ()
        start = ("go",) if self.is_forced else ()
        self.is_forced = False
        self.send(*clocks, *last, *start)

    def answer_in(self, line):
        first, _, rest = line.strip().partition(" ")
        if first == "move":
            return rest.strip()
        if first == "resign" or first in ("1-0", "0-1", "1/2-1/2"):
            return first
        if line.startswith(("Illegal move", "Error")):
            raise EngineFault(f"{self.name}: {line}")
        return None

    def end_game(self, result):
        self.send(f"result {result} {{end of the game}}", "force")
        self.is_forced = True
        self.synchronise()


class UciEngine(Engine):
    """Engine that speaks UCI."""

    def __init__(self, name, command, settings):
        super().__init__(name, command, settings)
        self.send("uci")
        self.wait_for(lambda line: line == "uciok")
        self.send(f"setoption name Hash value {settings.hash}", f"setoption name Threads value {settings.cores}")
        self.opening = []

    def new_game(self, opening):
        self.opening = opening
        self.send("ucinewgame", "isready")
        self.wait_for(lambda line: line == "readyok")
        self.lines.clear()

    def ask(self, moves, own_clock, other_clock):
        """Requests a move. `moves` are those since the opening."""
        played = [*self.opening, *moves]
        # 0 would mean that there is no clock.
        clocks = [max(1, int(clock * 1000)) for clock in (own_clock, other_clock)]
        white, black = clocks if len(played) % 2 == 0 else reversed(clocks)
        increment = int(self.settings.increment * 1000)
        self.send(
            f"position startpos moves {' '.join(move.uci() for move in played)}",
            f"go wtime {white} btime {black} winc {increment} binc {increment}",
        )

    def answer_in(self, line):
        first, _, rest = line.partition(" ")
        return rest.split()[0] if first == "bestmove" and rest else None

    def end_game(self, _result):
        self.send("isready")
        self.wait_for(lambda line: line == "readyok")
        self.lines.clear()


PROTOCOLS = {"xboard": XboardEngine, "uci": UciEngine}


def start(description, settings, name=None):
    """Starts the engine of a description `PROTOCOL:COMMAND`."""
    protocol, _, command = description.partition(":")
    if protocol not in PROTOCOLS:
        raise EngineFault(f"{description}: write xboard:COMMAND or uci:COMMAND")
    return PROTOCOLS[protocol](name or pathlib.Path(command.split()[0]).name, command, settings)


def parse_move(board, word):
    """Returns the legal move that an engine has written in coordinates or SAN, or `None`."""
    for parse in (board.parse_uci, board.parse_san):
        with contextlib.suppress(ValueError):
            move = parse(word)
            return move if move in board.legal_moves else None
    return None
