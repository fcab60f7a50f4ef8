"""Checks that no run validates on games from which it, or a network before it, has learned.

    python3 tools/train/check_validation_share.py SAMPLES VALIDATION FOLDER

Both files must have a validation share of 0.1.
"""

import contextlib
import io
import json
import pathlib
import struct
import sys
import zlib

import netfile
import record
import train
from check_resume import arguments, finished, kill_after, rejects
from samples import HEADER


def with_share(path, share, folder):
    """Writes a copy of a sample file with another validation share, in ten-thousandths, and returns its path."""
    content = path.read_bytes()
    header = content[:14] + struct.pack("<H", share) + content[16 : HEADER.size - 4]
    copy = folder / f"{share}-{path.name}"
    copy.write_bytes(header + struct.pack("<I", zlib.crc32(header)) + content[HEADER.size :])
    return copy


def warnings_of(args):
    """Starts a run and returns its warnings, one per line."""
    with contextlib.redirect_stderr(io.StringIO()) as text:
        train.Run(args)
    return text.getvalue().splitlines()


def check_same_run(samples, validation, folder):
    """Checks that validation files with games of a training file are rejected."""
    rejects(arguments((samples, samples), folder / "training"), "contains samples for training, not for validation")
    larger = with_share(validation, 1001, folder)
    reason = f"{larger} contains games of {samples}: its share of the games is larger; write both again with the same --validation-share"
    rejects(arguments((samples, larger), folder / "larger"), reason)


def check_earlier_runs(samples, validation, folder):
    """Checks that validation files with games of an earlier run are rejected, and that all records state their share."""
    small = [with_share(path, 500, folder) for path in (samples, validation)]
    finished(arguments(small, folder / "first"))
    first, second = folder / "first" / "same.net", folder / "second" / "same.net"
    expect_share(first)
    rejected = (f"{validation} may contain games from which {{}} or a network before it has learned: its share of the games is larger "
                "than 0.05; write all samples again with --validation-share 0.05")
    rejects(arguments((samples, validation), folder / "leaking", first), rejected.format(first))
    args = arguments((samples, small[1]), folder / "second", first)
    if warnings_of(args):
        raise SystemExit("a run whose start network has a record warns")
    kill_after(args, 1)
    # The run continues without the record.
    (folder / "first" / "card.json").unlink()
    finished(args)
    expect_share(second)
    rejects(arguments((samples, validation), folder / "third", second), rejected.format(second))
    write_results(first, {"validation_share": 0.0, "network": identity_of(first)})
    rejects(arguments((samples, small[1]), folder / "none", first), "its share of the games is larger than 0; leave out validation")
    # Records of older versions do not identify the network.
    write_results(first, {"validation_share": 0.05})
    rejects(arguments((samples, validation), folder / "old", first), rejected.format(first))
    (folder / "first" / "card.json").unlink()


def identity_of(network):
    """Returns the text by which a record identifies a network file."""
    return record.identity(netfile.read(network)[1])


def write_results(network, results):
    """Replaces the record beside a network by one with these results alone."""
    (network.parent / "card.json").write_text(json.dumps({"results": results}))


def expect_warning(args, network, when):
    """Checks that a run warns that the games of its start network are unknown."""
    lines = warnings_of(args)
    if len(lines) != 1 or not lines[0].startswith(f"warning: {network} has no card.json that states"):
        raise SystemExit(f"{when} the warnings are {lines}")


def expect_share(network):
    """Checks that the record beside a network states the share of the first run."""
    share = json.loads((network.parent / "card.json").read_text())["results"]["validation_share"]
    if share != 0.05 or record.validation_share(network, identity_of(network)) != 500:
        raise SystemExit(f"{network} has the validation share {share}")


def check_unknown_games(samples, validation, folder):
    """Checks that a run warns if the games of its start network are unknown, unless it has no validation file."""
    network = folder / "first" / "same.net"
    card = network.parent / "card.json"
    identity = identity_of(network)
    results = [{"validation_share": "0.1", "network": identity}, {"validation_share": None, "network": identity},
               {"validation_share": 0.1, "network": "checksum 00000000"}]
    for number, text in enumerate((None, "{", "[]", "1", '{"results": {}}', *(json.dumps({"results": values}) for values in results))):
        if text is not None:
            card.write_text(text)
        args = arguments((samples, validation), folder / f"unknown-{number}", network)
        expect_warning(args, network, f"with the record {text}")
    # The games of the next network are not known, either.
    with contextlib.redirect_stderr(io.StringIO()):
        finished(args)
    second = args.out / "same.net"
    expect_warning(arguments((samples, validation), folder / "after-unknown", second), second, "after a network without a record")
    if warnings_of(arguments((samples, ""), folder / "without", network)):
        raise SystemExit("a run without a validation file warns")


def main():
    samples, validation, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True)
    check_same_run(samples, validation, folder)
    check_earlier_runs(samples, validation, folder)
    check_unknown_games(samples, validation, folder)
    print("no run validates on games from which it has learned")


if __name__ == "__main__":
    main()
