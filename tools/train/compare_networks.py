"""Compares how well networks predict the scores of long searches and the results of games. Writes no file.

    gaur-lab datagen --games 400 --nodes 20000 --threads 2 --seed 3 --out long.games
    gaur-lab data samples long.games --ordered --out long.samples
    python3 tools/train/compare_networks.py long.samples src/eval/network/gaur.net mine/mine.net --fresh

Without --fresh, the samples must be of validation games only (`data samples --ordered --validation-share S`).

Losses of runs with different targets cannot be compared; these errors can. An error is the mean squared difference
between the expected result by the network and by the search score, or to the result of the game. Before the comparison,
each network is fitted to these values by a factor and an offset for each output bucket, because the scale of its scores
does not matter. The network that played the games has a small advantage, because the scores are those of its own
searches.
"""

import argparse
import pathlib
import sys

import requirements  # before packages that may be missing

import numpy
import torch

from netfile import OUTPUT_CENTIPAWNS
from netfile import read as read_parameters
from network import read as read_network
from record import identity, validation_share
from samples import ORDERED, OUTPUT_BUCKETS, SHARE_UNIT, SampleFile, output_buckets
from threads import add_threads

MAX_SCORE = 600  # centipawns; decided positions reveal little
GROUP = 1000  # consecutive positions of few games depend on one another; means of groups of this size hardly do
MIN_GROUPS = 20
BATCH = 4096
MAX_ITERATIONS = 100


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path,
                        help="samples, in the order of the games, of games with many nodes per move, on which no network was trained")
    parser.add_argument("networks", type=pathlib.Path, nargs="+", help="network files; all others are compared with the first")
    parser.add_argument("--fresh", action="store_true",
                        help="the samples are of all games of their files, on which no network was trained")
    add_threads(parser)
    return parser.parse_args()


def check_games(file, networks, is_fresh):
    """Ends the program if a network has learned from the games of a sample file, as far as its header and the records show."""
    if is_fresh:
        return
    if file.share == SHARE_UNIT:
        raise SystemExit(f"{file.path} contains all games of its files; state with --fresh that no network has learned from them, or "
                         "write the validation games only, with `data samples --ordered --validation-share S`")
    for path in networks:
        share = validation_share(path, identity(read_parameters(path)[1]))
        if share is None:
            print(f"warning: {path} has no card.json that states from which games it and the networks before it have learned", file=sys.stderr)
        elif file.share > share:
            raise SystemExit(f"{file.path} may contain games from which {path} or a network before it has learned: its share of the games "
                             f"is larger than {share / SHARE_UNIT:g}")


class Comparison:
    """Positions with search scores and results, which networks are to predict."""

    def __init__(self, records):
        self.records = records[numpy.abs(records["score"]) <= MAX_SCORE]
        if len(self.records) < MIN_GROUPS * GROUP:
            required = MIN_GROUPS * GROUP
            raise SystemExit(f"{len(self.records)} positions are too few, {required:,} are required; generate more games")
        double = lambda field: torch.from_numpy(self.records[field].astype(float))
        self.buckets = torch.from_numpy(output_buckets(piece_counts(self.records)))
        self.targets = [torch.sigmoid(double("score") / OUTPUT_CENTIPAWNS), double("result") / 2]

    def errors(self, network):
        """Returns the squared errors of a network at each position, for the score and for the result."""
        batches = (self.records[start : start + BATCH] for start in range(0, len(self.records), BATCH))
        with torch.no_grad():
            outputs = torch.cat([network(network.batch(records)) for records in batches]).double()
        return [self.fitted_errors(outputs, target) for target in self.targets]

    def fitted_errors(self, outputs, target):
        """Returns the squared errors after fitting `outputs` to `target` by factor and offset per output bucket."""
        factors = torch.ones(OUTPUT_BUCKETS, dtype=torch.double, requires_grad=True)
        offsets = torch.zeros(OUTPUT_BUCKETS, dtype=torch.double, requires_grad=True)
        squares = lambda: (torch.sigmoid(outputs * factors[self.buckets] + offsets[self.buckets]) - target) ** 2
        optimizer = torch.optim.LBFGS([factors, offsets], max_iter=MAX_ITERATIONS, line_search_fn="strong_wolfe")

        def mean():
            optimizer.zero_grad()
            loss = squares().mean()
            loss.backward()
            return loss

        optimizer.step(mean)
        return squares().detach().numpy()


def piece_counts(records):
    """Returns the numbers of pieces."""
    bits = numpy.unpackbits(records["occupied"].copy().view(numpy.uint8))
    return bits.reshape(len(records), 64).sum(axis=1).astype(int)


def difference(errors, others):
    """Returns the mean difference and the half width of its 95 % confidence interval."""
    differences = errors - others
    whole = len(differences) // GROUP * GROUP
    means = differences[:whole].reshape(-1, GROUP).mean(axis=1)
    return differences.mean(), 1.96 * means.std(ddof=1) / len(means) ** 0.5


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    networks = [read_network(path) for path in args.networks]
    file = SampleFile(args.samples, ORDERED)
    check_games(file, args.networks, args.fresh)
    comparison = Comparison(file.verified())
    print(f"{len(comparison.records)} positions; errors in millionths")
    first = None
    for path, network in zip(args.networks, networks):
        errors = comparison.errors(network)
        first = first or errors
        columns = []
        for name, own, others in zip(("score", "result"), errors, first):
            mean, bound = difference(own, others)
            change = "" if own is others else f" ({mean * 1e6:+.0f} ± {bound * 1e6:.0f})"
            columns.append(f"{name} {own.mean() * 1e6:7.0f}{change}")
        print(f"{path}: {', '.join(columns)}", flush=True)


if __name__ == "__main__":
    main()
