"""Checks that an interrupted run continues with the same result, and that a run starts from the given network.

    python3 tools/train/check_resume.py SAMPLES FOLDER
"""

import pathlib
import signal
import sys

import netfile
import train


class Killed(train.Run):
    """A run that ends without notice before step `steps` + 1."""

    def __init__(self, args, steps):
        super().__init__(args)
        self.steps = steps

    def step(self, records):
        if self.steps == 0:
            raise KeyboardInterrupt
        self.steps -= 1
        super().step(records)


class Interrupted(Killed):
    """A run that receives Ctrl-C after `steps` steps."""

    def step(self, records):
        super().step(records)
        if self.steps == 0:
            signal.raise_signal(signal.SIGINT)


def arguments(samples, out):
    """Creates the folder `out` and returns the arguments of a short run in it."""
    out.mkdir(parents=True)
    return train.arguments([samples, "--name", "same", "--out", str(out), "--batch", "256", "--epochs", "2", "--threads", "1"])


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
    raise SystemExit(f"a run of {args.epochs} epochs ended within {steps} steps")


def interrupt_after(args, steps):
    """Continues a run for `steps` steps and then interrupts it."""
    run = Interrupted(args, steps)
    previous = signal.signal(signal.SIGINT, run.stop)
    try:
        run.train()
    except SystemExit as error:
        if not str(error).startswith("stopped after epoch "):
            raise
        return
    finally:
        signal.signal(signal.SIGINT, previous)
    raise SystemExit(f"Ctrl-C after {steps} steps did not end a run of {args.epochs} epochs")


def finished(args):
    """Continues a run to its end and returns its network file and its losses."""
    run = train.Run(args)
    run.train()
    run.finish()
    return (args.out / "same.net").read_bytes(), run.losses


def check_interruptions(samples, folder):
    """Checks that interrupted runs have the same result as an uninterrupted one."""
    whole = arguments(samples, folder / "whole")
    interrupted = arguments(samples, folder / "interrupted")
    batches = train.Run(interrupted).samples.training // interrupted.batch
    # One interruption within the first epoch, one within the second.
    for epoch, (end_after, steps) in enumerate(((interrupt_after, batches // 2), (kill_after, batches))):
        end_after(interrupted, steps)
        run = train.Run(interrupted)
        if (run.epoch, run.batch) != (epoch, batches // 2):
            raise SystemExit(f"{run.epoch} epochs and {run.batch} batches were saved, not {epoch} and {batches // 2}")
    network, losses = finished(whole)
    if finished(interrupted) != (network, losses):
        raise SystemExit("the result of an interrupted run differs")
    (whole.out / "same.net").unlink()
    if finished(whole) != (network, losses):
        raise SystemExit("a completed run was continued")
    print("interrupted runs have the same result")


def check_start(samples, folder):
    """Checks that a run starts from the given network, and that unsuitable networks are rejected."""
    path = folder / "whole" / "same.net"
    args = arguments(samples, folder / "started")
    args.start = path
    parameters, _ = netfile.from_bytes(path.read_bytes())
    if netfile.to_bytes(train.Run(args).network.quantized(), "same") != path.read_bytes():
        raise SystemExit("a run starts from another network than the given one")
    smaller = train.Network(args.neurons // 2)
    try:
        smaller.load_quantized(parameters)
    except ValueError:
        pass
    else:
        raise SystemExit("a network with another number of neurons was accepted")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    args.start = folder / "damaged.net"
    args.start.write_bytes(content)
    try:
        train.Run(args)
    except SystemExit as error:
        if not str(error).endswith(": damaged"):
            raise
    else:
        raise SystemExit("a damaged network was accepted")
    check_other_start(samples, folder)
    print("runs start from the given network")


def check_other_start(samples, folder):
    """Checks that a run does not continue with another start network, and continues without the file of its own."""
    started = arguments(samples, folder / "continued")
    path = folder / "whole" / "same.net"
    started.start = path
    kill_after(started, 1)
    started.start = None
    train.Run(started)
    other = folder / "whole" / "other.net"
    parameters, _ = netfile.from_bytes(path.read_bytes())
    other.write_bytes(netfile.to_bytes({**parameters, "biases": parameters["biases"] + 1}, "other"))
    random = arguments(samples, folder / "random")
    interrupt_after(random, 1)
    for run in (started, random):
        run.start = other
        try:
            train.Run(run)
        except SystemExit as error:
            if "start " not in str(error):
                raise
        else:
            raise SystemExit("a run continued with another start network")


def main():
    samples, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    check_interruptions(samples, folder)
    check_start(samples, folder)


if __name__ == "__main__":
    main()
