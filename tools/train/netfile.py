"""Reads and writes the engine's network files and computes exactly the scores that the engine computes.

`docs/network-format.md` describes the format.
"""

import struct
import typing
import unicodedata
import zlib

import numpy

from decoding import FEATURES

NEURONS = (64, 128, 256, 512, 768, 1024, 1280, 1536)  # per accumulator, for which the engine is compiled
MAX_KING_BUCKETS = 32
MAX_OUTPUT_BUCKETS = 8
MAX_OUTPUT_CENTIPAWNS = 1000
MAX_PIECES = 32  # of a position
ACCUMULATOR_SCALE = 255  # the integer for 1.0 in an accumulator
MAX_ACCUMULATOR = 2**15 - 1
HIDDEN = (16, 32)  # neurons of the hidden layers that the engine computes
HIDDEN_WIDTHS = 128  # neurons per accumulator before hidden layers are a multiple of it
PRODUCT_BITS = 9  # that a product of two clipped values of an accumulator loses
PRODUCT_STEP = 2**PRODUCT_BITS / ACCUMULATOR_SCALE**2  # value of the integer 1 in such a product
FIRST_WEIGHT_SCALE = 64  # the integer for 1.0 in a weight of the first hidden layer
SECOND_WEIGHT_SCALE = 512  # in a weight of the second hidden layer, and in an output weight after hidden layers
HIDDEN_SUM_SCALE = ACCUMULATOR_SCALE**2 * FIRST_WEIGHT_SCALE  # in a sum of the second layer, and in the output
MAX_ACTIVATION = HIDDEN_SUM_SCALE // SECOND_WEIGHT_SCALE  # of a hidden layer
SQUARE_BITS = 13  # that the square of an activation loses
MAX_FIRST_BIAS = 2**30  # absolute bias of the first hidden layer; its sums then fit into 32 bits
OUTPUT_WEIGHT_SCALE = 128  # the integer for 1.0 in an output weight of the default architecture
OUTPUT_WEIGHT_SCALES = (64, OUTPUT_WEIGHT_SCALE)  # without hidden layers
MAX_OUTPUT_WEIGHT = 128  # absolute output weight without hidden layers; its products then fit into 16 bits
MAX_OUTPUT_WEIGHT_SUM = (2**31 - 1) // ACCUMULATOR_SCALE**2  # absolute weights per bucket; sums then fit into 32 bits
OUTPUT_CENTIPAWNS = 200  # score of an output of 1.0 of the default architecture
SQUARES = 64

# Magic, version, neurons, king buckets, output buckets, board, kind of output, name, checksum, and only in version 2:
# accumulator scale, output weight scale, centipawns of an output of 1.0, neurons of the hidden layers, zeros. In
# version 2, the king buckets follow.
HEADER = struct.Struct("<8sHHBBBB32sIHHHBB4s")
ZEROS = bytes(4)
SINGLE_OUTPUT, HIDDEN_OUTPUT = 0, 1  # kinds of output
MAGIC = b"GAURNNUE"
CHECKSUM_START, CHECKSUM_END = 48, 52
MAX_NAME_BYTES = 31
REPAIR = "copy the file again from where it was written"


class Architecture(typing.NamedTuple):
    """Sizes, input features and scales of a network. The defaults are the only ones that version 1 can express."""

    neurons: int = 512
    king_buckets: tuple = (0,) * SQUARES  # of each square of the own king, from the perspective of its side
    is_mirrored: bool = True  # while the own king stands on files e to h
    output_buckets: int = 8
    output_weight_scale: int = OUTPUT_WEIGHT_SCALE
    output_centipawns: int = OUTPUT_CENTIPAWNS
    hidden: tuple = ()  # neurons of hidden layers
    unused_king_buckets: int = 0  # after those of the squares; the file contains their weights

    @property
    def king_bucket_count(self):
        return max(self.king_buckets) + 1 + self.unused_king_buckets

    @property
    def version(self):
        """The lowest version of the format that can express this architecture."""
        plain = Architecture(neurons=self.neurons, output_buckets=self.output_buckets)
        return 1 if self == plain else 2

    def check(self):
        """Raises a ValueError if the engine does not compute networks of this architecture."""
        listed = lambda values: ", ".join(map(str, values))
        require(self.neurons in NEURONS, f"{self.neurons} neurons per accumulator", listed(NEURONS))
        is_valid = 1 <= self.output_buckets <= MAX_OUTPUT_BUCKETS
        require(is_valid, f"{self.output_buckets} output buckets", f"1 to {MAX_OUTPUT_BUCKETS}")
        is_valid = 1 <= self.output_centipawns <= MAX_OUTPUT_CENTIPAWNS
        require(is_valid, f"{self.output_centipawns} centipawns for an output of 1.0", f"1 to {MAX_OUTPUT_CENTIPAWNS}")
        if self.hidden:
            require(self.hidden == HIDDEN, f"hidden layers of {list(self.hidden)} neurons", f"{list(HIDDEN)}")
            is_valid = self.neurons % HIDDEN_WIDTHS == 0
            require(is_valid, f"{self.neurons} neurons per accumulator before hidden layers", f"multiples of {HIDDEN_WIDTHS}")
            is_valid = self.output_weight_scale == SECOND_WEIGHT_SCALE
            require(is_valid, f"output weight scale {self.output_weight_scale} after hidden layers", SECOND_WEIGHT_SCALE)
        else:
            is_valid = self.output_weight_scale in OUTPUT_WEIGHT_SCALES
            require(is_valid, f"output weight scale {self.output_weight_scale}", listed(OUTPUT_WEIGHT_SCALES))
        self.check_king_buckets()

    def check_king_buckets(self):
        """Raises a ValueError if the engine does not accept the king buckets."""
        table = self.king_buckets
        is_valid = len(table) == SQUARES and min(table) >= 0 and self.unused_king_buckets >= 0
        require(is_valid, "an incomplete table of king buckets", f"{SQUARES} numbers")
        require(self.king_bucket_count <= MAX_KING_BUCKETS, f"{self.king_bucket_count} king buckets", f"1 to {MAX_KING_BUCKETS}")
        is_valid = not self.is_mirrored or all(table[square] == table[square ^ 7] for square in range(SQUARES))
        require(is_valid, "other king buckets for mirror images of squares", "the same ones on a mirrored board")

    def output_bucket(self, pieces):
        """Returns the output buckets for these numbers of pieces."""
        return numpy.minimum((pieces - 2) * self.output_buckets // 32, self.output_buckets - 1)


def require(condition, found, accepted):
    """Raises a ValueError unless the condition holds."""
    if not condition:
        raise ValueError(f"{found}; the engine accepts {accepted}")


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
    require(is_name(name), f"the name {name!r}", f"at most {MAX_NAME_BYTES} bytes without control characters")
    architecture.check()
    check_limits(parameters, architecture)
    body = b"".join(integers(parameters[part], of, part).reshape(size).tobytes() for part, of, size in layout(architecture))
    version, scales = architecture.version, (0, 0, 0)
    if version == 2:
        scales = (ACCUMULATOR_SCALE, architecture.output_weight_scale, architecture.output_centipawns)
        body = bytes(architecture.king_buckets) + body
    mirrored = int(version == 2 and architecture.is_mirrored)

    def header(checksum):
        sizes = (architecture.neurons, architecture.king_bucket_count, architecture.output_buckets)
        kind = HIDDEN_OUTPUT if architecture.hidden else SINGLE_OUTPUT
        hidden = architecture.hidden or (0, 0)
        return HEADER.pack(MAGIC, version, *sizes, mirrored, kind, name.encode(), checksum, *scales, *hidden, ZEROS)

    return header(checksum_of(version, header(0) + body)) + body


def is_name(text):
    """Returns whether a network can have this name."""
    try:
        return len(text.encode()) <= MAX_NAME_BYTES and not any(map(is_control, text))
    except UnicodeEncodeError:  # of a command line that is not UTF-8
        return False


def is_control(character):
    """Returns whether a character is a control character, which could change what a terminal shows."""
    return unicodedata.category(character) == "Cc"


def integers(values, of, part):
    """Returns the values as integers of the type `of`; raises a ValueError if they do not fit into it."""
    values, limits = numpy.asarray(values), numpy.iinfo(of)
    if values.min() < limits.min or values.max() > limits.max:
        raise ValueError(f"{part} from {values.min()} to {values.max()} do not fit into {limits.bits} bits")
    return values.astype(of)


def check_limits(parameters, architecture):
    """Raises a ValueError if a sum in the engine could overflow."""
    check_accumulators(parameters, architecture)
    size = lambda part: numpy.abs(parameters[part].astype(numpy.int64))
    if not architecture.hidden:
        weights = size("output_weights")
        bucket, side, neuron = position_of_largest(weights)
        perspective = ("the side to move", "the opponent")[side]
        place = f"the absolute output weight of neuron {neuron} of {perspective} in output bucket {bucket} is"
        require_limit(weights.max(), MAX_OUTPUT_WEIGHT, place)
        sums = weights.sum(axis=(1, 2))
        place = f"the absolute output weights of output bucket {sums.argmax()} add up to"
        require_limit(sums.max(), MAX_OUTPUT_WEIGHT_SUM, place)
        return
    biases = size("hidden_1_biases")
    bucket, neuron = position_of_largest(biases)
    place = f"the absolute bias of neuron {neuron} of hidden layer 1 in output bucket {bucket} is"
    require_limit(biases.max(), MAX_FIRST_BIAS, place)
    for layer, place in (("hidden_2", "neuron {} of hidden layer 2"), ("output", "the output")):
        sums = size(f"{layer}_weights").sum(axis=-1) * MAX_ACTIVATION + size(f"{layer}_biases")
        bucket, *neuron = position_of_largest(sums)
        place = f"the weights and the bias of {place.format(*neuron)} in output bucket {bucket} allow a sum of"
        require_limit(sums.max(), 2**31 - 1, place)


def position_of_largest(values):
    """Returns the position of the largest value of an array, a number for each dimension."""
    return tuple(map(int, numpy.unravel_index(values.argmax(), values.shape)))


def require_limit(found, limit, place):
    """Raises a ValueError that describes the place if the value found there is larger than the engine allows."""
    if found > limit:
        raise ValueError(f"{place} {found}, more than {limit}; write the network with smaller numbers")


def check_accumulators(parameters, architecture):
    """Raises a ValueError if an accumulator of a position could overflow.

    Each of the pieces stands on a square of its own: at most the largest weights of as many squares add up.
    """
    biases = numpy.abs(parameters["biases"].astype(numpy.int64))
    buckets = parameters["feature_weights"].reshape(-1, FEATURES // SQUARES, SQUARES, architecture.neurons)
    for bucket, weights in enumerate(buckets):
        sizes = numpy.abs(weights.astype(numpy.int64)).max(axis=0)
        largest = numpy.sort(sizes, axis=0)[SQUARES - MAX_PIECES :].sum(axis=0) + biases
        if largest.max() > MAX_ACCUMULATOR:
            neuron = int(numpy.argmax(largest > MAX_ACCUMULATOR))
            place = f"the feature weights and the bias of neuron {neuron} in king bucket {bucket} allow a sum of"
            require_limit(largest[neuron], MAX_ACCUMULATOR, place)


def checksum_of(version, content):
    """Returns the checksum of a network file: of the parameters, or in version 2 of everything but the checksum."""
    if version == 1:
        return zlib.crc32(content[HEADER.size :])
    return zlib.crc32(content[CHECKSUM_END:], zlib.crc32(content[:CHECKSUM_START]))


def read_header(content):
    """Returns version, architecture and checksum of a network file; raises a ValueError if the header is invalid."""
    if len(content) < HEADER.size or not content.startswith(MAGIC):
        raise ValueError("not a network of Gaur; name a file that train.py or interpolate.py has written")
    _, version, neurons, king_buckets, output_buckets, mirrored, kind, name, checksum, *scales, first, second, zeros = (
        HEADER.unpack_from(content)
    )
    if version not in (1, 2):
        raise ValueError(f"version {version} of the network format")
    check_name(name)
    if version == 1:
        require(king_buckets == 1, f"{king_buckets} king buckets", "1 in version 1 of the format")
        is_zero = not any((mirrored, kind, *scales, first, second, *zeros))
        require(is_zero, "an unknown value in bytes 14, 15 or 52 to 63", "0 in version 1 of the format")
        architecture = Architecture(neurons=neurons, output_buckets=output_buckets)
    else:
        table = tuple(content[HEADER.size : HEADER.size + SQUARES])
        if len(table) < SQUARES:
            raise ValueError(f"{len(content)} bytes, less than its header of {HEADER.size + SQUARES}; {REPAIR}")
        require(kind in (SINGLE_OUTPUT, HIDDEN_OUTPUT), f"kind {kind} of output", "0 and 1")
        require(mirrored in (0, 1), f"kind {mirrored} of board", "0 and 1")
        require(scales[0] == ACCUMULATOR_SCALE, f"accumulator scale {scales[0]}", ACCUMULATOR_SCALE)
        is_zero = zeros == ZEROS and (kind == HIDDEN_OUTPUT or first == second == 0)
        require(is_zero, "an unknown value in bytes 58 to 63", "0")
        require(max(table) < king_buckets, f"king bucket {max(table)} of {king_buckets}", "smaller numbers")
        hidden, unused = (first, second) if kind == HIDDEN_OUTPUT else (), king_buckets - 1 - max(table)
        architecture = Architecture(neurons, table, mirrored == 1, output_buckets, *scales[1:], hidden, unused)
    architecture.check()
    return version, architecture, checksum


def check_name(field):
    """Raises a ValueError if the bytes of a name are not valid."""
    name, _, rest = field.partition(b"\0")
    try:
        is_valid = not any(rest) and not any(map(is_control, name.decode()))
    except UnicodeDecodeError:
        is_valid = False
    require(is_valid, f"the name {field!r}", "UTF-8 without control characters, then zeros")


def from_bytes(content):
    """Returns the integer parameters of a network file and their checksum; raises a ValueError if it is invalid."""
    version, architecture, checksum = read_header(content)
    start = HEADER.size + (SQUARES if version == 2 else 0)
    parts = layout(architecture)
    size = start + sum(numpy.dtype(of).itemsize * int(numpy.prod(shape)) for _, of, shape in parts)
    if len(content) != size:
        raise ValueError(f"{len(content)} bytes instead of {size}; {REPAIR}")
    if checksum_of(version, content) != checksum:
        raise ValueError(f"damaged: its checksum is wrong; {REPAIR}")
    parameters = {}
    for part, of, shape in parts:
        parameters[part] = numpy.frombuffer(content, of, int(numpy.prod(shape)), start).reshape(shape)
        start += parameters[part].nbytes
    check_limits(parameters, architecture)
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
