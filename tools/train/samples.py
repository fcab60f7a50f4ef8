"""Positions as `gaur data samples` writes them: a header, then fixed records, read without copying."""

import os
import struct
import zlib

import numpy
import torch

PIECES = 32
PER_SIDE = 384
NO_PIECE = 2 * PER_SIDE
SETS = 8  # of output weights
PIECES_PER_SET = 4

HEADER = struct.Struct("<8sHHIQ40x")  # magic, version, bytes of a record, checksum, number of records
MAGIC = b"GAURSAMP"
VERSION = 1

RECORD = numpy.dtype(
    [
        ("features", "<u2", PIECES),  # in the eyes of the side to move; then NO_PIECE
        ("score", "<i2"),  # centipawns, for the side to move
        ("result", "u1"),  # half points of the side to move
        ("pieces", "u1"),
        ("king", "u1"),  # of the side to move, in its eyes
        ("other_king", "u1"),  # of the other side, in that side's eyes
        ("outlook", "<u2"),  # points to expect as the game went on, 0 to 65535
    ]
)


class Batch:
    """Some positions: the rows of the first layer for the sides to move, then for the others, flat, with where each starts."""

    def __init__(self, records):
        features = records["features"]
        is_piece = features < NO_PIECE
        counts = is_piece.sum(axis=1)
        if len(counts) and counts.min() < 2:
            raise SystemExit("a position has less than two pieces; write the samples anew with `gaur data samples`")
        own = features[is_piece].astype(numpy.int32)
        other = (own + PER_SIDE) % NO_PIECE ^ 56
        own ^= numpy.repeat(mirror(records["king"]), counts)
        other ^= numpy.repeat(mirror(records["other_king"]), counts)
        self.rows = torch.from_numpy(numpy.concatenate([own, other]))
        ends = numpy.cumsum(numpy.concatenate([counts, counts]))
        self.starts = torch.from_numpy(numpy.concatenate([[0], ends[:-1]]).astype(numpy.int32))
        self.sets = torch.from_numpy(sets_of(counts))
        self.score = torch.from_numpy(records["score"].astype(numpy.float32))
        self.outlook = torch.from_numpy(records["outlook"].astype(numpy.float32) / 65535)
        self.result = torch.from_numpy(records["result"].astype(numpy.float32) / 2)

    def to(self, device):
        for name, values in vars(self).items():
            setattr(self, name, values.to(device))
        return self


def sets_of(pieces):
    """The sets of output weights for so many pieces."""
    return numpy.minimum((pieces - 2) // PIECES_PER_SET, SETS - 1)


def mirror(kings):
    """What turns the board left to right for sides whose king stands on the files e to h, and leaves it for others."""
    return numpy.where(kings % 8 >= 4, 7, 0).astype(numpy.int32)


def read(path):
    """The records of a file, and the checksum of them all."""
    try:
        with open(path, "rb") as file:
            header = file.read(HEADER.size)
    except OSError as error:
        raise SystemExit(f"cannot read {path}: {error}") from None
    if len(header) < HEADER.size or header[: len(MAGIC)] != MAGIC:
        raise SystemExit(f"{path} is no file of samples, or not whole; `gaur data samples` writes them")
    _, version, size, checksum, count = HEADER.unpack(header)
    if version != VERSION:
        raise SystemExit(f"{path} is of version {version}, only {VERSION} is known; write it anew with `gaur data samples`")
    if size != RECORD.itemsize:
        raise SystemExit(f"{path} has records of {size} bytes, {RECORD.itemsize} are expected")
    if count == 0:
        raise SystemExit(f"{path} has no positions")
    missing = HEADER.size + count * size - os.path.getsize(path)
    if missing > 0:
        raise SystemExit(f"{path} is cut; write it anew with `gaur data samples`")
    if missing < 0:
        raise SystemExit(f"{path} has more than its header says; mix the games with `gaur data shuffle` and write samples of them")
    records = numpy.memmap(path, dtype=RECORD, mode="r", offset=HEADER.size, shape=count)
    if zlib.crc32(records) != checksum:
        raise SystemExit(f"{path} is damaged; write it anew with `gaur data samples`")
    return records, checksum


class Samples:
    """A file of positions, the last of them set aside for validation.

    Games lie in the file one after the other, so that but for one game the positions set aside are of games that are not
    trained on.
    """

    def __init__(self, path, validation_share):
        self.records, self.checksum = read(path)
        self.validation = int(len(self.records) * validation_share)
        self.training = len(self.records) - self.validation

    def description(self):
        """What tells these samples from others."""
        return f"{len(self.records)} positions, checksum {self.checksum:08x}"

    def batches(self, size, generator, first=0):
        """The records of all positions to train on, once, in random order, from this batch on; what does not fill a batch
        is left out."""
        order = generator.permutation(self.training)
        for start in range(first * size, self.training - size + 1, size):
            yield self.records[numpy.sort(order[start : start + size])]

    def validation_batches(self, size):
        """The records of all positions set aside."""
        for start in range(self.training, len(self.records), size):
            yield self.records[start : start + size]
