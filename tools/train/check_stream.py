"""Checks that batches are streamed completely, in another order in each pass, and from any sample on.

    python3 tools/train/check_stream.py SAMPLES...
"""

import itertools
import pathlib
import sys

import numpy
import torch

from samples import TRAINING, SampleFile
from stream import Store, Stream, packed_batches

BATCH = 100
SEED = [1, 0]


def records_of(store, count, first=0):
    """Returns records of a stream in their order, one row each, from the sample with the number `first` on."""
    batches = itertools.islice(packed_batches(store, BATCH, SEED, first), -(-count // BATCH))
    return torch.cat(list(batches))[:count].numpy()


def occurrences(records):
    """Returns the sorted records."""
    return sorted(map(bytes, records))


def equal(one, other, message):
    """Ends the program with a message unless both arrays are equal."""
    if not numpy.array_equal(one, other):
        raise SystemExit(message)


def main():
    files = [SampleFile(pathlib.Path(path), TRAINING) for path in sys.argv[1:]]
    total = sum(file.count for file in files)
    # Small chunks, so that a pass consists of several groups.
    chunks = numpy.concatenate([file.verified() for file in files]).view(numpy.uint8).reshape(total, -1)
    store = SmallChunks(files, "cpu", chunks)
    stream = records_of(store, 2 * total + 50)
    both = [occurrences(stream[:total].copy()), occurrences(stream[total : 2 * total].copy())]
    for found in both:
        equal(found, occurrences(chunks.copy()), "a pass does not contain each sample once")
    if numpy.array_equal(stream[:total], stream[total : 2 * total]):
        raise SystemExit("two passes have the same order")
    for first in (1, BATCH, total // 2, total - 1, total, total + 1):
        equal(records_of(store, total, first), stream[first : first + total], f"another order from sample {first} on")
    # Chunks that remain on the device, as on a GPU: all, some and none.
    for free in (1 << 40, SmallChunks.SIZE * 32 * 3, 0):
        keeping = SmallChunks(files, "cpu", chunks)
        keeping.keeps, keeping.free = True, free
        equal(records_of(keeping, 2 * total), stream[: 2 * total], "chunks on the device are others than those in the files")
        kept = sum(chunk.numel() for chunk in keeping.kept.values())
        if kept > free or (free and not keeping.kept):
            raise SystemExit(f"{len(keeping.kept)} chunks of {kept} bytes were kept in {free} bytes")
    check_files(files)
    print("streams are complete")


class SmallChunks(Store):
    """The records of sample files in chunks of a few records."""

    SIZE = 16

    def __init__(self, files, device, records):
        super().__init__(files, device)
        self.records = records
        self.sizes = [min(self.SIZE, len(records) - start) for start in range(0, len(records), self.SIZE)]
        self.chunks = self.sizes

    def read(self, numbers):
        return numpy.concatenate([self.records[number * self.SIZE : (number + 1) * self.SIZE] for number in numbers])


def check_files(files):
    """Checks that a thread delivers the batches of files, and reports a damaged chunk."""
    store = Store(files, "cpu")
    stream = Stream(store, BATCH, SEED, decode=None)
    for expected in itertools.islice(packed_batches(store, BATCH, SEED), 5):
        equal(next(stream).numpy(), expected.numpy(), "the thread delivers other batches")
    stream.close()
    files[0].checksums = files[0].checksums + 1
    try:
        next(Stream(store, BATCH, SEED))
    except SystemExit as error:
        if "damaged between byte 64 and byte" not in str(error):
            raise
    else:
        raise SystemExit("a damaged chunk was accepted")


if __name__ == "__main__":
    main()
