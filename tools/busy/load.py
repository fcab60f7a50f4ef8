"""Busy processes: each keeps one processor core busy, as a build or another program beside a game does."""

import contextlib
import subprocess
import sys

# The pipe on standard input ends when this program ends, even if it is killed.
LOOP = """
import select, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
while not select.select([0], [], [], 0)[0]:
    for _ in range(100_000):
        pass
"""


@contextlib.contextmanager
def busy_processes(count):
    """Runs this number of busy processes for the time of a `with` block; the value is the list of processes."""
    processes = []
    try:
        for _ in range(count):
            processes.append(
                subprocess.Popen(
                    [sys.executable, "-S", "-c", LOOP],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                )
            )
        yield processes
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.stdin.close()
            process.wait()
