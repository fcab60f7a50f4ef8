"""The record of a training run: settings, data and results as JSON, and the loss curves."""

import json
import platform

import matplotlib
import numba
import numpy
import torch

POINT = ("seen", "training", "validation")  # samples seen, mean loss since the last point, loss on the validation file


def write(path, content):
    """Writes a file: `content` is bytes or text, or a function that writes to the path that it gets.

    The file gets its name when it is complete. Ends the program with a message if it cannot be written.
    """
    new = path.with_name(path.name + ".new")
    try:
        if callable(content):
            content(new)
        else:
            new.write_bytes(content.encode() if isinstance(content, str) else content)
        new.replace(path)
    except (OSError, RuntimeError) as error:  # RuntimeError: of PyTorch
        raise SystemExit(f"cannot write {new}: {str(error).splitlines()[0]}") from None


def write_card(path, settings, results):
    """Writes settings and results as JSON."""
    write(path, json.dumps({**settings, "results": results}, indent=1) + "\n")


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
    write(path, lambda new: figure.savefig(new, dpi=120, format="png"))
    pyplot.close(figure)
