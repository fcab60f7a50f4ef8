"""Whether networks are judged as they should be: by what they know, not by how large their values are.

    python3 tools/train/check_judge.py NET SAMPLES
"""

import pathlib
import sys

import numpy

from judge import Judge, difference
from netfile import read as read_network
from samples import SETS, read


def scaled(numbers, factors, summands):
    """The network with the values of each set times a factor, and more by a summand."""
    changed = dict(numbers)
    changed["weights"] = numbers["weights"] * factors[:, None, None]
    changed["output_biases"] = numbers["output_biases"] * factors + summands
    return changed


def main():
    net, samples = map(pathlib.Path, sys.argv[1:])
    numbers, _ = read_network(net)
    records, _ = read(samples)
    judge = Judge(records)
    errors = judge.errors(numbers)
    for name, found, others in zip(("score", "result"), judge.errors(scaled(numbers, numpy.arange(1, SETS + 1), 1000 * numpy.arange(SETS))), errors):
        if abs(found.mean() / others.mean() - 1) > 0.01:
            raise SystemExit(f"{name}: a network with its values stretched is judged {found.mean()}, not {others.mean()}")
    ignorant, _ = difference(judge.errors(scaled(numbers, numpy.zeros(SETS, int), numpy.zeros(SETS, int)))[0], errors[0])
    if ignorant < 0.1 * errors[0].mean():
        raise SystemExit(f"a network that knows nothing errs by only {ignorant} more")
    try:
        Judge(records[:100])
    except SystemExit as error:
        if "too few" not in str(error):
            raise
    else:
        raise SystemExit("a hundred positions were enough")
    print("networks are judged as they should be")


if __name__ == "__main__":
    main()
