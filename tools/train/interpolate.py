"""Finds the best network between the start network of a training run and its result, and writes it.

    python3 tools/train/train.py mine.toml --out mine        # a run file with a start network
    python3 tools/train/interpolate.py src/eval/network/gaur.net mine mine.validation --name mean --out mine/mean.net
    python3 tools/train/interpolate.py src/eval/network/gaur.net mine other.samples --fresh --name fresh --out mine/fresh.net

Each parameter is a weighted mean of those of both networks. Part of what a network learns from few games is noise,
which a step back towards the start network reduces. (Wortsman and others, "Robust fine-tuning of zero-shot models",
2021.)
"""

import argparse
import json
import pathlib

import requirements  # before packages that may be missing

import numpy
import torch

import target
from netfile import MAX_NAME_BYTES, Parameters, is_name, read, to_bytes
from network import network_of, supported
from record import FEATURES_ALONE, RANDOM_INITIALISATION, identity, write
from run_file import Target, WrongValue, parsed
from samples import ORDERED, VALIDATION, SampleFile
from threads import add_threads

WEIGHTS = [step / 10 for step in range(11)]  # of the result of the run


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("start", type=pathlib.Path, help="network file from which the run started")
    parser.add_argument("run", type=pathlib.Path, help="folder of the run, which must be complete")
    parser.add_argument("samples", type=pathlib.Path, help="validation samples of the run")
    parser.add_argument("--fresh", action="store_true",
                        help="the samples are of other games, on which neither network was trained (`data samples --ordered`)")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="new file for the best network")
    parser.add_argument("--name", required=True, help=f"name of the network, at most {MAX_NAME_BYTES} bytes")
    add_threads(parser)
    args = parser.parse_args()
    if not is_name(args.name):
        parser.error(f"a name has at most {MAX_NAME_BYTES} bytes and no control characters")
    if args.out.exists():
        raise SystemExit(f"{args.out} exists already; name another file or remove it")
    return args


class Run:
    """A complete training run, the network from which it started, and the positions on which networks are compared."""

    def __init__(self, start, folder, samples, is_fresh=False):
        card = self.card(folder)
        self.start, checksum = read(start)
        if card["start"] == RANDOM_INITIALISATION:
            raise SystemExit(f"{folder} started from random initialisation; only the result of a run with a start "
                             "network can be averaged with it")
        if card["start"] == FEATURES_ALONE + identity(checksum):
            raise SystemExit(f"{folder} started from the feature weights of {start} alone: their layers differ, "
                             "and only networks with the same layers have a mean")
        if card["start"] != identity(checksum):
            raise SystemExit(f"{folder} did not start from {start}; name the network that its run.toml names as start")
        path = folder / f"{card['name']}.net"
        self.result, _ = read(path)
        supported(start, self.start)
        if self.result.architecture != self.start.architecture:
            raise SystemExit(f"{path} has another architecture than {start}")
        try:
            self.target = parsed(Target, card["target"], "target")
        except WrongValue as error:
            raise SystemExit(f"{folder / 'card.json'}: {error}; use the training programs that wrote it") from None
        self.samples = SampleFile(samples, ORDERED if is_fresh else VALIDATION)
        own = card["validation"]
        if not is_fresh and own != self.samples.description():
            raise SystemExit(f"{samples} is not the validation file of {folder}, which has {own}")

    @staticmethod
    def card(folder):
        """Returns the record of the run in `folder`."""
        path = folder / "card.json"
        try:
            card = json.loads(path.read_text())
        except OSError as error:
            raise SystemExit(f"cannot read {path}: {error.strerror}; name the folder of a complete run") from None
        except ValueError as error:
            raise SystemExit(f"{path} is damaged: {error}; repeat the command of the run") from None
        missing = [name for name in ("start", "name", "validation", "target") if not isinstance(card, dict) or name not in card]
        if missing:
            raise SystemExit(f"{path} lacks {', '.join(missing)}; use the training programs that wrote it")
        return card

    def losses(self):
        """Returns the loss of the interpolated network for each weight."""
        losses = {}
        for weight in WEIGHTS:
            network = network_of(interpolated(self.start, self.result, weight))
            losses[weight] = target.mean_loss(network, self.samples, self.target)
            print(f"weight {weight:.1f} of the result: validation {losses[weight]:.6f}", flush=True)
        return losses


def interpolated(start, result, weight):
    """Returns the weighted mean of two networks, rounded to integers; `weight` is that of `result`."""
    mean = lambda part: numpy.rint((1 - weight) * start[part] + weight * result[part]).astype(int)
    return Parameters({part: mean(part) for part in start}, start.architecture)


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    run = Run(args.start, args.run, args.samples, args.fresh)
    losses = run.losses()
    best = min(losses, key=losses.get)
    write(args.out, to_bytes(interpolated(run.start, run.result, best), args.name))
    print(f"{args.out}: weight {best:.1f} of the result of {args.run}")


if __name__ == "__main__":
    main()
