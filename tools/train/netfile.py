"""Reads and writes the engine's network files and computes exactly the scores that the engine computes.

`docs/network-format.md` describes the format.
"""

import struct
import typing
import zlib

import numpy

from decoding import FEATURES

ACCUMULATOR_SCALE = 255  # the integer for 1.0 in an accumulator
HIDDEN = (16, 32)  # neurons of the hidden layers that the engine computes
HIDDEN_WIDTHS = 128  # neurons per accumulator before hidden layers are a multiple of it
PRODUCT_BITS = 9  # that a product of two clipped values of an accumulator loses
FIRST_WEIGHT_SCALE = 64  # the integer for 1.0 in a weight of the first hidden layer
SECOND_WEIGHT_SCALE = 512  # in a weight of the second hidden layer, and in an output weight after hidden layers
HIDDEN_SUM_SCALE = ACCUMULATOR_SCALE**2 * FIRST_WEIGHT_SCALE  # in a sum of the second layer, and in the output
MAX_ACTIVATION = HIDDEN_SUM_SCALE // SECOND_WEIGHT_SCALE  # of a hidden layer
SQUARE_BITS = 13  # that the square of an activation loses
MAX_FIRST_BIAS = 2**30  # absolute bias of the first hidden layer; its sums then fit into 32 bits
OUTPUT_WEIGHT_SCALE = 128  # the integer for 1.0 in an output weight of the default architecture
MAX_OUTPUT_WEIGHT_SUM = (2**31 - 1) // ACCUMULATOR_SCALE**2  # absolute weights per bucket; sums then fit into 32 bits
OUTPUT_CENTIPAWNS = 200  # score of an output of 1.0 of the default architecture
SQUARES = 64

# Magic, version, neurons, king buckets, output buckets, board, kind of output, name, checksum, and only in version 2:
# accumulator scale, output weight scale, centipawns of an output of 1.0, neurons of the hidden layers. In version 2, the king
# buckets follow.
HEADER = struct.Struct("<8sHHBBBB32sIHHHBB4x")
SINGLE_OUTPUT, HIDDEN_OUTPUT = 0, 1  # kinds of output
MAGIC = b"GAURNNUE"
CHECKSUM_START, CHECKSUM_END = 48, 52


class Architecture(typing.NamedTuple):
    """Sizes, input features and scales of a network. The defaults are the only ones that version 1 can express."""

    neurons: int = 512
    king_buckets: tuple = (0,) * SQUARES  # of each square of the own king, from the perspective of its side
    is_mirrored: bool = True  # while the own king stands on files e to h
    output_buckets: int = 8
    output_weight_scale: int = OUTPUT_WEIGHT_SCALE
    output_centipawns: int = OUTPUT_CENTIPAWNS
    hidden: tuple = ()  # neurons of hidden layers

    @property
    def king_bucket_count(self):
        return max(self.king_buckets) + 1

    @property
    def version(self):
        """The lowest version of the format that can express this architecture."""
        plain = Architecture(neurons=self.neurons, output_buckets=self.output_buckets)
        return 1 if self == plain else 2

    def check(self):
        """Raises a ValueError if the engine does not compute the hidden layers."""
        if self.hidden and self.hidden != HIDDEN:
            raise ValueError(f"hidden layers of {list(self.hidden)} neurons; the engine computes {list(HIDDEN)}")
        if self.hidden and self.neurons % HIDDEN_WIDTHS:
            raise ValueError(f"{self.neurons} neurons per accumulator before hidden layers; "
                             f"the engine computes multiples of {HIDDEN_WIDTHS}")
        if self.hidden and self.output_weight_scale != SECOND_WEIGHT_SCALE:
            raise ValueError(f"output weight scale {self.output_weight_scale} after hidden layers")

    def output_bucket(self, pieces):
        """Returns the output buckets for these numbers of pieces."""
        return numpy.minimum((pieces - 2) * self.output_buckets // 32, self.output_buckets - 1)


DEFAULT_ARCHITECTURE = Architecture()


class Parameters(dict):
    """Integer parameters of a network by name, and its architecture."""

    def __init__(self, parameters, architecture):
        super().__init__(parameters)
        self.architecture = architecture


def layout(architecture):
    """Returns name, type and size of the parameters of a network in the order of the file."""
    neurons, buckets = architecture.neurons, architecture.output_buckets
    accumulators = [
        ("biases", "<i2", (neurons,)),
        ("feature_weights", "<i2", (architecture.king_bucket_count * FEATURES, neurons)),
    ]
    if architecture.hidden:
        first, second = architecture.hidden
        return accumulators + [
            ("hidden_1_weights", "i1", (buckets, first, neurons)),
            ("hidden_1_biases", "<i4", (buckets, first)),
            ("hidden_2_weights", "<i2", (buckets, second, 2 * first)),
            ("hidden_2_biases", "<i4", (buckets, second)),
            ("output_weights", "<i2", (buckets, second)),
            ("output_biases", "<i4", (buckets,)),
        ]
    return accumulators + [
        ("output_weights", "<i2", (buckets, 2, neurons)),
        ("output_biases", "<i4", (buckets,)),
    ]


def to_bytes(parameters, name, architecture=None):
    """Returns the file content of a network with these quantised parameters.

    Without `architecture`, it is that of the parameters, or the default architecture with as many neurons as they have.
    """
    architecture = architecture or getattr(parameters, "architecture", None) or Architecture(neurons=len(parameters["biases"]))
    architecture.check()
    check_limits(parameters, architecture)
    body = b"".join(integers(parameters[part], kind, part).reshape(size).tobytes() for part, kind, size in layout(architecture))
    version, scales = architecture.version, (0, 0, 0)
    if version == 2:
        scales = (ACCUMULATOR_SCALE, architecture.output_weight_scale, architecture.output_centipawns)
        body = bytes(architecture.king_buckets) + body
    mirrored = int(version == 2 and architecture.is_mirrored)

    def header(checksum):
        sizes = (architecture.neurons, architecture.king_bucket_count, architecture.output_buckets)
        kind = HIDDEN_OUTPUT if architecture.hidden else SINGLE_OUTPUT
        return HEADER.pack(MAGIC, version, *sizes, mirrored, kind, name.encode(), checksum, *scales, *(architecture.hidden or (0, 0)))

    return header(checksum_of(version, header(0) + body)) + body


def integers(values, kind, part):
    """Returns the values as integers of this type; raises a ValueError if they do not fit into it."""
    values, limits = numpy.asarray(values), numpy.iinfo(kind)
    if values.min() < limits.min or values.max() > limits.max:
        raise ValueError(f"{part} from {values.min()} to {values.max()} do not fit into {limits.bits} bits")
    return values.astype(kind)


def check_limits(parameters, architecture):
    """Raises a ValueError if a sum in the engine could overflow."""
    size = lambda part: numpy.abs(parameters[part].astype(numpy.int64))
    if not architecture.hidden:
        sums = size("output_weights").sum(axis=(1, 2))
        if sums.max() > MAX_OUTPUT_WEIGHT_SUM:
            raise ValueError(f"the absolute output weights of a bucket add up to {sums.max()}, more than {MAX_OUTPUT_WEIGHT_SUM}")
        return
    if size("hidden_1_biases").max() > MAX_FIRST_BIAS:
        raise ValueError("the biases of hidden layer 1 are too large")
    for layer in ("hidden_2", "output"):
        if (size(f"{layer}_weights").sum(axis=-1) * MAX_ACTIVATION + size(f"{layer}_biases")).max() >= 2**31:
            raise ValueError(f"the weights and biases of {layer} are too large")


def checksum_of(version, content):
    """Returns the checksum of a network file: of the parameters, or in version 2 of everything but the checksum."""
    if version == 1:
        return zlib.crc32(content[HEADER.size :])
    return zlib.crc32(content[CHECKSUM_END:], zlib.crc32(content[:CHECKSUM_START]))


def from_bytes(content):
    """Returns the integer parameters of a network file and their checksum; raises a ValueError if it is invalid."""
    if len(content) < HEADER.size or not content.startswith(MAGIC):
        raise ValueError("not a network of Gaur")
    _, version, neurons, king_buckets, output_buckets, mirrored, kind, _, checksum, *scales, first, second = HEADER.unpack_from(content)
    start = HEADER.size
    if version == 1:
        architecture = Architecture(neurons=neurons, output_buckets=output_buckets)
    elif version == 2:
        start += SQUARES
        table = tuple(content[HEADER.size : start])
        hidden = (first, second) if kind == HIDDEN_OUTPUT else ()
        architecture = Architecture(neurons, table, mirrored == 1, output_buckets, *scales[1:], hidden)
    else:
        raise ValueError(f"version {version} of the network format")
    is_known = kind in (SINGLE_OUTPUT, HIDDEN_OUTPUT)[:version] and (version == 1 or (scales[0] == ACCUMULATOR_SCALE and len(table) == SQUARES))
    if not is_known or neurons == 0 or output_buckets == 0 or king_buckets != architecture.king_bucket_count:
        raise ValueError("a network with another architecture")
    architecture.check()
    if checksum_of(version, content) != checksum:
        raise ValueError("damaged")
    parameters = {}
    for part, kind, size in layout(architecture):
        count = int(numpy.prod(size))
        parameters[part] = numpy.frombuffer(content, kind, count, start).reshape(size)
        start += parameters[part].nbytes
    if start != len(content):
        raise ValueError("longer than its network")
    return Parameters(parameters, architecture), checksum


def read(path):
    """Returns the integer parameters of a network file and their checksum; ends the program if the file is invalid."""
    try:
        return from_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SystemExit(f"cannot read {path}: {error}") from None


def engine_scores(parameters, batch):
    """Returns the scores in centipawns, for the side to move, that the engine computes for a batch.

    The features of the batch must be those of the architecture of the parameters.
    """
    features, offsets, buckets = batch.features.numpy(), batch.offsets.numpy(), batch.buckets.numpy()
    return scores(parameters, features, offsets, buckets)


def scores(parameters, features, offsets, buckets):
    """Returns the scores for positions with these features, offsets of their accumulators, and output buckets.

    The accumulators are those of the sides to move, then those of their opponents.
    """
    architecture = getattr(parameters, "architecture", DEFAULT_ARCHITECTURE)
    feature_weights = parameters["feature_weights"].astype(numpy.int64)
    accumulators = numpy.add.reduceat(feature_weights[features], offsets) + parameters["biases"]
    clipped = numpy.clip(accumulators, 0, ACCUMULATOR_SCALE)
    if architecture.hidden:
        outputs, scale = hidden_outputs(parameters, clipped, buckets), HIDDEN_SUM_SCALE
    else:
        outputs, scale = single_outputs(parameters, clipped, buckets), ACCUMULATOR_SCALE * architecture.output_weight_scale
    return truncating_division(outputs * architecture.output_centipawns, scale)


def single_outputs(parameters, clipped, buckets):
    """Returns the outputs of a network without hidden layers for clipped accumulators."""
    own, opponent = numpy.split(clipped**2, 2)
    output_weights = parameters["output_weights"].astype(numpy.int64)[buckets]
    sums = (own * output_weights[:, 0] + opponent * output_weights[:, 1]).sum(axis=1)
    return truncating_division(sums, ACCUMULATOR_SCALE) + parameters["output_biases"][buckets]


def hidden_outputs(parameters, clipped, buckets):
    """Returns the outputs of a network with hidden layers for clipped accumulators."""
    low, high = numpy.split(clipped, 2, axis=1)
    inputs = numpy.concatenate(numpy.split((low * high) >> PRODUCT_BITS, 2), axis=1)
    first = numpy.clip(layer_sums(parameters, "hidden_1", inputs, buckets), 0, MAX_ACTIVATION)
    both = numpy.concatenate([first, first**2 >> SQUARE_BITS], axis=1)
    sums = numpy.clip(layer_sums(parameters, "hidden_2", both, buckets), 0, HIDDEN_SUM_SCALE)
    second = sums // SECOND_WEIGHT_SCALE
    weights = parameters["output_weights"].astype(numpy.int64)[buckets]
    return (second * weights).sum(axis=1) + parameters["output_biases"][buckets]


def layer_sums(parameters, layer, inputs, buckets):
    """Returns the sums of the neurons of a hidden layer."""
    weights, biases = parameters[f"{layer}_weights"].astype(numpy.int64), parameters[f"{layer}_biases"]
    sums = numpy.empty((len(buckets), biases.shape[1]), numpy.int64)
    for bucket in numpy.unique(buckets):
        chosen = buckets == bucket
        sums[chosen] = inputs[chosen] @ weights[bucket].T + biases[bucket]
    return sums


def truncating_division(values, divisor):
    """Divides integers and rounds towards zero, as the engine does."""
    return numpy.sign(values) * (numpy.abs(values) // divisor)
