"""Checks that the engine's scores with random networks of many architectures equal those computed by `netfile.py`.

    python3 tools/train/check_architectures.py GAUR FOLDER

The networks are written to FOLDER.
"""

import pathlib
import sys

import numpy

from check_engine import score_by_engine
from netfile import FEATURES, HIDDEN, SECOND_WEIGHT_SCALE, Architecture, Parameters, from_bytes, layout, scores, to_bytes

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


def check_refusals(content):
    """Checks that networks which the engine does not compute, or whose sums could overflow, are neither written nor read.

    `content` is a file of a network with hidden layers.
    """
    parameters, _ = from_bytes(content)
    for part, value, reason in [
        ("hidden_1_weights", 128, "do not fit into 8 bits"),
        ("hidden_1_biases", 2**30 + 1, "biases of hidden layer 1"),
        ("hidden_2_weights", 8257, "weights and biases of hidden_2"),
        ("hidden_2_biases", 2**31 - 1, "weights and biases of hidden_2"),
        ("output_weights", -8257, "weights and biases of output"),
    ]:
        changed = Parameters({**parameters, part: numpy.full_like(parameters[part], value, dtype=numpy.int64)}, parameters.architecture)
        rejects(lambda: to_bytes(changed, "wrong"), reason)
    for change, reason in [({"hidden": (8, 32)}, "the engine computes [16, 32]"), ({"neurons": 64}, "multiples of 128"),
                           ({"output_weight_scale": 128}, "output weight scale 128")]:
        rejects(lambda: to_bytes(parameters, "wrong", parameters.architecture._replace(**change)), reason)
    for at, value, reason in [(58, 17, "[17, 32] neurons"), (15, 2, "another architecture"), (1000, content[1000] ^ 1, "damaged")]:
        rejects(lambda: from_bytes(content[:at] + bytes([value]) + content[at + 1 :]), reason)
    rejects(lambda: from_bytes(content[:-1]), "damaged")


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
    check_refusals(content)
    print(f"{len(ARCHITECTURES)} architectures, {len(POSITIONS)} positions each: engine and training code agree")


if __name__ == "__main__":
    main()
