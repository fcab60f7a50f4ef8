"""Whether networks are blended as they should be, and only those that belong together. Writes FOLDER/half.net.

    python3 tools/train/check_blend.py FIRST RUN SAMPLES OTHER_SAMPLES FOLDER
"""

import pathlib
import sys

import numpy

import blend
import netfile


def check_means(first, second):
    same = lambda one, other: all(numpy.array_equal(one[part], other[part]) for part in one)
    if not same(blend.between(first, second, 0), first) or not same(blend.between(first, second, 1), second):
        raise SystemExit("all of one network is not that network")
    if same(first, second):
        raise SystemExit("the networks are the same; nothing is compared")
    half = blend.between(first, second, 0.5)
    for part in half:
        doubled = 2 * half[part] - first[part].astype(int) - second[part]
        if numpy.abs(doubled).max() > 1:
            raise SystemExit(f"{part}: half of both is not between them")


def check_refusal(reason, *files, is_fresh=False):
    try:
        blend.Run(*files, is_fresh)
    except SystemExit as error:
        if reason not in str(error):
            raise
    else:
        raise SystemExit(f"taken though: {reason}")


def main():
    first, run, samples, others, folder = map(pathlib.Path, sys.argv[1:])
    whole = blend.Run(first, run, samples)
    check_means(whole.first, whole.second)
    losses = whole.losses()
    if len(set(losses.values())) < 3:
        raise SystemExit("the losses hardly differ")
    (folder / "half.net").write_bytes(netfile.to_bytes(blend.between(whole.first, whole.second, 0.5), "half"))
    fresh = blend.Run(first, run, others, is_fresh=True).samples
    if fresh.validation != len(fresh.records):
        raise SystemExit("not all fresh positions decide")
    check_refusal("has not begun with", folder / "half.net", run, samples)
    check_refusal("card of the run", first, folder / "nowhere", samples)
    check_refusal("has learned from other samples", first, run, others)
    check_refusal("are not fresh", first, run, samples, is_fresh=True)
    print("networks are blended as they should be")


if __name__ == "__main__":
    main()
