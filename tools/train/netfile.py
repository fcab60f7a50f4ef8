"""Networks in whole numbers: the file that the engine reads, and values to the last bit as the engine calculates them.

`docs/network.md` describes the bytes.
"""

import struct
import zlib

import numpy

from samples import NO_PIECE, SETS

ONE = 255  # parts of 1.0 in an accumulator
WEIGHT_ONE = 128  # parts of 1.0 in an output weight
LARGEST_WEIGHTS = (2**31 - 1) // ONE**2  # what the sizes of the weights of one output may add up to
CENTIPAWNS = 200  # of an output of 1.0

HEADER = struct.Struct("<8sHHBBxx32sI12x")
MAGIC = b"GAURNNUE"
VERSION = 1
KING_BUCKETS = 1


def parts(width):
    """The numbers of a network that wide, in the order of the file: name, type, shape."""
    return [
        ("biases", "<i2", (width,)),
        ("rows", "<i2", (NO_PIECE, width)),
        ("weights", "<i2", (SETS, 2, width)),
        ("output_biases", "<i4", (SETS,)),
    ]


def to_bytes(numbers, name):
    """The file of a network."""
    sums = numpy.abs(numbers["weights"].astype(numpy.int64)).sum(axis=(1, 2))
    if sums.max() > LARGEST_WEIGHTS:
        raise ValueError(f"output weights add up to {sums.max()}, more than the engine's sums can hold")
    width = len(numbers["biases"])
    body = b"".join(numbers[part].astype(kind).tobytes() for part, kind, _ in parts(width))
    return HEADER.pack(MAGIC, VERSION, width, KING_BUCKETS, SETS, name.encode(), zlib.crc32(body)) + body


def from_bytes(content):
    """The numbers in a file, and their checksum; a ValueError says what is wrong with it."""
    if len(content) < HEADER.size:
        raise ValueError("no network of Gaur")
    magic, version, width, buckets, sets, _, checksum = HEADER.unpack_from(content)
    if magic != MAGIC:
        raise ValueError("no network of Gaur")
    if (version, buckets, sets) != (VERSION, KING_BUCKETS, SETS):
        raise ValueError("a network of another version or shape")
    if zlib.crc32(content[HEADER.size :]) != checksum:
        raise ValueError("damaged")
    numbers, start = {}, HEADER.size
    for part, kind, shape in parts(width):
        count = int(numpy.prod(shape))
        numbers[part] = numpy.frombuffer(content, kind, count, start).reshape(shape)
        start += numbers[part].nbytes
    return numbers, checksum


def read(path):
    """The numbers in the file at a path, and their checksum; ends the program if they cannot be had."""
    try:
        return from_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SystemExit(f"cannot read {path}: {error}") from None


def exact_values(numbers, batch):
    """Centipawns for the side to move."""
    rows, starts, sets = batch.rows.numpy(), batch.starts.numpy(), batch.sets.numpy()
    accumulators = numpy.add.reduceat(numbers["rows"].astype(numpy.int64)[rows], starts) + numbers["biases"]
    hidden = numpy.clip(accumulators, 0, ONE) ** 2
    own, other = numpy.split(hidden, 2)
    weights = numbers["weights"].astype(numpy.int64)[sets]
    sums = (own * weights[:, 0] + other * weights[:, 1]).sum(axis=1)
    values = towards_zero(sums, ONE) + numbers["output_biases"][sets]
    return towards_zero(values * CENTIPAWNS, ONE * WEIGHT_ONE)


def towards_zero(values, divisor):
    """Whole numbers divided as the engine divides them."""
    return numpy.sign(values) * (numpy.abs(values) // divisor)
