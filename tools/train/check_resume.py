"""Whether a run that is stopped goes on as if it had not been, and whether a run begins with the network it is told to.

    python3 tools/train/check_resume.py SAMPLES FOLDER
"""

import pathlib
import signal
import sys

import netfile
import train


class Killed(train.Run):
    """A run that ends after so many steps, with no chance to say anything."""

    def __init__(self, args, steps):
        super().__init__(args)
        self.steps = steps

    def learn(self, records):
        if self.steps == 0:
            raise KeyboardInterrupt
        self.steps -= 1
        super().learn(records)


class Interrupted(Killed):
    """One that is asked by Ctrl-C to end then."""

    def learn(self, records):
        super().learn(records)
        if self.steps == 0:
            signal.raise_signal(signal.SIGINT)


def arguments(samples, out):
    out.mkdir(parents=True)
    return train.arguments([samples, "--name", "same", "--out", str(out), "--batch", "256", "--epochs", "2", "--threads", "1"])


def kill_after(args, steps):
    between = train.SECONDS_BETWEEN_STATES
    train.SECONDS_BETWEEN_STATES = -1  # a state after each step
    try:
        Killed(args, steps).train()
    except KeyboardInterrupt:
        return
    finally:
        train.SECONDS_BETWEEN_STATES = between
    raise SystemExit(f"a run of {args.epochs} epochs has ended after {steps} steps")


def interrupt_after(args, steps):
    run = Interrupted(args, steps)
    before = signal.signal(signal.SIGINT, run.stop)
    try:
        run.train()
    except SystemExit as error:
        if not str(error).startswith("stopped after epoch "):
            raise
        return
    finally:
        signal.signal(signal.SIGINT, before)
    raise SystemExit(f"Ctrl-C after {steps} steps did not end a run of {args.epochs} epochs")


def finished(args):
    """The network of a run that goes on to its end."""
    run = train.Run(args)
    run.train()
    run.finish()
    return (args.out / "same.net").read_bytes(), run.losses


def check_stops(samples, folder):
    whole = arguments(samples, folder / "whole")
    broken = arguments(samples, folder / "broken")
    batches = train.Run(broken).samples.training // broken.batch
    # Within the first epoch, within the second.
    for epoch, (stop_after, steps) in enumerate(((interrupt_after, batches // 2), (kill_after, batches))):
        stop_after(broken, steps)
        run = train.Run(broken)
        if (run.epoch, run.batch) != (epoch, batches // 2):
            raise SystemExit(f"saved were {run.epoch} epochs and {run.batch} batches, not {epoch} and {batches // 2}")
    network, losses = finished(whole)
    if finished(broken) != (network, losses):
        raise SystemExit("a run with breaks has learned something else")
    (whole.out / "same.net").unlink()
    if finished(whole) != (network, losses):
        raise SystemExit("a run that had ended has learned more")
    print("a run with breaks learns the same")


def check_start(samples, folder):
    path = folder / "whole" / "same.net"
    args = arguments(samples, folder / "started")
    args.start = path
    numbers, _ = netfile.from_bytes(path.read_bytes())
    if netfile.to_bytes(train.Run(args).network.rounded(), "same") != path.read_bytes():
        raise SystemExit("a run begins with another network than it was told to")
    other = train.Network(args.width // 2)
    try:
        other.begin_with(numbers)
    except ValueError:
        pass
    else:
        raise SystemExit("a network of another width was taken")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    args.start = folder / "other.net"
    args.start.write_bytes(content)
    try:
        train.Run(args)
    except SystemExit as error:
        if not str(error).endswith(": damaged"):
            raise
    else:
        raise SystemExit("a damaged network was taken")
    check_other_start(samples, folder)
    print("a run begins with the network it is told to")


def check_other_start(samples, folder):
    """A run that has begun with one network does not go on with another, nor need the file of its own."""
    args = arguments(samples, folder / "begun")
    path = folder / "whole" / "same.net"
    args.start = path
    kill_after(args, 1)
    args.start = None
    train.Run(args)
    other = folder / "whole" / "next.net"
    numbers, _ = netfile.from_bytes(path.read_bytes())
    other.write_bytes(netfile.to_bytes({**numbers, "biases": numbers["biases"] + 1}, "next"))
    whole = arguments(samples, folder / "chance")
    interrupt_after(whole, 1)
    for run in (args, whole):
        run.start = other
        try:
            train.Run(run)
        except SystemExit as error:
            if "start " not in str(error):
                raise
        else:
            raise SystemExit("a run that has begun with one network went on with another")


def main():
    samples, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    check_stops(samples, folder)
    check_start(samples, folder)


if __name__ == "__main__":
    main()
