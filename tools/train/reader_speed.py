"""Measures how many samples per second the reader delivers: read, checked, mixed and decoded.

    python3 tools/train/reader_speed.py SAMPLES...
"""

import argparse
import pathlib
import time

import requirements  # before packages that may be missing

from samples import TRAINING, SampleFile
from stream import Store, Stream

BATCH = 16384
SECONDS = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path, nargs="+", help="training samples")
    return parser.parse_args()


def main():
    files = [SampleFile(path, TRAINING) for path in arguments().samples]
    stream = Stream(Store(files, "cpu"), BATCH, [1])
    next(stream)  # compiles
    start, processor, count = time.monotonic(), time.process_time(), 0
    while time.monotonic() - start < SECONDS:
        next(stream)
        count += BATCH
    seconds, processor = time.monotonic() - start, time.process_time() - processor
    stream.close()
    print(f"{count / seconds:,.0f} samples/s, {count / processor:,.0f} per second of processor time")


if __name__ == "__main__":
    main()
