"""Looks for the best network between two, one of which has begun with the other, and writes it.

    python3 tools/train/blend.py src/eval/network/gaur.net mine/mine.net mine.samples --name blend --out blend.net

Each number of it is a mean of theirs. What has been learned from few games is partly chance; on the way back to the network
before, much of that is lost and little of what is true. (Wortsman and others, "Robust fine-tuning of zero-shot models", 2021.)
"""

import argparse
import pathlib

import numpy
import torch

import target
from netfile import from_bytes, to_bytes
from network import Network
from samples import Samples

SHARES = [step / 10 for step in range(11)]  # of the second network


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=pathlib.Path, help="file of a network")
    parser.add_argument("second", type=pathlib.Path, help="file of another that has begun with it")
    parser.add_argument("samples", type=pathlib.Path, help="those that the second has learned from; what was set aside decides")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file for the best")
    parser.add_argument("--name", required=True, help="what it is called, at most 31 letters")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as PyTorch likes")
    target.add_options(parser)
    args = parser.parse_args()
    if len(args.name.encode()) > 31:
        parser.error("a name has at most 31 letters")
    return args


def read(path):
    """The numbers of a network."""
    try:
        return from_bytes(path.read_bytes())[0]
    except (OSError, ValueError) as error:
        raise SystemExit(f"cannot read {path}: {error}") from None


def between(first, second, share):
    """The network with this share of the second, in whole numbers."""
    mean = lambda part: numpy.rint((1 - share) * first[part] + share * second[part]).astype(int)
    return {part: mean(part) for part in first}


def main():
    args = arguments()
    if args.threads:
        torch.set_num_threads(args.threads)
    first, second = read(args.first), read(args.second)
    if any(first[part].shape != second[part].shape for part in first):
        raise SystemExit("the networks are of different widths")
    samples = Samples(args.samples, args.validation_share)
    if samples.validation == 0:
        raise SystemExit("no positions are set aside, so that nothing can be compared; give a larger --validation-share")
    network = Network(len(first["biases"]))
    losses = {}
    for share in SHARES:
        network.begin_with(between(first, second, share))
        losses[share] = target.validation_loss(network, samples, args)
        print(f"{share:4.0%} of the second: validation {losses[share]:.6f}", flush=True)
    best = min(losses, key=losses.get)
    args.out.write_bytes(to_bytes(between(first, second, best), args.name))
    print(f"{args.out}: {best:.0%} of the second")


if __name__ == "__main__":
    main()
