"""Checks that the engine's scores with random networks of many architectures equal those computed by `netfile.py`.

    python3 tools/train/check_architectures.py GAUR FOLDER

The networks are written to FOLDER.
"""

import pathlib
import struct
import sys

import numpy

from check_engine import score_by_engine
from netfile import (
    FEATURES, HIDDEN, SECOND_WEIGHT_SCALE, Architecture, Parameters, checksum_of, from_bytes, layout, scores, to_bytes,
)

PIECES = "PNBRQKpnbrqk"
POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/2P2B2/2N1PN2/PPQ2PPP/2KR1B1R b - - 2 9",
    "1nb2k1r/1pp2p2/8/3p4/6P1/2PK4/1P3P1P/R1B3N1 b - - 0 20",
    "8/pp5p/3k2p1/8/4Kp2/2P1P2P/P7/8 w - - 0 1",
    "7k/8/8/1p6/8/2R5/8/K7 b - - 0 1",
    "K7/4r3/8/8/8/7B/8/6k1 w - - 0 1",
]


def mirrored_table(count):
    """Returns a table of king buckets that is equal for squares that are mirror images."""
    return tuple((square // 8 * 4 + min(square % 8, 7 - square % 8)) % count for square in range(64))


ARCHITECTURES = [
    Architecture(),
    Architecture(neurons=64, output_buckets=1),
    Architecture(neurons=256, output_buckets=5, output_weight_scale=64, output_centipawns=300),
    Architecture(neurons=768, king_buckets=mirrored_table(4)),
    Architecture(neurons=128, king_buckets=mirrored_table(32), output_weight_scale=64),
    Architecture(neurons=256, is_mirrored=False),
    Architecture(neurons=64, king_buckets=tuple(square % 16 for square in range(64)), is_mirrored=False),
    Architecture(neurons=1536, king_buckets=mirrored_table(2), output_centipawns=1000),
    Architecture(hidden=HIDDEN, output_weight_scale=SECOND_WEIGHT_SCALE),
    Architecture(neurons=128, king_buckets=mirrored_table(4), output_buckets=3, hidden=HIDDEN, output_weight_scale=SECOND_WEIGHT_SCALE),
    Architecture(neurons=1280, output_centipawns=700, hidden=HIDDEN, output_weight_scale=SECOND_WEIGHT_SCALE),
    Architecture(neurons=1536, is_mirrored=False, output_buckets=1, hidden=HIDDEN, output_weight_scale=SECOND_WEIGHT_SCALE),
    Architecture(neurons=128, king_buckets=mirrored_table(32), hidden=HIDDEN, output_weight_scale=SECOND_WEIGHT_SCALE),
    Architecture(neurons=64, king_buckets=mirrored_table(3), unused_king_buckets=1),
]


def random_parameters(architecture, random):
    """Returns random parameters for a network of this architecture, small enough for the engine."""
    limits = {"biases": 200, "feature_weights": 120, "output_weights": min(32, 16_000 // architecture.neurons), "output_biases": 3000}
    if architecture.hidden:
        limits |= {"hidden_1_weights": min(127, 16_000 // architecture.neurons), "hidden_1_biases": 10_000, "hidden_2_weights": 400,
                   "hidden_2_biases": 4_000_000, "output_weights": 2000, "output_biases": 4_000_000}
    return {part: random.integers(-limits[part], limits[part] + 1, size) for part, _, size in layout(architecture)}


def side_features(fen, architecture, is_black):
    """Returns the feature numbers from the perspective of one side."""
    squares = {}
    for rank, text in zip(range(7, -1, -1), fen.split()[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                squares[8 * rank + file] = PIECES.index(letter)
                file += 1
    flip, first = (56, 6) if is_black else (0, 0)
    king = next(square for square, piece in squares.items() if piece == first + 5) ^ flip
    mirror = 7 if architecture.is_mirrored and king % 8 >= 4 else 0
    base = FEATURES * architecture.king_buckets[king]
    return [base + (piece + first) % 12 * 64 + (square ^ flip ^ mirror) for square, piece in sorted(squares.items())]


def expected_scores(parameters):
    """Returns the scores of all positions."""
    architecture = parameters.architecture
    moving = [fen.split()[1] == "b" for fen in POSITIONS]
    sides = [side_features(fen, architecture, is_black) for fen, is_black in zip(POSITIONS, moving)]
    sides += [side_features(fen, architecture, not is_black) for fen, is_black in zip(POSITIONS, moving)]
    counts = numpy.array([len(features) for features in sides])
    offsets = numpy.cumsum(counts) - counts
    buckets = architecture.output_bucket(counts[: len(POSITIONS)])
    return scores(parameters, numpy.concatenate(sides), offsets, buckets)


MIRROR_IMAGES = "other king buckets for mirror images"


def check_refusals(single, hidden):
    """Checks that networks which the engine does not compute, or whose sums could overflow, are neither written nor read.

    The arguments are files of networks in version 2 of the format, without and with hidden layers.
    """
    for content, changes in [
        (single, [
            ({"neurons": 65}, "65 neurons per accumulator"),
            ({"output_buckets": 9}, "9 output buckets"),
            ({"output_weight_scale": 96}, "output weight scale 96"),
            ({"output_centipawns": 5000}, "5000 centipawns"),
            ({"output_centipawns": 0}, "0 centipawns"),
            ({"king_buckets": tuple(range(64)), "unused_king_buckets": 0, "is_mirrored": False}, "64 king buckets"),
            ({"king_buckets": mirrored_table(31), "unused_king_buckets": 2}, "33 king buckets"),
            ({"king_buckets": tuple(square % 8 for square in range(64))}, MIRROR_IMAGES),
            ({"king_buckets": (0,) * 63}, "an incomplete table of king buckets"),
        ]),
        (hidden, [
            ({"hidden": (8, 32)}, "the engine accepts [16, 32]"),
            ({"neurons": 64}, "multiples of 128"),
            ({"output_weight_scale": 128}, "output weight scale 128"),
        ]),
    ]:
        parameters, _ = from_bytes(content)
        for change, reason in changes:
            architecture = parameters.architecture._replace(**change)
            zeros = {part: numpy.zeros(size, int) for part, _, size in layout(architecture)}
            rejects(lambda: to_bytes(zeros, "wrong", architecture), reason)
    for content, changes in [
        (single, [
            ("output_weights", 129, "neuron 0 of the side to move in output bucket 0 is 129, more than 128; write the network"),
            ("output_weights", -129, "neuron 0 of the side to move in output bucket 0 is 129, more than 128; write the network"),
            ("biases", 32767, "neuron 0 in king bucket 0"),
            ("biases", -32768, "neuron 0 in king bucket 0"),
            ("feature_weights", -1024, "neuron 0 in king bucket 0"),
        ]),
        (hidden, [
            ("hidden_1_biases", 2**30 + 1, "bias of neuron 0 of hidden layer 1 in output bucket 0 is 1073741825, more than 1073741824;"),
            ("hidden_2_weights", 8257, "weights and the bias of neuron"),
            ("hidden_2_biases", 2**31 - 1, "weights and the bias of neuron"),
            ("output_weights", -8257, "weights and the bias of the output in output bucket"),
            ("output_biases", -(2**31), "weights and the bias of the output in output bucket"),
            ("feature_weights", 1024, "neuron 0 in king bucket 0"),
        ]),
    ]:
        parameters, _ = from_bytes(content)
        for part, value, reason in changes:
            changed = Parameters({**parameters, part: numpy.full_like(parameters[part], value)}, parameters.architecture)
            rejects(lambda: to_bytes(changed, "wrong"), reason)
            rejects(lambda: from_bytes(unchecked(content, changed)), reason)
    # Single values in other places than the first.
    for content, part, place, value, reason in [
        (single, "output_weights", (0, 1, 5), -130, "neuron 5 of the opponent in output bucket 0 is 130, more than 128"),
        (hidden, "hidden_1_biases", (2, 9), -(2**31), "neuron 9 of hidden layer 1 in output bucket 2 is 2147483648"),
        (hidden, "hidden_2_biases", (1, 31), 2**31 - 1, "neuron 31 of hidden layer 2 in output bucket 1 allow a sum of"),
        (hidden, "output_biases", (2,), 2**31 - 1, "the output in output bucket 2 allow a sum of"),
    ]:
        parameters, _ = from_bytes(content)
        changed = Parameters({**parameters, part: parameters[part].copy()}, parameters.architecture)
        changed[part][place] = value
        rejects(lambda: from_bytes(unchecked(content, changed)), reason)
    wide = {part: numpy.full(size, 33 if part == "output_weights" else 0) for part, _, size in layout(Architecture())}
    rejects(lambda: to_bytes(wide, "wrong"), "output bucket 0 add up to 33792, more than 33025; ")
    parameters, _ = from_bytes(hidden)
    large = numpy.full(parameters["hidden_1_weights"].shape, 128, int)
    rejects(lambda: to_bytes({**parameters, "hidden_1_weights": large}, "wrong", parameters.architecture), "do not fit into 8 bits")
    for name in ("a" * 32, "ä" * 16, "a\0b", "a\nb", "a\x9bb", "\udc80"):
        rejects(lambda: to_bytes(parameters, name), "the name")
    check_header_refusals(single, hidden)


def check_header_refusals(single, hidden):
    """Checks that files with wrong headers are not read, although their checksums are right."""
    first = to_bytes({part: numpy.zeros(size, int) for part, _, size in layout(Architecture(neurons=64))}, "first version")
    from_bytes(first)
    for content, changes in [
        (first, [(12, 2, "2 king buckets"), *((at, 1, "an unknown value in bytes") for at in (14, 15, *range(52, 64)))]),
        (single, [(8, 3, "version 3"), (10, 65, "65 neurons"), (12, 2, "king bucket 2 of 2"), (12, 33, "33 king buckets"),
                  (13, 0, "0 output buckets"), (13, 9, "9 output buckets"), (14, 2, "kind 2 of board"), (15, 2, "kind 2 of output"),
                  (16, 27, "the name"), (16, 128, "the name"), (47, 65, "the name"), (52, 254, "accumulator scale 254"),
                  (54, 96, "output weight scale 96"), (57, 16, "centipawns"), (66, 1, MIRROR_IMAGES), (64, 4, "king bucket 4 of 4"),
                  *((at, 1, "an unknown value in bytes 58 to 63") for at in range(58, 64))]),
        (hidden, [(54, 128, "output weight scale"), (58, 17, "[17, 32] neurons"), (60, 1, "an unknown value in bytes 58 to 63"),
                  (15, 0, "an unknown value in bytes 58 to 63")]),
    ]:
        for at, value, reason in changes:
            changed = content[:at] + bytes([value]) + content[at + 1 :]
            rejects(lambda: from_bytes(with_checksum(changed)), reason)
    rejects(lambda: from_bytes(single[:100]), "100 bytes, less than its header of 128; copy the file again")
    for changed in (single[:-1], single + bytes(1)):
        rejects(lambda: from_bytes(changed), f"{len(changed)} bytes instead of {len(single)}; copy the file again")
    for at in (17, 1000, len(single) - 1):
        rejects(lambda: from_bytes(single[:at] + bytes([single[at] ^ 1]) + single[at + 1 :]), "damaged: its checksum is wrong; copy the file again")


def unchecked(content, parameters):
    """Returns the file `content` with other parameters, which may be invalid, and a correct checksum."""
    parts = [parameters[part].astype(of).tobytes() for part, of, _ in layout(parameters.architecture)]
    return with_checksum(content[:128] + b"".join(parts))


def with_checksum(content):
    """Returns the file `content` with a correct checksum."""
    return content[:48] + struct.pack("<I", checksum_of(content[8], content)) + content[52:]


def check_accumulator_limit():
    """Checks the largest feature weights that are accepted: those of one piece on each of 32 squares count."""
    architecture = Architecture(neurons=64, king_buckets=mirrored_table(2))
    parameters = {part: numpy.zeros(size, int) for part, _, size in layout(architecture)}
    weights = parameters["feature_weights"].reshape(2, 12, 64, 64)
    weights[1, :, ::2, 5] = 1000
    weights[1, 3, ::2, 5], weights[1, 7, 1::2, 5], parameters["biases"][5] = -1023, 1022, -31
    content = to_bytes(parameters, "largest", architecture)
    from_bytes(content)
    parameters["biases"][5] = -32
    rejects(lambda: to_bytes(parameters, "larger", architecture), "neuron 5 in king bucket 1 allow a sum of 32768, more than 32767; ")


def rejects(function, reason):
    """Checks that `function` raises a ValueError with a message that contains `reason`."""
    try:
        function()
    except ValueError as error:
        if reason not in str(error):
            raise
    else:
        raise SystemExit(f"not rejected: {reason}")


def main():
    gaur, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(1)
    contents = {}
    for number, architecture in enumerate(ARCHITECTURES):
        content = to_bytes(random_parameters(architecture, random), f"architecture {number}", architecture)
        file = folder / f"architecture-{number}.net"
        file.write_bytes(content)
        parameters, _ = from_bytes(content)
        if parameters.architecture != architecture:
            raise SystemExit(f"{architecture} is read as {parameters.architecture}")
        for fen, score in zip(POSITIONS, expected_scores(parameters)):
            found = score_by_engine(gaur, file, fen) * (-1 if fen.split()[1] == "b" else 1)
            if found != score:
                raise SystemExit(f"{architecture}, {fen}: the engine's score is {found}, that of netfile.py {score}")
        contents[bool(architecture.hidden)] = content
    check_refusals(contents[False], contents[True])
    check_accumulator_limit()
    print(f"{len(ARCHITECTURES)} architectures, {len(POSITIONS)} positions each: engine and training code agree")


if __name__ == "__main__":
    main()
