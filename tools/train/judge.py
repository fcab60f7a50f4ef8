"""Compares networks by how well they foretell what a long search says, and how games end. Writes nothing.

    gaur datagen --games 2000 --nodes 20000 --threads 2 --seed 3 --out long.games
    gaur data samples long.games --out long.samples
    python3 tools/train/judge.py long.samples src/eval/network/gaur.net mine/mine.net

The losses of runs that learn in different ways cannot be compared; these errors can. They are means of squares, between the chance of
the network and that of the score, or the result. Before that each network is fitted to what it is compared with, by a factor and
a summand for each set of output weights: how large its values are is not what is asked. The network that has played the games is favoured
a little, since the scores are of its own searches.
"""

import argparse
import pathlib

import numpy
import torch

from netfile import CENTIPAWNS
from netfile import read as read_network
from network import Network
from samples import SETS, Batch, read, sets_of

LARGEST_SCORE = 600  # centipawns; what is decided tells little
TOGETHER = 1000  # positions that follow each other are of few games, and not independent: only the means of so many are
FEWEST_MEANS = 20
PART = 4096
STEPS = 100


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path, help="of games at many nodes a move that none of the networks has learned from")
    parser.add_argument("networks", type=pathlib.Path, nargs="+", help="files; the others are compared with the first")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as PyTorch likes")
    return parser.parse_args()


class Judge:
    """Positions with what was found out about them."""

    def __init__(self, records):
        self.records = records[numpy.abs(records["score"]) <= LARGEST_SCORE]
        if len(self.records) < FEWEST_MEANS * TOGETHER:
            raise SystemExit(f"{len(self.records)} positions are too few to judge by, {FEWEST_MEANS * TOGETHER:,} are needed; make more games")
        double = lambda field: torch.from_numpy(self.records[field].astype(float))
        self.sets = torch.from_numpy(sets_of(self.records["pieces"].astype(int)))
        self.truths = [torch.sigmoid(double("score") / CENTIPAWNS), double("result") / 2]

    def errors(self, numbers):
        """The squared errors of a network at each position, from the score and from the result."""
        network = Network(len(numbers["biases"]))
        network.begin_with(numbers)
        parts = (self.records[start : start + PART] for start in range(0, len(self.records), PART))
        with torch.no_grad():
            values = torch.cat([network(Batch(part)) for part in parts]).double()
        return [self.fitted_errors(values, truth) for truth in self.truths]

    def fitted_errors(self, values, truth):
        factors = torch.ones(SETS, dtype=torch.double, requires_grad=True)
        summands = torch.zeros(SETS, dtype=torch.double, requires_grad=True)
        squares = lambda: (torch.sigmoid(values * factors[self.sets] + summands[self.sets]) - truth) ** 2
        optimizer = torch.optim.LBFGS([factors, summands], max_iter=STEPS, line_search_fn="strong_wolfe")

        def mean():
            optimizer.zero_grad()
            loss = squares().mean()
            loss.backward()
            return loss

        optimizer.step(mean)
        return squares().detach().numpy()


def difference(errors, others):
    """The mean difference, and a bound that it is within with 95 %."""
    differences = errors - others
    whole = len(differences) // TOGETHER * TOGETHER
    means = differences[:whole].reshape(-1, TOGETHER).mean(axis=1)
    return differences.mean(), 1.96 * means.std(ddof=1) / len(means) ** 0.5


def main():
    args = arguments()
    if args.threads:
        torch.set_num_threads(args.threads)
    networks = [read_network(path)[0] for path in args.networks]
    judge = Judge(read(args.samples)[0])
    print(f"{len(judge.records)} positions; errors in millionths")
    first = None
    for path, numbers in zip(args.networks, networks):
        errors = judge.errors(numbers)
        first = first or errors
        words = []
        for name, found, others in zip(("score", "result"), errors, first):
            mean, bound = difference(found, others)
            words.append(f"{name} {found.mean() * 1e6:7.0f}" + (f" ({mean * 1e6:+.0f} ± {bound * 1e6:.0f})" if found is not others else ""))
        print(f"{path}: {', '.join(words)}", flush=True)


if __name__ == "__main__":
    main()
