"""Checks that networks are interpolated correctly and that unsuitable files are rejected. Writes FOLDER/half.net.

    python3 tools/train/check_interpolate.py START RUN VALIDATION OTHER_VALIDATION ORDERED FOLDER
"""

import json
import pathlib
import sys

import numpy

import interpolate
import netfile


def check_means(start, result):
    """Checks the interpolated networks for the weights 0, 0.5 and 1."""
    equal = lambda one, other: all(numpy.array_equal(one[part], other[part]) for part in one)
    zero_weight, full_weight = (interpolate.interpolated(start, result, weight) for weight in (0, 1))
    if not equal(zero_weight, start) or not equal(full_weight, result):
        raise SystemExit("with weight 0 or 1 the result differs from the network with all the weight")
    if equal(start, result):
        raise SystemExit("both networks are equal, so the check proves nothing")
    half = interpolate.interpolated(start, result, 0.5)
    for part in half:
        doubled = 2 * half[part] - start[part].astype(int) - result[part]
        if numpy.abs(doubled).max() > 1:
            raise SystemExit(f"{part}: with weight 0.5 the result is not the mean")


def check_rejection(reason, *files, is_fresh=False):
    """Checks that these files are rejected with a message that contains `reason`."""
    try:
        interpolate.Run(*files, is_fresh)
    except SystemExit as error:
        if reason not in str(error) or "\n" in str(error):
            raise
    else:
        raise SystemExit(f"not rejected: {reason}")


def main():
    start, run, samples, foreign, others, folder = map(pathlib.Path, sys.argv[1:])
    whole = interpolate.Run(start, run, samples)
    check_means(whole.start, whole.result)
    losses = whole.losses()
    if len(set(losses.values())) < 3:
        raise SystemExit("fewer than three different losses")
    (folder / "half.net").write_bytes(netfile.to_bytes(interpolate.interpolated(whole.start, whole.result, 0.5), "half"))
    interpolate.Run(start, run, others, is_fresh=True).losses()
    check_rejection("did not start from", folder / "half.net", run, samples)
    check_rejection(f"cannot read {folder / 'nowhere' / 'card.json'}: No such file", start, folder / "nowhere", samples)
    check_rejection("not for validation", start, run, others)
    check_rejection("not for comparison", start, run, samples, is_fresh=True)
    check_rejection("not for validation", start, run, samples.with_suffix(".samples"))
    check_rejection("is not the validation file", start, run, foreign)
    old = folder / "old"
    old.mkdir()
    card = json.loads((run / "card.json").read_text())
    path, target = old / "card.json", card["target"]
    features = {"start": f"feature weights of {card['start']}"}
    (old / f"{card['name']}.net").write_bytes((run / f"{card['name']}.net").read_bytes())
    for text, reason in [
        (json.dumps({name: value for name, value in card.items() if name != "target"}), f"{path} lacks target"),
        ("null", f"{path} lacks start, name, validation, target"),
        ("{", f"{path} is damaged"),
        (json.dumps(card | features), f"{old} started from the feature weights of {start} alone: their layers differ"),
        (json.dumps(card | {"start": "random initialisation"}), f"{old} started from random initialisation"),
        (json.dumps(card | {"target": target | {"scale": 200}}), f"{path}: unknown key target.scale"),
        (json.dumps(card | {"target": target | {"exponent": "2"}}), f"{path}: target.exponent must be a number"),
        (json.dumps(card | {"target": [1]}), f"{path}: target must be a table"),
    ]:
        path.write_text(text)
        check_rejection(reason, start, old, samples)
    # Networks that the training cannot compute, with a record that fits.
    unknown = netfile.to_bytes(whole.start, "unknown", whole.start.architecture._replace(is_mirrored=False))
    (folder / "unknown.net").write_bytes(unknown)
    for place, reason in ((folder / "unknown.net", "a board that is not mirrored"), (start, "another architecture")):
        path.write_text(json.dumps(card | {"start": f"checksum {netfile.read(place)[1]:08x}", "name": "unknown"}))
        (old / "unknown.net").write_bytes(unknown)
        check_rejection(reason, place, old, samples)
    print("interpolation is correct")


if __name__ == "__main__":
    main()
