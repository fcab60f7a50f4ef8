"""Tests of gaur.exe under Wine that need Windows pipes, a console or Windows file names.

Run by `.ci/windows`, or afterwards by hand:

    python3 protocol-tests/windows/check.py target/windows

The folder contains `gaur` and `host`, which start the Windows programs under Wine, and the working folder `Schöne Züge`.
"""

import os
import pathlib
import pty
import queue
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
WORK = FOLDER / "Schöne Züge"

# Seconds for an immediate answer. A busy machine and Wine can need long.
TIMEOUT = 30.0
# Time in seconds after which Ctrl-C has ended a program. It would wait for twenty seconds by itself.
CONTROL_C_TIMEOUT = 10.0
CONTROL_C = b"\x03"
# Time for a move in the tests of hard limits, in seconds. Gaur reserves 30 ms of it, so that half of the moves arrive before
# the limit even with ticks of 16 ms. A busy machine can delay single moves, at most by this time.
MOVE_TIME = 0.3
MAX_LATENESS = 0.25
# File names in UTF-8 and, as WinBoard sends them, in the code page of Western Europe.
ENCODINGS = ("utf-8", "cp1252")


class Program:
    """A program in host.exe."""

    def __init__(self, *command, environment=None):
        self.process = subprocess.Popen(
            [FOLDER / "host", *command],
            cwd=WORK,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self.lines = queue.Queue()
        self.seen = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode(errors="replace").rstrip("\r\n"))
        self.lines.put(None)

    def send(self, *lines, encoding="utf-8"):
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode(encoding))

    def wait_for(self, beginning, seconds=TIMEOUT):
        """Returns the next line with this beginning."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise AssertionError(f"no `{beginning}`; the output ends so: {self.seen[-10:]}")
            self.seen.append(line)
            if line.startswith(beginning):
                return line

    def exit_status(self, seconds=TIMEOUT):
        """Waits for the end of the program and returns its status."""
        return int(self.wait_for("!exit", seconds).split()[1])

    def close(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()


class Test(unittest.TestCase):
    """A test with programs that end with it."""

    def start(self, *command, **settings):
        program = Program(*command, **settings)
        self.addCleanup(program.close)
        return program

    def engine(self, **settings):
        """Starts the engine and reads its features."""
        engine = self.start("gaur.exe", **settings)
        engine.send("xboard", "protover 2")
        engine.wait_for("feature done=1")
        return engine

    def synchronise(self, engine):
        """Waits until the engine has carried out all commands, and returns the error lines meanwhile."""
        first = len(engine.seen)
        engine.send("ping 1")
        engine.wait_for("pong 1")
        return [line for line in engine.seen[first:] if line.startswith(("Error", "telluser"))]

    def quit(self, engine):
        engine.send("quit")
        self.assertEqual(engine.exit_status(), 0)


class Faults(unittest.TestCase):
    def test_an_invalid_memory_access_ends_a_program_with_a_status(self):
        # The low byte of STATUS_ACCESS_VIOLATION. The runner of the protocol tests takes SIGSEGV for a fault of Wine.
        program = subprocess.run([FOLDER / "host", "--fault"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(program.returncode, 5)


class ControlC(Test):
    def test_it_ends_a_program_that_does_not_ignore_it(self):
        program = self.start("..\\host.exe", "--wait")
        program.wait_for("waiting")
        program.send("!ctrl-c")
        # Wine sets another status than Windows.
        program.exit_status(CONTROL_C_TIMEOUT)

    def test_it_is_ignored_when_idle_and_when_thinking(self):
        engine = self.engine()
        engine.send("!ctrl-c")
        self.synchronise(engine)
        engine.send("new", "st 1", "usermove e2e4")
        for _ in range(3):
            engine.send("!ctrl-c")
            time.sleep(0.1)
        engine.wait_for("move ")
        self.quit(engine)


class Terminal(Test):
    def setUp(self):
        # Wine shows the console of the program in the terminal, but does not carry out escape sequences.
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            try:
                # Keys reach Wine unchanged, but Ctrl-C is still a signal.
                settings = termios.tcgetattr(0)
                settings[tty.IFLAG] &= ~termios.ICRNL
                settings[tty.LFLAG] &= ~(termios.ECHO | termios.ICANON)
                termios.tcsetattr(0, termios.TCSANOW, settings)
                os.chdir(WORK)
                os.execve(FOLDER / "gaur", ["gaur", "--plain"], {**os.environ, "TERM": "xterm"})
            finally:
                os._exit(1)
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(self.kill)
        self.shown = b""
        self.wait_for("quit.")

    def kill(self):
        if self.process is not None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

    def type(self, keys):
        self.shown = b""
        os.write(self.terminal, keys)

    def wait_for(self, text):
        deadline = time.monotonic() + TIMEOUT
        while text.encode() not in self.shown:
            remaining = max(0.0, deadline - time.monotonic())
            self.assertTrue(select.select([self.terminal], [], [], remaining)[0], f"no `{text}`: {self.shown}")
            self.shown += os.read(self.terminal, 4096)

    def check_exit(self):
        """Waits for the end of the program, which must be successful."""
        deadline = time.monotonic() + CONTROL_C_TIMEOUT
        while time.monotonic() < deadline:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.process = None
                self.assertEqual(status, 0)
                return
            time.sleep(0.05)
        self.fail(f"the program has not ended: {self.shown}")

    def test_a_game_and_quit(self):
        self.type(b"e4\r")
        self.wait_for("Gaur plays 1... ")
        self.type(b"quit\r")
        self.check_exit()

    def test_control_c_ends_a_game(self):
        self.type(CONTROL_C)
        self.check_exit()

    def test_control_c_ends_a_game_when_thinking(self):
        self.type(b"level 0 10:00 60\rd4\r")
        self.wait_for("You play 1. d4.")
        time.sleep(0.5)
        self.type(CONTROL_C)
        self.check_exit()


class Pipes(Test):
    def test_the_end_of_input_ends_it(self):
        engine = self.engine()
        engine.send("!close-input")
        self.assertEqual(engine.exit_status(), 0)

    def test_a_move_that_is_due_at_the_end_of_input_is_sent(self):
        engine = self.engine()
        engine.send("new", "st 60", "usermove e2e4", "!close-input")
        engine.wait_for("move ")
        self.assertEqual(engine.exit_status(), 0)

    def test_a_closed_output_ends_it_during_analysis(self):
        engine = self.engine()
        engine.send("new", "post", "analyze")
        engine.wait_for("1 ")
        engine.send("!close-output")
        self.assertEqual(engine.exit_status(), 0)

    def test_unread_output_does_not_delay_the_end(self):
        engine = self.engine()
        # More than the pipe accepts, less than stops the engine from reading.
        engine.send("!stop-reading", *(f"ping {number}" for number in range(10000)), "!close-input")
        self.assertEqual(engine.exit_status(), 0)


class Files(Test):
    def saved(self, folder, name, values, encoding):
        """Saves the settings to this file and returns its lines."""
        engine = self.engine()
        engine.send(f"option SettingsFile={folder}\\{name}", encoding=encoding)
        engine.send(*(f"option {value}" for value in values), "option SaveSettings")
        # `telluser` reports that the file does not exist yet.
        self.assertEqual([line for line in self.synchronise(engine) if line.startswith("Error")], [])
        self.quit(engine)
        return (WORK / folder / name).read_text(encoding="utf-8").splitlines()

    def test_settings_files_with_blanks_and_umlauts(self):
        for encoding in ENCODINGS:
            with self.subTest(encoding), tempfile.TemporaryDirectory(prefix="für ", dir=WORK) as folder:
                place = pathlib.Path(folder).name, "größte Züge.ini"
                self.assertIn("MultiPV=3", self.saved(*place, ["MultiPV=3"], encoding))
                # A file that Gaur has read is replaced, and keeps what is not changed.
                lines = self.saved(*place, ["Variety=7"], encoding)
                self.assertIn("MultiPV=3", lines)
                self.assertIn("Variety=7", lines)
                # No temporary file is left.
                self.assertEqual(len(os.listdir(folder)), 1)

    def test_log_folders_with_blanks_and_umlauts(self):
        with tempfile.TemporaryDirectory(prefix="Ärger mit ", dir=WORK) as folder:
            name = pathlib.Path(folder).name
            engine = self.engine(environment={"GAUR_LOG": name})
            self.synchronise(engine)
            self.quit(engine)
            (log,) = pathlib.Path(folder).iterdir()
            self.assertIn(" > ping 1\n", log.read_text(encoding="utf-8"))

    def test_a_missing_folder_is_reported(self):
        engine = self.engine()
        engine.send("option SettingsFile=fehlt\\neu.ini", "option SaveSettings")
        errors = self.synchronise(engine)
        self.assertTrue(errors, engine.seen)
        self.quit(engine)


# Waits twenty times for a millisecond, by the system call futex.
WAITS = """
import ctypes
word = ctypes.c_int(0)
millisecond = (ctypes.c_long * 2)(0, 1_000_000)
for _ in range(20):
    ctypes.CDLL(None).syscall(202, ctypes.byref(word), 0, 0, millisecond, None, 0)
"""


class Times(Test):
    COARSE_TIMERS = {"LD_PRELOAD": str(FOLDER / "coarse_timers.so")}

    def test_coarse_timers_are_coarse(self):
        before = time.monotonic()
        subprocess.run([sys.executable, "-c", WAITS], env={**os.environ, **self.COARSE_TIMERS}, check=True)
        self.assertGreater(time.monotonic() - before, 0.25)

    def test_hard_limits(self):
        self.check_hard_limits("one thread")

    def test_hard_limits_with_two_threads(self):
        self.check_hard_limits("two threads", "cores 2")

    def test_hard_limits_with_coarse_timers(self):
        self.check_hard_limits("one thread, coarse timers", environment=self.COARSE_TIMERS)

    def test_hard_limits_with_two_threads_and_coarse_timers(self):
        self.check_hard_limits("two threads, coarse timers", "cores 2", environment=self.COARSE_TIMERS)

    def check_hard_limits(self, name, *lines, **settings):
        """Plays moves of a fixed time and prints how long before or after their limit they arrive."""
        engine = self.engine(**settings)
        engine.send("new", "easy", "nopost", f"st {MOVE_TIME}", *lines)
        times = []
        for _ in range(20):
            self.synchronise(engine)
            before = time.monotonic()
            engine.send("go")
            engine.wait_for("move ")
            times.append(time.monotonic() - before - MOVE_TIME)
            engine.send("force")
        self.quit(engine)
        print(
            f"\nst {MOVE_TIME}, {name}: moves arrive {1000 * statistics.median(times):+.1f} ms from the limit (median), "
            f"{1000 * max(times):+.1f} ms (last)"
        )
        self.assertLess(statistics.median(times), 0.0)
        self.assertLess(max(times), MAX_LATENESS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
