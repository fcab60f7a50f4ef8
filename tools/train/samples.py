"""Reads the sample files that `gaur-lab data samples` writes: a header, records of 32 bytes, and a checksum per chunk.

`docs/samples.md` describes the format. The records are memory-mapped.
"""

import os
import struct
import zlib

import numpy
import torch

from decoding import FEATURES, count_pieces, decode_features

OUTPUT_BUCKETS = 8
PIECES_PER_BUCKET = 4
KING_BUCKETS = numpy.zeros(64, numpy.int32)  # the king bucket of each square

# Magic, version, bytes per record, kind, validation share, records, records per chunk, largest number of occurrences of a
# position, checksum of the checksums, checksum of the header.
HEADER = struct.Struct("<8sHHBxHQIII24xI")
MAGIC = b"GAURSAMP"
VERSION = 2
CHECKSUM = numpy.dtype("<u4")

TRAINING, VALIDATION, ORDERED = 1, 2, 3
KINDS = {TRAINING: "training", VALIDATION: "validation", ORDERED: "comparison (--ordered)"}

RECORD = numpy.dtype(
    [
        ("occupied", "<u8"),  # one bit per square, from the perspective of the side to move
        ("codes", "u1", 16),  # a nibble per piece, in the order of the squares
        ("score", "<i2"),  # centipawns, for the side to move
        ("result", "u1"),  # half points of the side to move
        ("king", "u1"),  # square of the side to move's king, from its perspective
        ("opponent_king", "u1"),  # square of the opponent's king, from the opponent's perspective
        ("unused", "u1"),
        ("lambda_return", "<u2"),  # TD(lambda) return for the side to move, 0 to 65535
    ]
)


class Batch:
    """Positions as tensors.

    `features` lists the active features of all accumulators one after the other: first those of the sides to move, then
    those of their opponents. `offsets` holds the start of each accumulator's features.
    """

    def __init__(self, records):
        packed = numpy.ascontiguousarray(records).view(numpy.uint8).reshape(len(records), RECORD.itemsize)
        offsets = numpy.empty(len(records) + 1, numpy.int32)
        count_pieces(packed, offsets)
        features = numpy.empty(2 * offsets[-1], numpy.int32)
        decode_features(packed, KING_BUCKETS, offsets, features)
        self.features = torch.from_numpy(features)
        self.offsets = torch.from_numpy(numpy.concatenate([offsets[:-1], offsets[:-1] + offsets[-1]]))
        self.buckets = torch.from_numpy(output_buckets(numpy.diff(offsets).astype(numpy.int64)))
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


class SampleFile:
    """A sample file of one of the given kinds; ends the program with a message if the file is invalid."""

    def __init__(self, path, *kinds):
        self.path = path
        try:
            with open(path, "rb") as file:
                self.read_header(file.read(HEADER.size), kinds or KINDS)
                size = os.path.getsize(path)
                end = HEADER.size + self.count * RECORD.itemsize
                chunks = -(-self.count // self.per_chunk)
                expected = end + chunks * CHECKSUM.itemsize
                if size != expected:
                    self.fail(f"{size} bytes instead of {expected}")
                file.seek(end)
                checksums = file.read()
        except OSError as error:
            raise SystemExit(f"cannot read {path}: {error}") from None
        if zlib.crc32(checksums) != self.checksum:
            self.fail(f"the checksums from byte {end} on are damaged")
        self.checksums = numpy.frombuffer(checksums, CHECKSUM)
        if self.count == 0:
            raise SystemExit(f"{path} contains no positions")
        self.records = numpy.memmap(path, dtype=RECORD, mode="r", offset=HEADER.size, shape=self.count)

    def read_header(self, header, kinds):
        """Reads the header of a file that must be of one of these kinds."""
        if header[: len(MAGIC)] != MAGIC:
            raise SystemExit(f"{self.path} is not a sample file; `gaur-lab data samples` writes such files")
        if len(header) < HEADER.size:
            self.fail("the header is incomplete")
        values = HEADER.unpack(header)
        _, version, size, self.kind, self.share, self.count, self.per_chunk, _, self.checksum, checksum = values
        if version != VERSION:
            self.fail(f"format version {version}, not {VERSION}")
        if zlib.crc32(header[:-4]) != checksum:
            self.fail("the header is damaged")
        if size != RECORD.itemsize or self.kind not in KINDS or self.per_chunk == 0:
            raise SystemExit(f"{self.path}: unknown values in the header; use the training programs of the same version")
        if self.kind not in kinds:
            wanted = " or ".join(KINDS[kind] for kind in kinds)
            raise SystemExit(f"{self.path} contains samples for {KINDS[self.kind]}, not for {wanted}")

    def fail(self, reason):
        """Ends the program because of a damaged file."""
        raise SystemExit(f"{self.path}: {reason}; write it again with `gaur-lab data samples`")

    def chunk(self, index):
        """Returns the records of a chunk."""
        records = self.records[index * self.per_chunk : (index + 1) * self.per_chunk]
        if zlib.crc32(records) != self.checksums[index]:
            start = HEADER.size + index * self.per_chunk * RECORD.itemsize
            self.fail(f"damaged between byte {start} and byte {start + records.nbytes}")
        return records

    def verified(self):
        """Returns the records after a check of all checksums."""
        for index in range(len(self.checksums)):
            self.chunk(index)
        return self.records

    def description(self):
        """Returns text that identifies the samples."""
        return f"{self.count} positions, checksum {self.checksum:08x}"


def read(path, *kinds):
    """Returns the records of a file of one of these kinds (default: any); ends the program if the file is invalid."""
    return SampleFile(path, *kinds).verified()


class Samples:
    """Training samples and validation samples of other games.

    The validation file has the name of the training file with the extension `validation`. It may be missing.
    """

    def __init__(self, path):
        self.file = SampleFile(path, TRAINING)
        self.records = self.file.verified()
        self.training = self.file.count
        beside = path.with_suffix(".validation")
        self.validation_file = SampleFile(beside, VALIDATION) if beside.exists() else None
        if self.validation_file and self.validation_file.share > self.file.share:
            raise SystemExit(f"{beside} contains games of {path}: its share of the games is larger; write both again")
        self.validation = self.validation_file.count if self.validation_file else 0

    def description(self):
        """Returns text that identifies the training samples."""
        return self.file.description()

    def validation_description(self):
        """Returns text that identifies the validation samples."""
        return self.validation_file.description() if self.validation_file else "none"

    def batches(self, size, generator, first=0):
        """Yields the training set once in random order, in batches of `size` records, starting with batch `first`.

        Records that do not fill a batch are omitted.
        """
        order = generator.permutation(self.training)
        for start in range(first * size, self.training - size + 1, size):
            yield self.records[numpy.sort(order[start : start + size])]

    def validation_batches(self, size):
        """Yields the validation set in batches of at most `size` records."""
        return batches_of(self.validation_file, size) if self.validation_file else iter(())


def batches_of(file, size):
    """Yields the records of a file in batches of at most `size`."""
    records = file.verified()
    for start in range(0, len(records), size):
        yield records[start : start + size]
