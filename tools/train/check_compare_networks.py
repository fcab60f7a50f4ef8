"""Checks that the comparison of networks depends on their predictions and not on the scale of their scores.

    python3 tools/train/check_compare_networks.py NET SAMPLES FOLDER
"""

import pathlib
import sys

import numpy
import torch

import network
from compare_networks import Comparison, difference
from netfile import Parameters, to_bytes
from netfile import read as read_parameters
from samples import OUTPUT_BUCKETS, read


def scaled(parameters, factors, offsets):
    """Returns the network with the outputs of each bucket multiplied by a factor and increased by an offset."""
    changed = Parameters(parameters, parameters.architecture)
    changed["output_weights"] = parameters["output_weights"] * factors[:, None, None]
    changed["output_biases"] = parameters["output_biases"] * factors + offsets
    return changed


def check_files(parameters, folder):
    """Checks that networks with other scores for 1.0 are read, and that networks with unknown features are rejected."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "other.net"
    path.write_bytes(to_bytes(parameters, "other", parameters.architecture._replace(output_centipawns=300)))
    integers = network.read(path).quantized()
    if integers.architecture.output_centipawns != 300 or any((integers[part] != parameters[part]).any() for part in parameters):
        raise SystemExit("a network is read as another one")
    for changes, reason in [({"is_mirrored": False}, "a board that is not mirrored"),
                            ({"king_buckets": (0,) * 63 + (1,), "is_mirrored": False}, "a board that is not mirrored"),
                            ({"king_buckets": (0,) * 56 + (1,) * 8}, "unknown king buckets"),
                            ({"unused_king_buckets": 1}, "unknown king buckets")]:
        architecture = parameters.architecture._replace(**changes)
        weights = numpy.tile(parameters["feature_weights"], (architecture.king_bucket_count, 1))
        path.write_bytes(to_bytes({**parameters, "feature_weights": weights}, "other", architecture))
        try:
            network.read(path)
        except SystemExit as error:
            if reason not in str(error) or "\n" in str(error):
                raise
        else:
            raise SystemExit(f"not rejected: {reason}")


def check_centipawns(parameters, records):
    """Checks that the outputs of networks with different scores for 1.0 have the same scale."""
    outputs = []
    for centipawns in (200, 300):
        changed = network.network_of(Parameters(parameters, parameters.architecture._replace(output_centipawns=centipawns)))
        with torch.no_grad():
            outputs.append(changed(changed.batch(records[:100])))
    torch.testing.assert_close(outputs[1], 1.5 * outputs[0])


def main():
    net, samples, folder = map(pathlib.Path, sys.argv[1:])
    parameters, _ = read_parameters(net)
    check_files(parameters, folder)
    records = read(samples)
    check_centipawns(parameters, records)
    comparison = Comparison(records)
    errors = comparison.errors(network.network_of(parameters))
    stretched = scaled(parameters, numpy.arange(1, OUTPUT_BUCKETS + 1), 1000 * numpy.arange(OUTPUT_BUCKETS))
    for name, found, expected in zip(("score", "result"), comparison.errors(network.network_of(stretched)), errors):
        if abs(found.mean() / expected.mean() - 1) > 0.01:
            raise SystemExit(f"{name}: with scaled outputs the error is {found.mean()}, not {expected.mean()}")
    zeros = numpy.zeros(OUTPUT_BUCKETS, int)
    constant = network.network_of(scaled(parameters, zeros, zeros))
    increase, _ = difference(comparison.errors(constant)[0], errors[0])
    if increase < 0.1 * errors[0].mean():
        raise SystemExit(f"with constant outputs the error is only {increase} larger")
    try:
        Comparison(records[:100])
    except SystemExit as error:
        if "too few" not in str(error):
            raise
    else:
        raise SystemExit("a hundred positions were accepted")
    print("comparison is correct")


if __name__ == "__main__":
    main()
