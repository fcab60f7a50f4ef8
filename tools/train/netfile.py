"""Reads and writes the engine's network files and computes exactly the scores that the engine computes.

`docs/network.md` describes the format.
"""

import struct
import zlib

import numpy

from decoding import FEATURES
from samples import OUTPUT_BUCKETS

ACCUMULATOR_SCALE = 255  # the integer for 1.0 in an accumulator
OUTPUT_WEIGHT_SCALE = 128  # the integer for 1.0 in an output weight
MAX_OUTPUT_WEIGHT_SUM = (2**31 - 1) // ACCUMULATOR_SCALE**2  # absolute weights per bucket; sums then fit into 32 bits
OUTPUT_CENTIPAWNS = 200  # score of an output of 1.0

HEADER = struct.Struct("<8sHHBBxx32sI12x")  # magic, version, neurons, king buckets, output buckets, name, checksum
MAGIC = b"GAURNNUE"
VERSION = 1
KING_BUCKETS = 1


def layout(neurons):
    """Returns name, type and shape of the parameters of a network in the order of the file."""
    return [
        ("biases", "<i2", (neurons,)),
        ("feature_weights", "<i2", (FEATURES, neurons)),
        ("output_weights", "<i2", (OUTPUT_BUCKETS, 2, neurons)),
        ("output_biases", "<i4", (OUTPUT_BUCKETS,)),
    ]


def to_bytes(parameters, name):
    """Returns the file content of a network with these quantised parameters."""
    sums = numpy.abs(parameters["output_weights"].astype(numpy.int64)).sum(axis=(1, 2))
    if sums.max() > MAX_OUTPUT_WEIGHT_SUM:
        raise ValueError(f"the absolute output weights of a bucket add up to {sums.max()}, more than {MAX_OUTPUT_WEIGHT_SUM}")
    neurons = len(parameters["biases"])
    body = b"".join(parameters[part].astype(kind).tobytes() for part, kind, _ in layout(neurons))
    return HEADER.pack(MAGIC, VERSION, neurons, KING_BUCKETS, OUTPUT_BUCKETS, name.encode(), zlib.crc32(body)) + body


def from_bytes(content):
    """Returns the integer parameters of a network file and their checksum; raises a ValueError if it is invalid."""
    if len(content) < HEADER.size:
        raise ValueError("not a network of Gaur")
    magic, version, neurons, king_buckets, output_buckets, _, checksum = HEADER.unpack_from(content)
    if magic != MAGIC:
        raise ValueError("not a network of Gaur")
    if (version, king_buckets, output_buckets) != (VERSION, KING_BUCKETS, OUTPUT_BUCKETS):
        raise ValueError("a network with another format version or architecture")
    if zlib.crc32(content[HEADER.size :]) != checksum:
        raise ValueError("damaged")
    parameters, start = {}, HEADER.size
    for part, kind, shape in layout(neurons):
        count = int(numpy.prod(shape))
        parameters[part] = numpy.frombuffer(content, kind, count, start).reshape(shape)
        start += parameters[part].nbytes
    return parameters, checksum


def read(path):
    """Returns the integer parameters of a network file and their checksum; ends the program if the file is invalid."""
    try:
        return from_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SystemExit(f"cannot read {path}: {error}") from None


def engine_scores(parameters, batch):
    """Returns the scores in centipawns, for the side to move, that the engine computes for a batch."""
    features, offsets, buckets = batch.features.numpy(), batch.offsets.numpy(), batch.buckets.numpy()
    feature_weights = parameters["feature_weights"].astype(numpy.int64)
    accumulators = numpy.add.reduceat(feature_weights[features], offsets) + parameters["biases"]
    own, opponent = numpy.split(numpy.clip(accumulators, 0, ACCUMULATOR_SCALE) ** 2, 2)
    output_weights = parameters["output_weights"].astype(numpy.int64)[buckets]
    sums = (own * output_weights[:, 0] + opponent * output_weights[:, 1]).sum(axis=1)
    outputs = truncating_division(sums, ACCUMULATOR_SCALE) + parameters["output_biases"][buckets]
    return truncating_division(outputs * OUTPUT_CENTIPAWNS, ACCUMULATOR_SCALE * OUTPUT_WEIGHT_SCALE)


def truncating_division(values, divisor):
    """Divides integers and rounds towards zero, as the engine does."""
    return numpy.sign(values) * (numpy.abs(values) // divisor)
