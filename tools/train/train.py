"""Trains a network on positions of Gaur's own games and writes a network file for the engine.

    gaur-lab data samples mine.games --out mine.samples
    python3 tools/train/train.py tools/train/small.toml --out mine

The run file describes the training; `docs/network.md` explains it. The folder of --out gets the network, a copy of the
run file, the record card.json and the loss curves. Ctrl-C stops the run; the same command continues it.
"""

import argparse
import io
import pathlib
import signal
import sys
import time

import requirements  # before packages that may be missing

import numpy
import torch

import matrices
import memory
import run_file
import target
from device_decoding import number_type
from netfile import OUTPUT_CENTIPAWNS, engine_scores, from_bytes, to_bytes
from network import Network
from record import FEATURES_ALONE, RANDOM_INITIALISATION, draw, environment, identity, locked, validation_share, write, write_card
from recorded import RecordedStep
from samples import SHARE_UNIT, TRAINING, VALIDATION, SampleFile, bytes_of
from stream import Store, Stream
from threads import add_threads

SECONDS_BETWEEN_LINES = 30
SECONDS_BETWEEN_STATES = 120
ENGINE_CHECK = 1000  # positions whose scores are compared with those of the engine
MAX_ENGINE_ERROR = 5  # centipawns
# Saved besides network and optimiser, and those of it that states of earlier versions do not have.
STATE = ("settings", "seen", "seconds", "points", "loss_sum", "loss_count", "environments", "validation_share")
ADDED = {"environments", "validation_share"}


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path, help="run file; the paths in it are relative to the current folder")
    parser.add_argument("--out", type=pathlib.Path, required=True,
                        help="folder for the network, the record of the run and its state")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu",
                        help="device of PyTorch (default: %(default)s)")
    add_threads(parser)
    return parser.parse_args(words)


class Run:
    """A training run. It saves its state and continues after an interruption."""

    def __init__(self, args):
        self.file, self.text = run_file.read(args.run)
        self.out, self.device = args.out, usable_device(args.device)
        torch.set_num_threads(args.threads)
        torch.manual_seed(self.file.seed)
        self.open_samples()
        self.network = Network(self.file.network, self.file.quantisation).to(self.device)
        self.check_network_file()
        self.optimizer = new_optimizer(self.network.parameters(), self.file.optimiser, self.device)
        self.update = RecordedStep(self.update_parameters, self.device) if self.device.type == "cuda" else self.update_parameters
        self.seen = 0  # samples
        self.seconds = 0.0
        self.loss_sum = torch.zeros((), dtype=torch.double, device=self.device)  # since the last point of the loss curves
        self.loss_count = 0
        self.points = []
        self.environment = environment(self.device, args.threads)
        self.environments = []  # in which parts of the run were trained, without repetitions
        self.stopping = False
        self.state = self.out / "state.pt"
        if self.state.exists():
            self.resume()
        else:
            self.check_folder()
            self.settings["start"] = self.load(self.file.start) if self.file.start else RANDOM_INITIALISATION
            if self.file.start:
                self.check_engine_error(self.file.start, *self.engine_error())
                self.check_start_games()

    def open_samples(self):
        """Opens all sample files and checks that training and validation games are separate."""
        self.stages = [[SampleFile(pathlib.Path(path), TRAINING) for path in stage.training] for stage in self.file.stage]
        self.validation = SampleFile(pathlib.Path(self.file.validation), VALIDATION) if self.file.validation else None
        for file in (file for files in self.stages for file in files):
            if self.validation and self.validation.share > file.share:
                raise SystemExit(f"{self.validation.path} contains games of {file.path}: its share of the games is larger; "
                                 "write both again with the same --validation-share")
        # Of the games from which neither this network nor those before it learn; None if one of those has no record.
        self.validation_share = min(file.share for files in self.stages for file in files)
        for files, stage in zip(self.stages, self.file.stage):
            if sum(file.count for file in files) < self.file.schedule.batch:
                raise SystemExit(f"{', '.join(stage.training)}: less than one batch of {self.file.schedule.batch} samples; "
                                 "choose a smaller batch")
        settings = self.file.settings()
        for files, stage in zip(self.stages, settings["stage"]):
            stage["training"] = [file.description() for file in files]
        self.settings = {**settings, "validation": self.validation.description() if self.validation else "none"}

    def check_start_games(self):
        """Ends the program if the start network, or one before it, has learned from games of the validation file."""
        start, own = self.file.start, self.validation
        share = validation_share(pathlib.Path(start), self.settings["start"].removeprefix(FEATURES_ALONE))
        if share is None:
            self.validation_share = None
            if own:
                print(f"warning: {start} has no card.json that states from which games it and the networks before it have learned; "
                      f"if {own.path} contains some of them, the validation loss is too low", file=sys.stderr)
            return
        self.validation_share = min(self.validation_share, share)
        if own and own.share > share:
            wanted = f"{share / SHARE_UNIT:g}"
            remedy = f"write all samples again with --validation-share {wanted}" if share else "leave out validation"
            raise SystemExit(f"{own.path} may contain games from which {start} or a network before it has learned: its share of the "
                             f"games is larger than {wanted}; {remedy}")

    def check_folder(self):
        """Ends the program if the folder contains results that this run, which has no state, would replace."""
        for path in (self.out / "card.json", self.network_path()):
            if path.exists():
                raise SystemExit(f"{path} exists already, but not the state of its run, {self.state}; choose another --out")

    def network_path(self):
        """Returns the path of the network file that the run writes."""
        return self.out / f"{self.file.name}.net"

    def check_network_file(self):
        """Ends the program if a network file cannot contain the network, or would have other scores."""
        self.network.clip()
        try:
            differences = self.engine_error()
        except (KeyError, ValueError) as error:
            raise SystemExit(f"network files cannot contain networks with these settings: {error}") from None
        self.check_engine_error("the initial network", *differences)

    @staticmethod
    def check_engine_error(place, _, largest):
        """Ends the program if the largest difference between the network's scores and the engine's is too large."""
        if not largest <= MAX_ENGINE_ERROR:  # also if it is not a number
            raise SystemExit(f"{place}: scores differ from the engine's by {largest:.1f} centipawns, more than {MAX_ENGINE_ERROR}; "
                             "report this as a bug")

    def load(self, path):
        """Loads a network file and returns text that identifies what was loaded.

        Hidden layers stay random if the file has none.
        """
        try:
            parameters, checksum = from_bytes(pathlib.Path(path).read_bytes())
            if self.file.network.hidden and not parameters.architecture.hidden:
                self.network.load_features(parameters)
                return FEATURES_ALONE + identity(checksum)
            self.network.load_quantized(parameters)
        except (OSError, ValueError) as error:
            raise SystemExit(f"cannot start from {path}: {error}") from None
        return identity(checksum)

    def resume(self):
        """Restores the saved state; ends the program if it belongs to a run with other settings."""
        state = self.saved_state()
        saved = state["settings"]
        start = self.file.start
        if not start:
            self.settings["start"] = RANDOM_INITIALISATION
        elif pathlib.Path(start).exists() or saved.get("start") == RANDOM_INITIALISATION:
            self.settings["start"] = self.load(start)
        else:  # The start network is not needed to continue.
            self.settings["start"] = saved.get("start")
        differences = "; ".join(differing(saved, self.settings))
        if differences:
            raise SystemExit(f"{self.state} belongs to a run with other settings ({differences}); choose another --out")
        self.network.load_state_dict(state["network"])
        for group in state["optimizer"]["param_groups"]:
            # Not those of the device and the PyTorch version that saved the state.
            group |= {name: self.optimizer.defaults.get(name) for name in ("fused", "capturable", "lr")}
        self.optimizer.load_state_dict(state["optimizer"])
        self.seen, self.seconds, self.points = state["seen"], state["seconds"], state["points"]
        self.loss_sum, self.loss_count = state["loss_sum"], state["loss_count"]
        self.environments = state.get("environments", ["unknown"])
        self.validation_share = state.get("validation_share", self.validation_share)
        print(f"continuing after {self.seen:,} samples" if self.seen < self.file.samples else
              f"all {self.seen:,} samples of this run have been seen; only its results are written")

    def saved_state(self):
        """Returns the saved state; ends the program if it cannot be read or is none of a run."""
        try:
            state = torch.load(self.state, map_location=self.device)
        except Exception as error:  # of a damaged file: of many types
            reason = str(error).partition("\n")[0]
            raise SystemExit(f"cannot read {self.state}: {reason}; choose another --out, or delete it") from None
        required = {"network", "optimizer", *STATE} - ADDED
        if not isinstance(state, dict) or not required <= state.keys() or not isinstance(state["settings"], dict):
            raise SystemExit(f"{self.state} is not the state of a training run; choose another --out, or delete it")
        return state

    def save(self):
        """Saves the state of the run."""
        self.check_finite()
        state = {name: getattr(self, name) for name in STATE}
        state |= {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        # Not to the file itself: errors of PyTorch would not state that the disk is full.
        content = io.BytesIO()
        torch.save(state, content)
        write(self.state, content.getbuffer())

    def check_finite(self):
        """Ends the program if the loss or a parameter is not a finite number. The state remains the last valid one."""
        if not all(values.isfinite().all() for values in (self.loss_sum, *self.network.parameters())):
            raise SystemExit(f"diverged within {self.seen:,} samples: the loss or a parameter is not a finite number; "
                             "choose a smaller learning rate and another --out")

    def stop(self, *_):
        """Stops the run after the current batch. A second signal stops it immediately."""
        self.stopping = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def train(self):
        """Trains until the run has seen all its samples."""
        batch, end = self.file.schedule.batch, 0
        self.started = self.shown = self.saved = self.since = time.monotonic()
        self.first = self.seen
        if self.seen < self.file.samples and self.environments[-1:] != [self.environment]:
            self.environments.append(self.environment)
        for number, (files, stage) in enumerate(zip(self.stages, self.file.stage)):
            start, end = end, end + stage.samples // batch * batch
            if self.seen < end:
                self.train_stage(number, files, start, end)

    def train_stage(self, number, files, start, end):
        """Trains on the samples `start` to `end` - 1 of the run, those of one stage.

        The samples that remain in the memory of a GPU are released at the end, so that the next stage can use it.
        """
        stream = Stream(Store(files, self.device), self.file.schedule.batch, [self.file.seed, number], self.seen - start,
                        self.network.unordered_batch if self.device.type == "cpu" else None)
        try:
            self.train_until(end, stream)
        finally:
            stream.close()

    def train_until(self, end, stream):
        """Trains on the batches of a stream until the run has seen `end` samples."""
        self.network.train()
        while self.seen < end:
            self.step(next(stream))
            if self.seen >= self.next_point():
                self.add_point()
            now = time.monotonic()
            if self.stopping or now - self.saved > SECONDS_BETWEEN_STATES or self.seen == self.file.samples:
                self.seconds += now - self.since
                self.since = self.saved = now
                self.save()
            if self.stopping:
                raise SystemExit(f"stopped after {self.seen:,} samples; the same command continues")
            if now - self.shown > SECONDS_BETWEEN_LINES:
                self.show(now)

    def step(self, batch):
        """Makes one step of the optimiser with a batch, a packed one on a GPU."""
        rate = run_file.learning_rate(self.file.schedule, self.seen, self.file.samples)
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], torch.Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        self.update(batch)
        self.loss_count += self.file.schedule.batch
        self.seen += self.file.schedule.batch

    def update_parameters(self, batch):
        """Changes the parameters and `loss_sum`. Operations on a GPU do not wait for it, so that they can be recorded."""
        if isinstance(batch, torch.Tensor):
            batch = self.network.batch(batch)
        loss = target.loss(self.network, batch, self.file.target)
        # Not `backward`, which synchronises with other streams; a recording does not allow that.
        parameters = list(self.network.parameters())
        for parameter, gradient in zip(parameters, torch.autograd.grad(loss / len(batch.buckets), parameters)):
            parameter.grad = gradient
        self.optimizer.step()
        self.network.clip()
        self.loss_sum += loss.detach()

    def next_point(self):
        """Returns after how many samples the next point of the loss curves is due."""
        return self.file.samples * (len(self.points) + 1) / self.file.schedule.reports

    def add_point(self):
        """Adds points to the loss curves and prints them."""
        self.check_finite()
        training, validation = self.loss_sum.item() / self.loss_count, self.validation_loss()
        text = "" if validation is None else f", validation {validation:.6f}"
        print(f"{self.seen:,} samples: loss {training:.6f}{text}", flush=True)
        # A large batch may reach several points at once.
        while self.seen >= self.next_point():
            self.points.append((self.seen, training, validation))
        self.loss_sum.zero_()
        self.loss_count = 0

    def show(self, now):
        """Prints progress and speed."""
        speed = (self.seen - self.first) / (now - self.started)
        left = (self.file.samples - self.seen) / speed
        loss = self.loss_sum.item() / self.loss_count if self.loss_count else self.points[-1][1]
        print(f"{self.seen / self.file.samples:4.0%}, loss {loss:.6f}, {speed:,.0f} samples/s, {left / 60:.0f} min left",
              flush=True)
        self.shown = now

    def validation_loss(self):
        """Returns the mean loss over the validation file; None if there is none."""
        if not self.validation:
            return None
        loss = target.mean_loss(self.network, self.validation, self.file.target, self.device,
                                self.file.schedule.validation_samples or None)
        self.network.train()
        return loss

    def engine_error(self):
        """Returns the mean and the largest difference to the scores of the network's file, over a few samples.

        The unit is the centipawn. The engine truncates scores to centipawns.
        """
        file = self.validation or self.stages[0][0]
        records = bytes_of(file.chunk(0)[:ENGINE_CHECK])
        found, _ = from_bytes(to_bytes(self.network.quantized(), self.file.name))
        expected = engine_scores(found, self.network.batch(records))
        with torch.no_grad():
            scores = self.network(self.network.batch(records.to(self.device))).cpu().numpy() * OUTPUT_CENTIPAWNS
        error = numpy.abs(scores - expected)
        return float(error.mean()), float(error.max())

    def finish(self):
        """Writes the network, the loss curves and the record of the run."""
        path = self.network_path()
        content = to_bytes(self.network.quantized(), self.file.name)
        write(path, content)
        write(self.out / "run.toml", self.text)
        mean, largest = self.engine_error()
        draw(self.points, self.out / "loss.png")
        results = {"samples": self.seen, "seconds": round(self.seconds), "losses": self.points, "environments": self.environments,
                   "engine_error_mean": mean, "engine_error_largest": largest, "network": identity(from_bytes(content)[1]),
                   "validation_share": None if self.validation_share is None else self.validation_share / SHARE_UNIT}
        write_card(self.out / "card.json", self.settings, results)
        print(path)
        print(f"difference to the engine, which truncates scores to centipawns: mean {mean:.2f}, largest {largest:.1f}")
        self.check_engine_error(path, mean, largest)


def usable_device(name):
    """Returns the device of PyTorch with this name; ends the program if it cannot multiply matrices there."""
    try:
        device = torch.device(name)
        if device.type == "cuda":
            current = torch.cuda.current_device()
            device = torch.device("cuda", current if device.index is None else device.index)
            torch.cuda.set_device(device)
        numbers = torch.zeros(8, 8, dtype=number_type(device), device=device)
        matrices.product(numbers, numbers)
    except TypeError:
        raise SystemExit(f"cannot train on the device {name} with PyTorch {torch.__version__}, which has no product "
                         "of 16-bit matrices with 32-bit results; install a newer one (tried: 2.11), or use --device cpu") from None
    except (AssertionError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise SystemExit(f"cannot train on the device {name}: {reason}; use --device cpu") from None
    return device


def new_optimizer(parameters, settings, device):
    """Returns AdamW without a learning rate, which each step sets; for a GPU with operations that can be recorded.

    It changes all parameters in one pass if PyTorch has this on the device (CPU: from version 2.4).
    """
    arguments = {"betas": (settings.beta1, settings.beta2), "weight_decay": settings.weight_decay}
    parameters = list(parameters)
    if device.type == "cuda":
        arguments |= {"lr": torch.zeros((), device=device), "capturable": True}
    try:
        return torch.optim.AdamW(parameters, **arguments, fused=True)
    except (TypeError, RuntimeError):
        return torch.optim.AdamW(parameters, **arguments)


def differing(saved, settings, place=""):
    """Yields a description of each difference between two nested dictionaries."""
    for name, value in settings.items():
        old = saved.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            yield from differing(old, value, f"{place}{name}.")
        elif old != value:
            yield f"{place}{name} {old}, not {value}"


def main():
    args = arguments()
    memory.keep_freed_memory()
    with locked(args.out):
        run = Run(args)
        signal.signal(signal.SIGINT, run.stop)
        run.train()
        run.finish()


if __name__ == "__main__":
    main()
