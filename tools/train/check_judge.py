"""Whether networks are judged as they should be: by what they know, not by how large their values are.

    python3 tools/train/check_judge.py NET SAMPLES
"""

import pathlib
import sys

import numpy

from blend import read as read_network
from judge import Judge, difference
from samples import read


def scaled(numbers, factor, summand):
    """The network with its values times a factor, and more by a summand."""
    changed = dict(numbers)
    changed["weights"] = numpy.rint(numbers["weights"] * factor).astype(int)
    changed["output_biases"] = numpy.rint(numbers["output_biases"] * factor + summand).astype(int)
    return changed


def main():
    net, samples = map(pathlib.Path, sys.argv[1:])
    numbers, _ = read_network(net)
    records, _ = read(samples)
    judge = Judge(records)
    errors = judge.errors(numbers)
    for name, found, others in zip(("score", "result"), judge.errors(scaled(numbers, 2, 3000)), errors):
        if abs(found.mean() / others.mean() - 1) > 0.01:
            raise SystemExit(f"{name}: twice the values and something more are judged {found.mean()}, not {others.mean()}")
    ignorant, _ = difference(judge.errors(scaled(numbers, 0, 0))[0], errors[0])
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
