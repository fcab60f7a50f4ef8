"""Checks that the comparison of networks depends on their predictions and not on the scale of their scores.

    python3 tools/train/check_compare_networks.py NET SAMPLES
"""

import pathlib
import sys

import numpy

from compare_networks import Comparison, difference
from netfile import Parameters
from netfile import read as read_network
from samples import OUTPUT_BUCKETS, read


def scaled(parameters, factors, offsets):
    """Returns the network with the outputs of each bucket multiplied by a factor and increased by an offset."""
    changed = Parameters(parameters, parameters.architecture)
    changed["output_weights"] = parameters["output_weights"] * factors[:, None, None]
    changed["output_biases"] = parameters["output_biases"] * factors + offsets
    return changed


def main():
    net, samples = map(pathlib.Path, sys.argv[1:])
    parameters, _ = read_network(net)
    records = read(samples)
    comparison = Comparison(records)
    errors = comparison.errors(parameters)
    stretched = scaled(parameters, numpy.arange(1, OUTPUT_BUCKETS + 1), 1000 * numpy.arange(OUTPUT_BUCKETS))
    for name, found, expected in zip(("score", "result"), comparison.errors(stretched), errors):
        if abs(found.mean() / expected.mean() - 1) > 0.01:
            raise SystemExit(f"{name}: with scaled outputs the error is {found.mean()}, not {expected.mean()}")
    zeros = numpy.zeros(OUTPUT_BUCKETS, int)
    increase, _ = difference(comparison.errors(scaled(parameters, zeros, zeros))[0], errors[0])
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
