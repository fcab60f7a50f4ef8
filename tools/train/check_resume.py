"""Checks that an interrupted run continues with the same result, and that a run starts from the given network.

    python3 tools/train/check_resume.py SAMPLES VALIDATION FOLDER
"""

import contextlib
import io
import json
import os
import pathlib
import resource
import signal
import sys
import weakref

import torch

import netfile
import record
import train
from run_file import NetworkSettings
from samples import SampleFile


class Killed(train.Run):
    """A run that ends without notice before step `steps` + 1."""

    def __init__(self, args, steps):
        super().__init__(args)
        self.steps = steps

    def step(self, batch):
        if self.steps == 0:
            raise KeyboardInterrupt
        self.steps -= 1
        super().step(batch)


class Interrupted(Killed):
    """A run that receives Ctrl-C after `steps` steps."""

    def step(self, batch):
        super().step(batch)
        if self.steps == 0:
            signal.raise_signal(signal.SIGINT)


BATCH = 256
RUN_FILE = """
name = "same"
start = "{start}"
validation = "{validation}"
[schedule]
batch = {batch}
warm_up = 512
reports = 4
[network]
{network}
[[stage]]
training = ["{samples}"]
samples = {first}
[[stage]]
training = ["{samples}"]
samples = {second}
"""


HIDDEN_NETWORK = """
neurons = 128
king_buckets = 4
hidden = [16, 32]
"""


def arguments(files, out, start="", network=""):
    """Creates the folder `out` and returns the arguments of a short run in it, of two passes over the samples."""
    samples, validation = files
    out.mkdir(parents=True)
    count = SampleFile(pathlib.Path(samples)).count
    values = {"samples": samples, "validation": validation, "start": start, "network": network, "batch": BATCH}
    return write(out, RUN_FILE.format(**values, first=count + BATCH, second=count))


def write(out, text):
    """Writes a run file and returns the arguments of its run."""
    path = out.with_suffix(".toml")
    path.write_text(text)
    return train.arguments([str(path), "--out", str(out), "--threads", "1", "--device", "cpu"])


def check_threads(folder):
    """Checks that a run uses no more threads than the processors on which it may run."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(allowed)])
    try:
        threads = train.arguments([str(folder / "whole.toml"), "--out", str(folder)]).threads
    finally:
        os.sched_setaffinity(0, allowed)
    if threads != 1:
        raise SystemExit(f"{threads} threads on one processor")


def kill_after(args, steps):
    """Continues a run for `steps` steps. It saves its state after each step and then ends without notice."""
    between = train.SECONDS_BETWEEN_STATES
    train.SECONDS_BETWEEN_STATES = -1
    try:
        Killed(args, steps).train()
    except KeyboardInterrupt:
        return
    finally:
        train.SECONDS_BETWEEN_STATES = between
    raise SystemExit(f"a run ended within {steps} steps")


def interrupt_after(args, steps):
    """Continues a run for `steps` steps and then interrupts it."""
    run = Interrupted(args, steps)
    previous = signal.signal(signal.SIGINT, run.stop)
    try:
        run.train()
    except SystemExit as error:
        if not str(error).startswith("stopped after "):
            raise
        return
    finally:
        signal.signal(signal.SIGINT, previous)
    raise SystemExit(f"Ctrl-C after {steps} steps did not end a run")


def finished(args):
    """Continues a run to its end and returns its network file and its loss curves."""
    run = train.Run(args)
    run.train()
    run.finish()
    return (args.out / "same.net").read_bytes(), run.points


def convert_to_gpu(path):
    """Changes a state so that its optimiser has the settings of a GPU, except for the device."""
    state = torch.load(path)
    for group in state["optimizer"]["param_groups"]:
        group |= {"lr": torch.tensor(group["lr"]), "capturable": True}
    torch.save(state, path)


def check_interruptions(files, folder, network=""):
    """Checks that interrupted runs have the same result as an uninterrupted one."""
    whole = arguments(files, folder / "whole", network=network)
    interrupted = arguments(files, folder / "interrupted", network=network)
    batches = train.Run(interrupted).file.samples // BATCH
    # One interruption in the first stage, one in the second.
    for steps, end_after in ((batches // 4, interrupt_after), (batches // 2, kill_after)):
        before = train.Run(interrupted).seen
        end_after(interrupted, steps)
        seen = train.Run(interrupted).seen
        if seen != before + steps * BATCH:
            raise SystemExit(f"{seen} samples were saved, not {before + steps * BATCH}")
    network, points = finished(whole)
    convert_to_gpu(interrupted.out / "state.pt")
    if finished(interrupted) != (network, points):
        raise SystemExit("the result of an interrupted run differs")
    if [point[0] // BATCH for point in points] != [-(-batches * number // 4) for number in range(1, 5)]:
        raise SystemExit(f"the loss curves have the points {points}")
    (whole.out / "same.net").unlink()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        again = finished(whole)
    if again != (network, points):
        raise SystemExit("a completed run was continued")
    if not printed.getvalue().startswith(f"all {train.Run(whole).file.samples:,} samples of this run have been seen"):
        raise SystemExit(f"a completed run printed {printed.getvalue()}")
    print("interrupted runs have the same result")


def check_old_state(files, folder):
    """Checks that a run continues from a state without a record of threads, device and versions."""
    args = arguments(files, folder / "old")
    kill_after(args, 1)
    state = torch.load(args.out / "state.pt")
    del state["environments"]
    torch.save(state, args.out / "state.pt")
    finished(args)
    environments = json.loads((args.out / "card.json").read_text())["results"]["environments"]
    current = {"threads": 1, "device": "cpu", "pytorch": torch.__version__}
    if len(environments) != 2 or environments[0] != "unknown" or not current.items() <= environments[1].items():
        raise SystemExit(f"the record of the run has the environments {environments}")


class Diverging(Killed):
    """A run in which a parameter is not a number after `steps` steps."""

    def step(self, batch):
        if self.steps == 0:
            self.network.biases.data[0] = float("nan")
            self.steps = -1
        else:
            super().step(batch)


def check_divergence(files, folder):
    """Checks that a run ends when it has diverged, and that it keeps its last valid state."""
    args = arguments(files, folder / "diverged")
    kill_after(args, 2)
    for steps, between in ((0, -1), (1, train.SECONDS_BETWEEN_STATES)):
        default, train.SECONDS_BETWEEN_STATES = train.SECONDS_BETWEEN_STATES, between
        try:
            Diverging(args, steps).train()
        except SystemExit as error:
            if not str(error).startswith("diverged") or "\n" in str(error):
                raise
        else:
            raise SystemExit("a run with a parameter that is not a number did not end")
        finally:
            train.SECONDS_BETWEEN_STATES = default
        if train.Run(args).seen != 2 * BATCH:
            raise SystemExit("the state of a diverged run was saved")
    print("diverged runs end")


def check_engine_limit(files, folder):
    """Checks that a run ends with an error, but with its network, if the scores differ too much from the engine's."""
    args = arguments(files, folder / "inexact")
    run = train.Run(args)
    limit, train.MAX_ENGINE_ERROR = train.MAX_ENGINE_ERROR, 0
    try:
        run.finish()
    except SystemExit as error:
        if "scores differ" not in str(error) or "\n" in str(error):
            raise
    else:
        raise SystemExit("a network with other scores than the engine's was accepted")
    finally:
        train.MAX_ENGINE_ERROR = limit
    if not (args.out / "same.net").exists() or not (args.out / "card.json").exists():
        raise SystemExit("a network with other scores than the engine's was not written")


class RecordingStore(train.Store):
    """A store of samples that checks that no other one exists: on a GPU it would take the memory of the new one."""

    existing = weakref.WeakSet()

    def __init__(self, *arguments):
        if self.existing:
            raise SystemExit("the samples of the previous stage are still in memory")
        self.existing.add(self)
        super().__init__(*arguments)


class InexactStart(train.Run):
    """A run whose scores differ from the engine's after it has loaded its start network."""

    is_loaded = False

    def load(self, path):
        self.is_loaded = True
        return super().load(path)

    def engine_error(self):
        return (9.0, 9.0) if self.is_loaded else super().engine_error()


def check_stages(files, folder):
    """Checks that the samples of a stage are released before those of the next one are read."""
    store, train.Store = train.Store, RecordingStore
    try:
        finished(arguments(files, folder / "stages"))
    finally:
        train.Store = store


def check_other_settings(folder):
    """Checks that a run does not continue with other settings."""
    path = folder / "whole.toml"
    text = path.read_text()
    path.write_text(text.replace("warm_up = 512", "warm_up = 513"))
    args = train.arguments([str(path), "--out", str(folder / "whole")])
    rejects(args, "schedule.warm_up 512, not 513")
    path.write_text(text)


def rejects(args, reason, kind=train.Run):
    """Checks that a run of the class `kind` ends at once with a message that contains `reason`."""
    try:
        kind(args)
    except SystemExit as error:
        if reason not in str(error) or "\n" in str(error):
            raise
    else:
        raise SystemExit(f"not rejected: {reason}")


def check_unwritable_state(files, folder):
    """Checks that a run whose state cannot be written ends with a message, and keeps the previous state."""
    args = arguments(files, folder / "unwritable")
    kill_after(args, 1)
    state = args.out / "state.pt"
    new = args.out / "state.pt.new"
    new.mkdir()
    fails(lambda: kill_after(args, 1), f"cannot write {new}: Is a directory; make it writable and repeat the command")
    new.rmdir()
    full = "make room and repeat the command"
    new.symlink_to("/dev/full")
    fails(lambda: kill_after(args, 1), f"cannot write {state}: No space left on device; {full}")
    if os.path.lexists(new):
        raise SystemExit(f"{new} remains on a full disk")
    # Only a part of the file fits.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    content = state.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(content) // 2, limits[1]))
    try:
        fails(lambda: record.write(state, content), f"cannot write {state}: File too large; {full}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    if new.exists() or state.read_bytes() != content or train.Run(args).seen != BATCH:
        raise SystemExit("the previous state is lost, or a part of the new one remains")
    print("states that cannot be written are reported")


def check_overwriting(files, folder):
    """Checks that a run without a state does not replace the results of another one."""
    args = arguments(files, folder / "complete")
    finished(args)
    state, card = args.out / "state.pt", args.out / "card.json"
    state.unlink()
    rejects(args, f"{card} exists already, but not the state of its run, {state}; choose another --out")
    card.unlink()
    rejects(args, f"{args.out / 'same.net'} exists already")
    print("results of other runs are kept")


def check_foreign_states(files, folder):
    """Checks that files of PyTorch that are not states of a run are rejected."""
    args = arguments(files, folder / "foreign")
    kill_after(args, 1)
    path = args.out / "state.pt"
    state = torch.load(path)
    weights = {name: state[name] for name in ("network", "optimizer")}
    for foreign in ([1.0], {}, {1: 2}, weights, state | {"settings": []}, torch.zeros(3)):
        torch.save(foreign, path)
        rejects(args, f"{path} is not the state of a training run; choose another --out, or delete it")
    path.write_bytes(b"damaged")
    rejects(args, "; choose another --out, or delete it")
    print("foreign states are rejected")


def fails(function, message):
    """Checks that `function` ends the program with this message."""
    try:
        function()
    except SystemExit as error:
        if str(error) != message:
            raise
    else:
        raise SystemExit(f"no error: {message}")


def check_start(files, folder, network=""):
    """Checks that a run starts from the network of a completed one."""
    path = folder / "whole" / "same.net"
    started = arguments(files, folder / "started", path, network)
    if netfile.to_bytes(train.Run(started).network.quantized(), "same") != path.read_bytes():
        raise SystemExit("a run starts from another network than the given one")
    return started, path


def check_start_of_hidden_layers(files, folder):
    """Checks that a run with hidden layers starts from the feature weights of a network without them, of the same width."""
    plain = train.Network(NetworkSettings(neurons=128, king_buckets=4))
    path = folder / "plain.net"
    path.write_bytes(netfile.to_bytes(plain.quantized(), "plain"))
    args = arguments(files, folder / "of_plain", path, HIDDEN_NETWORK)
    found, expected = train.Run(args).network.quantized(), plain.quantized()
    if any((found[part] != expected[part]).any() for part in ("biases", "feature_weights")):
        raise SystemExit("a run with hidden layers starts from other feature weights than the given ones")
    kill_after(args, 1)
    if train.Run(args).settings["start"] != f"feature weights of checksum {netfile.from_bytes(path.read_bytes())[1]:08x}":
        raise SystemExit("the record of a run does not state that it started from feature weights")
    other = HIDDEN_NETWORK.replace("128", "256")
    rejects(arguments(files, folder / "of_narrow", path, other), "another architecture: neurons 128, not 256")


def check_unsuitable_starts(files, folder, started, path):
    """Checks that runs do not start from networks that are unsuitable or differ from the one of the run."""
    parameters, _ = netfile.from_bytes(path.read_bytes())
    rejects(started, "scores differ from the engine's by 9.0", InexactStart)
    smaller = train.Network(NetworkSettings(neurons=256))
    try:
        smaller.load_quantized(parameters)
    except ValueError:
        pass
    else:
        raise SystemExit("a network with another number of neurons was accepted")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    damaged = folder / "damaged.net"
    damaged.write_bytes(content)
    rejects(arguments(files, folder / "of_damaged", damaged), ": damaged")
    # A run does not continue with another start network, and continues without its own one.
    own = folder / "own.net"
    own.write_bytes(path.read_bytes())
    continued = arguments(files, folder / "continued", own)
    kill_after(continued, 1)
    own.unlink()
    train.Run(continued)
    parameters["biases"] = parameters["biases"] + 1
    own.write_bytes(netfile.to_bytes(parameters, "other"))
    rejects(continued, "start ")
    print("runs start from the given network")


WRONG_RUN_FILES = {
    "name = ": "Invalid value",
    'name = "a"': "stage is missing",
    'name = "a"\nstage = []': "stage must be at least one table",
    'name = "a/b"\n[[stage]]\ntraining = ["x"]\nsamples = 20000': "name must be 1 to 31 bytes",
    'name = "a\\u0000b"\n[[stage]]\ntraining = ["x"]\nsamples = 20000': "name must be 1 to 31 bytes",
    'name = "a\\nb"\n[[stage]]\ntraining = ["x"]\nsamples = 20000': "name must be 1 to 31 bytes",
    'name = "a"\n[[stage]]\ntraining = ["x", "y", "./x"]\nsamples = 20000': "training must be a list of different files",
    'name = "a"\nepochs = 3': "unknown key epochs",
    'name = "a"\n[network]\nneurons = 512.5': "network.neurons must be an integer",
    'name = "a"\nseed = 10_000_000_000_000_000_000\n[[stage]]\ntraining = ["x"]\nsamples = 20000': "seed must be 0 to",
    'name = "a"\n[network]\nneurons = 500': "network.neurons must be one of 64, 128",
    'name = "a"\n[network]\nking_buckets = 3': "network.king_buckets must be 1 or 4",
    'name = "a"\n[network]\nhidden = [8, 32]': "network.hidden must be [] or [16, 32]",
    'name = "a"\n[network]\nhidden = [16, true]': "network.hidden must be [] or [16, 32]",
    'name = "a"\n[network]\nneurons = 64\nhidden = [16, 32]': "network.neurons must be a multiple of 128",
    'name = "a"\n[target]\nlambda_share = 0.8\nresult_share = 0.4': "target.result_share must be at most",
    'name = "a"\n[schedule]\nlearning_rate = true': "schedule.learning_rate must be a number",
    'name = "a"\n[optimiser]\nweight_decay = inf': "optimiser.weight_decay must be a finite number",
    'name = "a"\n[schedule]\nbatch = 1000\nwarm_up = 15_001\n[[stage]]\ntraining = ["x"]\nsamples = 20000':
        "schedule.warm_up must be with decay (5000) at most all samples (20000)",
    'name = "a"\n[schedule]\nbatch = 1000\nwarm_up = 15_000\n[[stage]]\ntraining = ["/nowhere"]\nsamples = 20000':
        "cannot read /nowhere",
    'name = "a"\n[schedule]\nbatch = 1000\nwarm_up = 10_001\ndecay = 10_000\n[[stage]]\ntraining = ["x"]\nsamples = 20000':
        "schedule.warm_up must be with decay (10000)",
    'name = "a"\n[[stage]]\ntraining = ["x"]\nsamples = 100': "samples must be at least one batch",
    'name = "a"\n[[stage]]\ntraining = ["/nowhere"]\nsamples = 20000': "cannot read /nowhere",
    'name = "a"\n[[stage]]\ntraining = ["a\\u0000b"]\nsamples = 20000': "cannot read a",
}


def check_run_files(folder):
    """Checks that wrong run files are rejected with a message that names the key."""
    for text, reason in WRONG_RUN_FILES.items():
        rejects(write(folder / "wrong", text), reason)
    print("wrong run files are rejected")


def main():
    *files, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    check_interruptions(files, folder)
    check_interruptions(files, folder / "hidden", HIDDEN_NETWORK)
    check_old_state(files, folder)
    check_divergence(files, folder)
    check_engine_limit(files, folder)
    check_stages(files, folder)
    check_other_settings(folder)
    check_unwritable_state(files, folder)
    check_overwriting(files, folder)
    check_foreign_states(files, folder)
    check_start(files, folder / "hidden", HIDDEN_NETWORK)
    check_start_of_hidden_layers(files, folder)
    check_unsuitable_starts(files, folder, *check_start(files, folder))
    check_run_files(folder)
    check_threads(folder)


if __name__ == "__main__":
    main()
