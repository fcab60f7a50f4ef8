"""The record of a training run: settings, data and results as JSON, and the loss curves."""

import json

import matplotlib

POINT = ("seen", "training", "validation")  # samples seen, mean loss since the last point, loss on the validation file


def write_card(path, settings, results):
    """Writes settings and results as JSON."""
    path.write_text(json.dumps({**settings, "results": results}, indent=1) + "\n")


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
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
