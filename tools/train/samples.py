"""Reads the samples that `gaur-lab data samples` writes: a header, then records of fixed size.

`docs/data.md` describes the format. The records are memory-mapped.
"""

import os
import struct
import zlib

import numpy
import torch

MAX_PIECES = 32
FEATURES_PER_OWNER = 384
FEATURES = 2 * FEATURES_PER_OWNER  # per perspective; as a feature of a record: no piece
OUTPUT_BUCKETS = 8
PIECES_PER_BUCKET = 4

HEADER = struct.Struct("<8sHHIQ40x")  # magic, version, bytes per record, checksum, number of records
MAGIC = b"GAURSAMP"
VERSION = 1

RECORD = numpy.dtype(
    [
        ("features", "<u2", MAX_PIECES),  # from the perspective of the side to move, padded with FEATURES
        ("score", "<i2"),  # centipawns, for the side to move
        ("result", "u1"),  # half points of the side to move
        ("pieces", "u1"),  # number of pieces on the board
        ("king", "u1"),  # square of the side to move's king, from its perspective
        ("opponent_king", "u1"),  # square of the opponent's king, from the opponent's perspective
        ("lambda_return", "<u2"),  # TD(lambda) return for the side to move, 0 to 65535
    ]
)


class Batch:
    """Positions as tensors.

    `features` lists the active features of all accumulators one after the other: first those of the sides to move, then
    those of their opponents. `offsets` holds the start of each accumulator's features.
    """

    def __init__(self, records):
        features = records["features"]
        is_piece = features < FEATURES
        counts = is_piece.sum(axis=1)
        if len(counts) and counts.min() < 2:
            raise SystemExit("a position has fewer than two pieces; write the samples again with `gaur-lab data samples`")
        own = features[is_piece].astype(numpy.int32)
        opponent = (own + FEATURES_PER_OWNER) % FEATURES ^ 56
        own ^= numpy.repeat(mirror_mask(records["king"]), counts)
        opponent ^= numpy.repeat(mirror_mask(records["opponent_king"]), counts)
        self.features = torch.from_numpy(numpy.concatenate([own, opponent]))
        ends = numpy.cumsum(numpy.concatenate([counts, counts]))
        self.offsets = torch.from_numpy(numpy.concatenate([[0], ends[:-1]]).astype(numpy.int32))
        self.buckets = torch.from_numpy(output_buckets(counts))
        self.score = torch.from_numpy(records["score"].astype(numpy.float32))
        self.lambda_return = torch.from_numpy(records["lambda_return"].astype(numpy.float32) / 65535)
        self.result = torch.from_numpy(records["result"].astype(numpy.float32) / 2)

    def to(self, device):
        for name, tensor in vars(self).items():
            setattr(self, name, tensor.to(device))
        return self


def output_buckets(pieces):
    """Returns the output buckets for these numbers of pieces."""
    return numpy.minimum((pieces - 2) // PIECES_PER_BUCKET, OUTPUT_BUCKETS - 1)


def mirror_mask(kings):
    """Returns the masks whose XOR mirrors features if the king stands on files e to h; otherwise 0."""
    return numpy.where(kings % 8 >= 4, 7, 0).astype(numpy.int32)


def read(path):
    """Returns the records of a file and their checksum; ends the program with a message if the file is invalid."""
    try:
        with open(path, "rb") as file:
            header = file.read(HEADER.size)
    except OSError as error:
        raise SystemExit(f"cannot read {path}: {error}") from None
    if len(header) < HEADER.size or header[: len(MAGIC)] != MAGIC:
        raise SystemExit(f"{path} is not a file of samples, or is incomplete; `gaur-lab data samples` writes such files")
    _, version, size, checksum, count = HEADER.unpack(header)
    if version != VERSION:
        raise SystemExit(f"{path} has version {version}, not {VERSION}; write it again with `gaur-lab data samples`")
    if size != RECORD.itemsize:
        raise SystemExit(f"{path} has records of {size} bytes, not {RECORD.itemsize}")
    if count == 0:
        raise SystemExit(f"{path} contains no positions")
    missing = HEADER.size + count * size - os.path.getsize(path)
    if missing > 0:
        raise SystemExit(f"{path} is truncated; write it again with `gaur-lab data samples`")
    if missing < 0:
        raise SystemExit(
            f"{path} is longer than its header states; combine files of games with `gaur-lab data shuffle` and write samples of "
            "the result"
        )
    records = numpy.memmap(path, dtype=RECORD, mode="r", offset=HEADER.size, shape=count)
    if zlib.crc32(records) != checksum:
        raise SystemExit(f"{path} is damaged; write it again with `gaur-lab data samples`")
    return records, checksum


class Samples:
    """A file of samples, split into a training set and a validation set.

    The validation set is the end of the file. A file contains whole games one after the other, so at most one game has
    positions in both sets.
    """

    def __init__(self, path, validation_share):
        self.records, self.checksum = read(path)
        self.validation = int(len(self.records) * validation_share)
        self.training = len(self.records) - self.validation

    def description(self):
        """Returns text that identifies the samples."""
        return f"{len(self.records)} positions, checksum {self.checksum:08x}"

    def batches(self, size, generator, first=0):
        """Yields the training set once in random order, in batches of `size` records, starting with batch `first`.

        Records that do not fill a batch are omitted.
        """
        order = generator.permutation(self.training)
        for start in range(first * size, self.training - size + 1, size):
            yield self.records[numpy.sort(order[start : start + size])]

    def validation_batches(self, size):
        """Yields the validation set in batches of at most `size` records."""
        for start in range(self.training, len(self.records), size):
            yield self.records[start : start + size]
