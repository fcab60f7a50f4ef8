"""Checks that the training computes the same input features as the engine.

    gaur-lab features >vectors.json
    python3 tools/train/check_features.py vectors.json
"""

import json
import pathlib
import sys

import numpy

from input_sets import INPUT_SETS, king_bucket_table
from samples import Batch


def sides(batch):
    """Returns the sorted feature numbers of each accumulator of a batch."""
    return [sorted(part.tolist()) for part in numpy.split(batch.features.numpy(), batch.offsets.numpy()[1:])]


def main():
    vectors = json.loads(pathlib.Path(sys.argv[1]).read_text())
    engine_sets = {entry["king_buckets"]: entry["king_bucket_of"] for entry in vectors["input_sets"]}
    own_sets = {king_buckets: king_bucket_table(king_buckets).tolist() for king_buckets in INPUT_SETS}
    if own_sets != engine_sets:
        raise SystemExit(f"input_sets.py has other king buckets than the engine: {own_sets}, not {engine_sets}")
    positions = vectors["positions"]
    records = numpy.frombuffer(bytes.fromhex("".join(position["record"] for position in positions)), numpy.uint8)
    for index, king_buckets in enumerate(engine_sets):
        found = sides(Batch(records.copy(), king_buckets))
        for number, position in enumerate(positions):
            for side, expected in enumerate(position["features"][index]):
                features = found[side * len(positions) + number]
                if features != sorted(expected):
                    raise SystemExit(f"{king_buckets} king buckets, {position['record']}, side {side}: "
                                     f"features {features}, not {sorted(expected)}")
    print(f"{len(positions)} positions, {len(engine_sets)} input sets: engine and training have the same features")


if __name__ == "__main__":
    main()
