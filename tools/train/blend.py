"""Looks for the best network between that of a run and the one it has begun with, and writes it.

    python3 tools/train/train.py mine.samples --start src/eval/network/gaur.net --name mine --out mine
    python3 tools/train/blend.py src/eval/network/gaur.net mine mine.samples --name blend --out blend.net
    python3 tools/train/blend.py src/eval/network/gaur.net mine other.samples --fresh --name blend --out blend.net

Each number of it is a mean of theirs. What has been learned from few games is partly chance; on the way back to the network
before, much of that is lost and little of what is true. (Wortsman and others, "Robust fine-tuning of zero-shot models", 2021.)
"""

import argparse
import json
import pathlib
import types

import numpy
import torch

import target
from netfile import read, to_bytes
from network import Network
from samples import Samples

SHARES = [step / 10 for step in range(11)]  # of the network of the run


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=pathlib.Path, help="file of the network that the run has begun with")
    parser.add_argument("run", type=pathlib.Path, help="folder of the run, which must have ended")
    parser.add_argument("samples", type=pathlib.Path, help="those of the run; the positions set aside decide")
    parser.add_argument("--fresh", action="store_true", help="the samples are of games that neither has learned from (only the run's own file is recognised); all decide")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file for the best")
    parser.add_argument("--name", required=True, help="what it is called, at most 31 letters")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as PyTorch likes")
    args = parser.parse_args()
    if len(args.name.encode()) > 31:
        parser.error("a name has at most 31 letters")
    return args


class Run:
    """A run of training that has ended, and the network it has begun with."""

    def __init__(self, first, folder, samples, is_fresh=False):
        card = self.card(folder)
        self.first, checksum = read(first)
        if card["start"] != f"checksum {checksum:08x}":
            raise SystemExit(f"{folder} has not begun with {first}")
        self.second, _ = read(folder / f"{card['name']}.net")
        self.options = types.SimpleNamespace(**{name: float(card[name]) for name in target.OPTIONS})
        self.samples = Samples(samples, 1.0 if is_fresh else self.options.validation_share)
        is_known = card["samples"] == self.samples.description()
        if is_fresh and is_known:
            raise SystemExit(f"{folder} has learned from these samples; they are not fresh")
        if not is_fresh and not is_known:
            raise SystemExit(f"{folder} has learned from other samples: {card['samples']}; --fresh takes those of other games")
        if self.samples.validation == 0:
            raise SystemExit(f"{folder} has set no positions aside, so that nothing can be compared")

    @staticmethod
    def card(folder):
        try:
            return json.loads((folder / "card.json").read_text())
        except OSError as error:
            raise SystemExit(f"cannot read the card of the run: {error}") from None

    def losses(self):
        """By shares, what each network between the two has on the positions that decide."""
        network = Network(len(self.first["biases"]))
        losses = {}
        for share in SHARES:
            network.begin_with(between(self.first, self.second, share))
            losses[share] = target.validation_loss(network, self.samples, self.options)
            print(f"{share:4.0%} of what was learned: validation {losses[share]:.6f}", flush=True)
        return losses


def between(first, second, share):
    """The network with this share of the second, in whole numbers."""
    mean = lambda part: numpy.rint((1 - share) * first[part] + share * second[part]).astype(int)
    return {part: mean(part) for part in first}


def main():
    args = arguments()
    if args.threads:
        torch.set_num_threads(args.threads)
    run = Run(args.first, args.run, args.samples, args.fresh)
    losses = run.losses()
    best = min(losses, key=losses.get)
    args.out.write_bytes(to_bytes(between(run.first, run.second, best), args.name))
    print(f"{args.out}: {best:.0%} of what {args.run} has learned")


if __name__ == "__main__":
    main()
