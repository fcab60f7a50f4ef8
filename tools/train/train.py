"""Trains a network on positions of Gaur's own games and writes a network file for the engine.

    gaur-lab data samples all.games --out all.samples
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
from netfile import OUTPUT_CENTIPAWNS, engine_scores, from_bytes, to_bytes
from network import Network
from samples import Batch, Samples


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path, help="file written by `gaur-lab data samples`")
    parser.add_argument("--out", type=pathlib.Path, required=True,
                        help="folder for the network, the loss curves and the state of the run")
    parser.add_argument("--name", required=True, help="name of the network, at most 31 bytes")
    parser.add_argument("--neurons", type=int, default=512,
                        help="neurons per accumulator; the engine supports only the default")
    parser.add_argument("--start", type=pathlib.Path,
                        help="network file from which training starts (default: random initialisation)")
    parser.add_argument("--epochs", type=int, default=3, help="passes over the training set")
    parser.add_argument("--batch", type=int, default=4096, help="positions per batch")
    parser.add_argument("--learning-rate", type=float, default=1e-3,
                        help="initial learning rate; it falls to one hundredth of it")
    target.add_options(parser)
    parser.add_argument("--seed", type=int, default=1, help="seed of initialisation and order of positions")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (0: chosen by PyTorch)")
    args = parser.parse_args(words)
    if "/" in args.name or len(args.name.encode()) > 31:
        parser.error("a name has at most 31 bytes and no slash")
    target.check(parser, args)
    return args


RANDOM_INITIALISATION = "random initialisation"  # value of "start" of a run without --start
SECONDS_BETWEEN_LINES = 30
SECONDS_BETWEEN_STATES = 120


class Run:
    """A training run. It saves its state and continues after an interruption."""

    def __init__(self, args):
        self.args = args
        torch.manual_seed(args.seed)
        if args.threads:
            torch.set_num_threads(args.threads)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.samples = Samples(args.samples)
        self.network = Network(args.neurons).to(self.device)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=args.learning_rate, weight_decay=0.01)
        self.epoch = 0  # completed epochs
        self.batch = 0  # completed batches of the current epoch
        self.loss_sum = 0.0  # sum of the losses of these batches
        self.seconds = 0.0  # time spent on these batches
        self.losses = []  # training and validation loss of each completed epoch
        self.stopping = False
        self.state = args.out / "state.pt"
        not_settings = ("samples", "out", "start", "threads")
        self.settings = {name: str(value) for name, value in vars(args).items() if name not in not_settings}
        self.settings["samples"] = self.samples.description()
        self.settings["validation"] = self.samples.validation_description()
        if self.state.exists():
            self.resume()
        else:
            self.settings["start"] = self.load(args.start) if args.start else RANDOM_INITIALISATION

    def load(self, path):
        """Loads a network file and returns text that identifies the network."""
        try:
            parameters, checksum = from_bytes(path.read_bytes())
            self.network.load_quantized(parameters)
        except (OSError, ValueError) as error:
            raise SystemExit(f"cannot start from {path}: {error}") from None
        return f"checksum {checksum:08x}"

    def resume(self):
        """Restores the saved state; ends the program if it belongs to a run with other settings."""
        state = torch.load(self.state, map_location=self.device)
        saved = state["settings"]
        # The start network is not needed to continue, but if one is named, it must be the same.
        self.settings["start"] = self.load(self.args.start) if self.args.start else saved.get("start")
        pairs = ((name, saved.get(name), value) for name, value in self.settings.items())
        differences = "; ".join(f"{name} {old}, not {new}" for name, old, new in pairs if old != new)
        if differences:
            raise SystemExit(f"{self.state} belongs to a run with other settings ({differences}); choose another --out")
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch, self.losses = state["epoch"], state["losses"]
        self.batch, self.loss_sum, self.seconds = state["batch"], state["loss_sum"], state["seconds"]
        print(f"continuing after epoch {self.epoch}" + (f" and {self.batch} batches" if self.batch else ""))

    def save(self):
        """Saves the state of the run."""
        new = self.state.with_suffix(".new")
        torch.save(
            {
                "settings": self.settings,
                "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "epoch": self.epoch,
                "batch": self.batch,
                "loss_sum": self.loss_sum,
                "seconds": self.seconds,
                "losses": self.losses,
            },
            new,
        )
        new.replace(self.state)

    def stop(self, *_):
        """Stops the run after the current batch. A second signal stops it immediately."""
        self.stopping = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def train(self):
        """Trains for all remaining epochs."""
        batches = self.samples.training // self.args.batch
        if batches == 0:
            raise SystemExit(f"{self.samples.training} positions are less than one batch; choose a smaller --batch")
        while self.epoch < self.args.epochs:
            self.train_epoch(batches)

    def train_epoch(self, batches):
        """Trains for the rest of the current epoch, which has this number of batches in all."""
        total = batches * self.args.epochs
        generator = numpy.random.default_rng([self.args.seed, self.epoch])
        self.network.train()
        start = shown = saved = time.monotonic()
        first, earlier_seconds = self.batch, self.seconds
        for records in self.samples.batches(self.args.batch, generator, first):
            self.set_learning_rate((self.epoch * batches + self.batch) / total)
            self.step(records)
            self.batch += 1
            now = time.monotonic()
            self.seconds = earlier_seconds + now - start
            if self.stopping or now - saved > SECONDS_BETWEEN_STATES:
                saved = now
                self.save()
            if self.stopping:
                raise SystemExit(f"stopped after epoch {self.epoch} and {self.batch} batches; the same command continues")
            if now - shown > SECONDS_BETWEEN_LINES:
                shown = now
                speed = (self.batch - first) * self.args.batch / (now - start)
                left = (total - self.epoch * batches - self.batch) * self.args.batch / speed
                print(f"epoch {self.epoch + 1}: {self.batch / batches:4.0%}, loss {self.loss_sum / self.batch:.6f}, "
                      f"{speed:,.0f} positions/s, {left / 60:.0f} min left", flush=True)
        loss, validation = self.loss_sum / batches, self.validation_loss()
        validation_text = "" if validation is None else f"validation {validation:.6f}, "
        print(f"epoch {self.epoch + 1}: loss {loss:.6f}, {validation_text}{self.seconds:.0f} s", flush=True)
        self.losses.append((loss, validation))
        self.epoch, self.batch, self.loss_sum, self.seconds = self.epoch + 1, 0, 0.0, 0.0
        self.save()

    def step(self, records):
        """Makes one step of the optimiser."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = target.loss(self.network, Batch(records).to(self.device), self.args) / len(records)
        loss.backward()
        self.loss_sum += loss.item()
        self.optimizer.step()
        self.network.clip()

    def set_learning_rate(self, progress):
        """Sets the learning rate: a half cosine from the initial rate at progress 0 to one hundredth of it at 1."""
        factor = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress))
        for group in self.optimizer.param_groups:
            group["lr"] = self.args.learning_rate * factor

    def validation_loss(self):
        """Returns the mean loss over the validation set; None if the set is empty."""
        file = self.samples.validation_file
        return target.mean_loss(self.network, file, self.args, self.device) if file else None

    def engine_error(self):
        """Returns the mean and the largest difference to the engine's scores, in centipawns, over validation positions.

        The engine truncates scores to centipawns. Returns None twice if the validation set is empty.
        """
        records = next(self.samples.validation_batches(1000), None)
        if records is None:
            return None, None
        batch = Batch(records)
        expected = engine_scores(self.network.quantized(), batch)
        with torch.no_grad():
            scores = self.network(batch.to(self.device)).cpu().numpy() * OUTPUT_CENTIPAWNS
        error = numpy.abs(scores - expected)
        return float(error.mean()), float(error.max())

    def finish(self):
        """Writes the network, the loss curves and the record of the run."""
        path = self.args.out / f"{self.args.name}.net"
        path.write_bytes(to_bytes(self.network.quantized(), self.args.name))
        mean, largest = self.engine_error()
        draw(self.losses, self.args.out / "loss.png")
        card = {**self.settings, "positions": self.samples.training,
                "losses": self.losses, "engine_error_mean": mean, "engine_error_largest": largest}
        (self.args.out / "card.json").write_text(json.dumps(card, indent=1))
        print(path)
        if mean is not None:
            print(f"difference to the engine, which truncates scores to centipawns: mean {mean:.2f}, largest {largest:.1f}")


def draw(losses, path):
    """Draws the loss curves."""
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
