"""Measures how many samples per second the reader delivers: read, checked, mixed and decoded.

    python3 tools/train/reader_speed.py SAMPLES...
"""

import pathlib
import sys
import time

from samples import TRAINING, SampleFile
from stream import Store, Stream

BATCH = 16384
SECONDS = 10


def main():
    stream = Stream(Store([SampleFile(pathlib.Path(path), TRAINING) for path in sys.argv[1:]], "cpu"), BATCH, [1])
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
