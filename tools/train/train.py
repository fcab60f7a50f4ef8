"""Trains a network on positions from Gaur's own games and writes it as the engine reads it.

    gaur data samples all.games --out all.samples
    python3 tools/train/train.py all.samples --name first --out work/first
"""

import argparse
import json
import math
import pathlib
import signal
import time

import matplotlib
import numpy
import torch

import target
from netfile import CENTIPAWNS, exact_values, from_bytes, to_bytes
from network import Network
from samples import Batch, Samples


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path, help="a file that `gaur data samples` wrote")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the net, the curve and the state of the run")
    parser.add_argument("--name", required=True, help="what the net is called, at most 31 letters")
    parser.add_argument("--width", type=int, default=512, help="numbers in an accumulator; must be the engine's")
    parser.add_argument("--start", type=pathlib.Path, help="file of a network to begin with")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the start; at the end a hundredth")
    target.add_options(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="0: as many as PyTorch likes")
    args = parser.parse_args(words)
    if "/" in args.name or len(args.name.encode()) > 31:
        parser.error("a name has at most 31 letters, and no slash")
    target.check(parser, args)
    return args


CHANCE = "chance"  # what a run begins with that is given no network
SECONDS_BETWEEN_LINES = 30
SECONDS_BETWEEN_STATES = 120


class Run:
    """A run of training that goes on where it was stopped."""

    def __init__(self, args):
        self.args = args
        torch.manual_seed(args.seed)
        if args.threads:
            torch.set_num_threads(args.threads)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.samples = Samples(args.samples, args.validation_share)
        self.network = Network(args.width).to(self.device)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=args.rate, weight_decay=0.01)
        self.epoch = 0
        self.batch = 0  # of the epoch: how many are done
        self.summed = 0.0  # loss of these
        self.seconds = 0.0  # they took
        self.losses = []
        self.stopping = False
        self.state = args.out / "state.pt"
        self.settings = {name: str(value) for name, value in vars(args).items() if name not in ("samples", "out", "start", "threads")}
        self.settings["samples"] = self.samples.description()
        if self.state.exists():
            self.resume()
        else:
            self.settings["start"] = self.begin_with(args.start) if args.start else CHANCE

    def begin_with(self, path):
        """Takes over the network of a file; says which it is."""
        try:
            numbers, checksum = from_bytes(path.read_bytes())
            self.network.begin_with(numbers)
        except (OSError, ValueError) as error:
            raise SystemExit(f"cannot begin with {path}: {error}") from None
        return f"checksum {checksum:08x}"

    def resume(self):
        state = torch.load(self.state, map_location=self.device)
        before = state["settings"]
        # What it began with is not needed any more, but if it is named it must be the same.
        self.settings["start"] = self.begin_with(self.args.start) if self.args.start else before.get("start")
        others = [f"{name} {before.get(name)}, not {value}" for name, value in self.settings.items() if before.get(name) != value]
        if others:
            raise SystemExit(f"{self.state} is of another run ({'; '.join(others)}); give another --out")
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch, self.losses = state["epoch"], state["losses"]
        self.batch, self.summed, self.seconds = state["batch"], state["summed"], state["seconds"]
        print(f"going on after epoch {self.epoch}" + (f" and {self.batch} batches" if self.batch else ""))

    def save(self):
        new = self.state.with_suffix(".new")
        torch.save(
            {
                "settings": self.settings,
                "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "epoch": self.epoch,
                "batch": self.batch,
                "summed": self.summed,
                "seconds": self.seconds,
                "losses": self.losses,
            },
            new,
        )
        new.replace(self.state)

    def stop(self, *_):
        """After this batch; asked again, at once."""
        self.stopping = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def loss(self, records):
        """The sum over positions."""
        return target.loss(self.network, Batch(records).to(self.device), self.args)

    def train(self):
        batches = self.samples.training // self.args.batch
        if batches == 0:
            raise SystemExit(f"{self.samples.training} positions are less than one batch; give a smaller --batch")
        while self.epoch < self.args.epochs:
            self.train_epoch(batches)

    def train_epoch(self, batches):
        """What is left of an epoch."""
        total = batches * self.args.epochs
        generator = numpy.random.default_rng([self.args.seed, self.epoch])
        self.network.train()
        start = shown = saved = time.monotonic()
        first, before = self.batch, self.seconds
        for records in self.samples.batches(self.args.batch, generator, first):
            self.set_rate((self.epoch * batches + self.batch) / total)
            self.learn(records)
            self.batch += 1
            now = time.monotonic()
            self.seconds = before + now - start
            if self.stopping or now - saved > SECONDS_BETWEEN_STATES:
                saved = now
                self.save()
            if self.stopping:
                raise SystemExit(f"stopped after epoch {self.epoch} and {self.batch} batches; the same command goes on from there")
            if now - shown > SECONDS_BETWEEN_LINES:
                shown = now
                speed = (self.batch - first) * self.args.batch / (now - start)
                left = (total - self.epoch * batches - self.batch) * self.args.batch / speed
                print(f"epoch {self.epoch + 1}: {self.batch / batches:4.0%}, loss {self.summed / self.batch:.6f}, "
                      f"{speed:,.0f} positions/s, {left / 60:.0f} min to go", flush=True)
        loss, validation = self.summed / batches, self.validate()
        aside = "" if validation is None else f"validation {validation:.6f}, "
        print(f"epoch {self.epoch + 1}: loss {loss:.6f}, {aside}{self.seconds:.0f} s", flush=True)
        self.losses.append((loss, validation))
        self.epoch, self.batch, self.summed, self.seconds = self.epoch + 1, 0, 0.0, 0.0
        self.save()

    def learn(self, records):
        """One step."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(records) / len(records)
        loss.backward()
        self.summed += loss.item()
        self.optimizer.step()
        self.network.clip()

    def set_rate(self, done):
        """From the full rate down to a hundredth along half a cosine."""
        share = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done))
        for group in self.optimizer.param_groups:
            group["lr"] = self.args.rate * share

    def validate(self):
        return target.validation_loss(self.network, self.samples, self.args, self.device)

    def engine_error(self):
        """How many centipawns the engine's values are off, since it drops parts of one: the mean and the largest over positions
        set aside."""
        records = next(self.samples.validation_batches(1000), None)
        if records is None:
            return None, None
        batch = Batch(records)
        exact = exact_values(self.network.rounded(), batch)
        with torch.no_grad():
            values = self.network(batch.to(self.device)).cpu().numpy() * CENTIPAWNS
        error = numpy.abs(values - exact)
        return float(error.mean()), float(error.max())

    def finish(self):
        path = self.args.out / f"{self.args.name}.net"
        path.write_bytes(to_bytes(self.network.rounded(), self.args.name))
        mean, largest = self.engine_error()
        draw(self.losses, self.args.out / "loss.png")
        card = {**self.settings, "positions": self.samples.training, "validation": self.samples.validation,
                "losses": self.losses, "engine_error_mean": mean, "engine_error_largest": largest}
        (self.args.out / "card.json").write_text(json.dumps(card, indent=1))
        print(path)
        if mean is not None:
            print(f"the engine, which drops parts of a centipawn, is off by {mean:.2f} of them, {largest:.1f} at most")


def draw(losses, path):
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    epochs = range(1, len(losses) + 1)
    for column, label in enumerate(("training", "validation")):
        values = [loss[column] for loss in losses]
        if None not in values:
            axes.plot(epochs, values, marker="o", markersize=3, label=label)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("epoch")
    axes.set_ylabel("loss")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    run = Run(args)
    signal.signal(signal.SIGINT, run.stop)
    run.train()
    run.finish()


if __name__ == "__main__":
    main()
