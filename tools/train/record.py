"""The record of a training run: settings, data and results as JSON, and the loss curves."""

import contextlib
import errno
import fcntl
import io
import json
import os
import platform

import matplotlib
import numba
import numpy
import torch

from samples import SHARE_UNIT

RANDOM_INITIALISATION = "random initialisation"  # value of "start" of a run without a start network
FEATURES_ALONE = "feature weights of "  # before the checksum of a start network whose other layers were not taken
POINT = ("seen", "training", "validation")  # samples seen, mean loss since the last point, loss on the validation file
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # of the disk, the quota, or a file at its largest size


def write(path, content):
    """Writes a file of bytes or text.

    The file gets its name when it is complete and on the disk. Ends the program with a message if it cannot be written;
    an existing file then remains.
    """
    new = path.with_name(path.name + ".new")
    try:
        with open(new, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink()  # makes room, if only a little
        remedy = "make room" if error.errno in FULL else "make it writable"
        raise SystemExit(f"cannot write {error.filename or path}: {error.strerror}; {remedy} and repeat the command") from None
    with contextlib.suppress(OSError):  # not every file system can do this
        sync_folder(path.parent)


@contextlib.contextmanager
def locked(folder):
    """Creates a folder and keeps other processes from training in it; removes it at the end if it is new and empty."""
    is_new = not folder.exists()
    try:
        descriptor = open_locked(folder)
    except BlockingIOError:
        raise SystemExit(f"another process trains in {folder}; wait for its end or choose another --out") from None
    except OSError as error:
        raise SystemExit(f"cannot create and lock {folder}: {error}; choose --out on another disk") from None
    try:
        yield
    finally:
        if is_new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        os.close(descriptor)


def open_locked(folder):
    """Creates a folder if there is none, locks it and returns its descriptor."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another process may have removed the folder before it ended the lock.
            if folder.exists() and os.path.samestat(os.fstat(descriptor), folder.stat()):
                return descriptor
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)


def sync_folder(folder):
    """Makes sure that the names of new files survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_card(path, settings, results):
    """Writes settings and results as JSON."""
    write(path, json.dumps({**settings, "results": results}, indent=1) + "\n")


def identity(checksum):
    """Returns text that identifies a network file by its checksum."""
    return f"checksum {checksum:08x}"


def validation_share(network, expected):
    """Returns the share of the games, in ten-thousandths, from which neither a network nor those before it have learned.

    The record beside the network file states it. Returns None without a record of this network, whose `identity` is
    `expected`, or if a network before it had none. Records of older versions identify no network and count.
    """
    try:
        results = json.loads((network.parent / "card.json").read_text())["results"]
        return round(results["validation_share"] * SHARE_UNIT) if results.get("network", expected) == expected else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def environment(device, threads):
    """Returns what determines the rounding of sums besides the run file: threads, device and versions."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
    return {"threads": threads, "device": name, "processor": platform.machine(), "python": platform.python_version(),
            "pytorch": str(torch.__version__), "numpy": numpy.__version__, "numba": numba.__version__}


def draw(points, path):
    """Draws the loss curves."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for column in (1, 2):
        values = [point[column] for point in points]
        if None not in values:
            axes.plot([point[0] / 1e6 for point in points], values, marker="o", markersize=3, label=POINT[column])
    axes.set_xlabel("million samples seen")
    axes.set_ylabel("loss")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    content = io.BytesIO()
    figure.savefig(content, dpi=120, format="png")
    write(path, content.getbuffer())
    pyplot.close(figure)
