"""The number of threads of the training programs."""

import argparse
import os


def add_threads(parser):
    """Adds the option --threads, whose default is the number of processors on which this process may run."""
    parser.add_argument("--threads", type=positive, default=processors(),
                        help="CPU threads (default: %(default)s, the number of available processors)")


def processors():
    """Returns the number of processors on which this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def positive(text):
    """Returns a positive number of threads."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(text)
