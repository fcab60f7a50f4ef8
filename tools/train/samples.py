"""Reads the sample files that `gaur-lab data samples` writes: a header, records of 32 bytes, and a checksum per chunk.

`docs/samples.md` describes the format.
"""

import os
import struct
import zlib

import numpy
import torch

from decoding import FEATURES, count_pieces, decode_features, first_unreadable
from device_decoding import input_matrix
from input_sets import king_bucket_table

OUTPUT_BUCKETS = 8

# Magic, version, bytes per record, kind, validation share, records, records per chunk, largest number of occurrences of a
# position, checksum of the checksums, checksum of the header.
HEADER = struct.Struct("<8sHHBxHQIII24xI")
MAGIC = b"GAURSAMP"
VERSION = 2
CHECKSUM = numpy.dtype("<u4")
MAX_PER_CHUNK = 65_536  # records

TRAINING, VALIDATION, ORDERED = 1, 2, 3
SHARE_UNIT = 10_000  # of validation shares in the header
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
    those of their opponents. `offsets` holds the start of each accumulator's features. A batch on a GPU has a matrix
    `inputs` instead, with a row for each accumulator.

    The records are an array, or a tensor of their bytes. Those of a tensor on a GPU are decoded there.
    """

    def __init__(self, records, king_buckets=1, buckets=OUTPUT_BUCKETS, has_matrix=None):
        records = bytes_of(records)
        if has_matrix is None:
            has_matrix = records.device.type != "cpu"
        if has_matrix:
            self.inputs, pieces = input_matrix(records, king_buckets)
        else:
            self.features, self.offsets, pieces = decode_compiled(records, king_bucket_table(king_buckets))
        self.buckets = output_buckets(pieces, buckets)
        words = records[:, 24:32].contiguous().view(torch.int16)  # score, result and a king, squares, return
        self.score = words[:, 0].float()
        self.result = records[:, 26].float() / 2
        self.lambda_return = (words[:, 3].int() & 0xFFFF).float() / 65535

    def bucket_runs(self):
        """Returns each output bucket with the start and the end of its positions; None if they are not sorted by bucket.

        On a GPU it returns None, because the processor would have to wait for the numbers.
        """
        if self.buckets.device.type != "cpu" or (self.buckets.diff() < 0).any():
            return None
        buckets, counts = torch.unique_consecutive(self.buckets, return_counts=True)
        ends = counts.cumsum(0)
        return list(zip(buckets.tolist(), (ends - counts).tolist(), ends.tolist()))


def bytes_of(records):
    """Returns a tensor of the bytes of records, one row each."""
    if isinstance(records, torch.Tensor):
        return records
    return torch.from_numpy(numpy.ascontiguousarray(records).view(numpy.uint8).reshape(-1, RECORD.itemsize))


def sorted_by_pieces(records):
    """Returns records, a tensor of bytes in the memory of the processor, sorted by the number of pieces."""
    offsets = numpy.empty(len(records) + 1, numpy.int32)
    count_pieces(records.numpy(), offsets)
    return records[torch.from_numpy(numpy.argsort(numpy.diff(offsets), kind="stable"))]


def decode_compiled(records, king_buckets):
    """Returns features, offsets and numbers of pieces of packed positions in the memory of the processor."""
    packed = records.numpy()
    offsets = numpy.empty(len(packed) + 1, numpy.int32)
    count_pieces(packed, offsets)
    features = numpy.empty(2 * offsets[-1], numpy.int32)
    decode_features(packed, king_buckets, offsets, features)
    starts = numpy.concatenate([offsets[:-1], offsets[:-1] + offsets[-1]])
    pieces = numpy.diff(offsets).astype(numpy.int64)
    return tuple(torch.from_numpy(values) for values in (features, starts, pieces))


def output_buckets(pieces, buckets=OUTPUT_BUCKETS):
    """Returns the output buckets for these numbers of pieces: 2 to 33 pieces in equal parts."""
    return (pieces - 2) * buckets // 32


class SampleFile:
    """A sample file of one of the given kinds; ends the program with a message if the file is invalid."""

    def __init__(self, path, *kinds):
        self.path = path
        try:
            self.file = open(path, "rb")
            self.descriptor = self.file.fileno()
            self.read_header(self.file.read(HEADER.size), kinds or KINDS)
            size = os.path.getsize(path)
            end = HEADER.size + self.count * RECORD.itemsize
            chunks = -(-self.count // self.per_chunk)
            expected = end + chunks * CHECKSUM.itemsize
            if size != expected:
                self.fail(f"{size} bytes instead of {expected}")
            self.file.seek(end)
            checksums = self.file.read()
        except (OSError, ValueError) as error:  # ValueError: of a path with a zero byte
            raise SystemExit(f"cannot read {path}: {error}") from None
        if zlib.crc32(checksums) != self.checksum:
            self.fail(f"the checksums from byte {end} on are damaged")
        self.checksums = numpy.frombuffer(checksums, CHECKSUM)
        self.readable = set()  # indices of the chunks whose records have been checked
        if self.count == 0:
            raise SystemExit(f"{path} contains no positions")

    def read_header(self, header, kinds):
        """Reads the header of a file that must be of one of these kinds."""
        if header[: len(MAGIC)] != MAGIC:
            raise SystemExit(f"{self.path} is not a sample file; `gaur-lab data samples` writes such files")
        if len(header) < HEADER.size:
            self.fail(f"the header is incomplete: {len(header)} bytes instead of {HEADER.size}")
        values = HEADER.unpack(header)
        _, version, size, self.kind, self.share, self.count, self.per_chunk, _, self.checksum, checksum = values
        if version != VERSION:
            self.fail(f"format version {version}, not {VERSION}")
        if zlib.crc32(header[:-4]) != checksum:
            self.fail("the header (bytes 0 to 63) is damaged")
        for byte, is_known in ((10, size == RECORD.itemsize), (12, self.kind in KINDS), (24, 0 < self.per_chunk <= MAX_PER_CHUNK)):
            if not is_known:
                raise SystemExit(f"{self.path}: unknown value in byte {byte} of the header; use the training programs of the version that "
                                 "wrote the file, or write it again")
        if self.kind not in kinds:
            wanted = " or ".join(KINDS[kind] for kind in kinds)
            raise SystemExit(f"{self.path} contains samples for {KINDS[self.kind]}, not for {wanted}")

    def fail(self, reason):
        """Ends the program because of a damaged file."""
        raise SystemExit(f"{self.path}: {reason}; write it again with `gaur-lab data samples`")

    def chunk_size(self, index):
        """Returns the number of records of a chunk."""
        return min(self.per_chunk, self.count - index * self.per_chunk)

    def read_chunk(self, index, out):
        """Reads the bytes of a chunk into the array `out` and checks them, without the interpreter lock."""
        start, size = HEADER.size + index * self.per_chunk * RECORD.itemsize, out.nbytes
        view = memoryview(out).cast("B")
        try:
            read = 0
            while read < size:
                count = os.preadv(self.descriptor, [view[read:]], start + read)
                if count == 0:
                    self.fail(f"ends at byte {start + read}")
                read += count
        except OSError as error:
            raise SystemExit(f"cannot read {self.path}: {error}") from None
        if zlib.crc32(view) != self.checksums[index]:
            self.fail(f"damaged between byte {start} and byte {start + size}")
        if index not in self.readable:  # The checksum shows that a chunk has not changed since.
            unreadable = first_unreadable(numpy.frombuffer(view, numpy.uint8).reshape(-1, RECORD.itemsize))
            if unreadable >= 0:
                self.fail(f"record at byte {start + unreadable * RECORD.itemsize}: not a position")
            self.readable.add(index)

    def verified(self):
        """Returns all records after a check of all checksums."""
        return numpy.concatenate([self.chunk(index) for index in range(len(self.checksums))])

    def chunk(self, index):
        """Returns the records of a chunk after a check of its checksum."""
        records = numpy.empty(self.chunk_size(index), RECORD)
        self.read_chunk(index, records)
        return records

    def description(self):
        """Returns text that identifies the samples."""
        return f"{self.count} positions, checksum {self.checksum:08x}"


def read(path, *kinds):
    """Returns the records of a file of one of these kinds (default: any); ends the program if the file is invalid."""
    return SampleFile(path, *kinds).verified()


def batches_of(file, size, count=None):
    """Yields the first `count` records of a file (default: all) in batches of at most `size`."""
    left = file.count if count is None else min(count, file.count)
    for index in range(len(file.checksums)):
        records = file.chunk(index)[:left]
        left -= len(records)
        for start in range(0, len(records), size):
            yield records[start : start + size]
        if left == 0:
            return
