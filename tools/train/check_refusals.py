"""Checks what the training refuses: another start, a folder in use, unreadable records, a computer without the packages.

    python3 tools/train/check_refusals.py SAMPLES VALIDATION FOLDER
"""

import pathlib
import struct
import subprocess
import sys
import zlib

import netfile
import record
import requirements
import samples
import train
from check_resume import arguments, fails, kill_after, rejects
from samples import HEADER, RECORD


def check_other_starts(files, folder):
    """Checks that an interrupted run does not continue with another start than its own."""
    network = folder / "start.net"
    network.write_bytes(netfile.to_bytes(train.Network(train.run_file.NetworkSettings()).quantized(), "start"))
    missing = folder / "missing.net"
    for name, start, other, reason in (("removed", network, "", "start checksum "), ("added", "", network, "start random initialisation, not"),
                                       ("mistyped", "", missing, f"cannot start from {missing}: ")):
        args = arguments(files, folder / name, start)
        kill_after(args, 1)
        text = args.run.read_text()
        args.run.write_text(text.replace(f'start = "{start}"', f'start = "{other}"'))
        rejects(args, reason)
        args.run.write_text(text)
        if train.Run(args).seen == 0:
            raise SystemExit("a run does not continue with its own start")
    print("runs continue with their own start only")


def check_lock(files, folder):
    """Checks that two processes do not train in one folder, and that a run that cannot begin leaves only what was there."""
    args = arguments(files, folder / "locked")
    program = pathlib.Path(train.__file__)
    command = [sys.executable, program, args.run, "--out", args.out, "--threads", "1", "--device", "cpu"]
    with record.locked(args.out):
        done = subprocess.run(command, capture_output=True, text=True)
    message = f"another process trains in {args.out}; wait for its end or choose another --out\n"
    if done.returncode != 1 or done.stderr != message:
        raise SystemExit(f"a second process ends with {done.returncode} and {done.stderr}")
    args.run.write_text("name = 1")
    for was_there in (True, False):
        if not was_there:
            args.out.rmdir()
        if subprocess.run(command, capture_output=True).returncode != 1 or args.out.exists() != was_there:
            raise SystemExit(f"after an error in the run file, {args.out} is not as it was before")
    print("one process trains in a folder")


def changed(path, folder, number, byte, value):
    """Writes a copy of a sample file of at most one chunk with another byte in a record, and returns its path."""
    content = bytearray(path.read_bytes())
    start = HEADER.size + number * RECORD.itemsize
    content[start + byte] = value
    end = len(content) - samples.CHECKSUM.itemsize
    content[end:] = struct.pack("<I", zlib.crc32(content[HEADER.size : end]))
    content[32:36] = struct.pack("<I", zlib.crc32(content[end:]))
    content[60:64] = struct.pack("<I", zlib.crc32(content[:60]))
    copy = folder / "changed"
    copy.write_bytes(content)
    return copy, start


def check_unreadable_records(validation, folder):
    """Checks that records which the decoder cannot read are rejected although their checksum is right."""
    path = pathlib.Path(validation)
    file = samples.SampleFile(path)
    if len(file.checksums) != 1:
        raise SystemExit(f"{path} has several chunks")
    number = file.count - 1
    for byte, value in ((26, 3), (27, 64), (28, 255), (8, 0x06), (8, 0x70)):
        copy, start = changed(path, folder, number, byte, value)
        fails(lambda: samples.read(copy), f"{copy}: record at byte {start}: not a position; write it again with `gaur-lab data samples`")
    # A board without pieces, and one with 64.
    for filling in (0x00, 0xFF):
        records = file.verified()
        records["occupied"][number] = int.from_bytes(8 * bytes([filling]), "little")
        if samples.first_unreadable(samples.bytes_of(records).numpy()) != number:
            raise SystemExit(f"a board full of {filling:x} is accepted")
    if samples.first_unreadable(samples.bytes_of(file.verified()).numpy()) != -1:
        raise SystemExit("valid records are rejected")
    print("unreadable records are rejected")


def check_requirements():
    """Checks the messages without the packages and with an old version of Python."""
    found = [requirements.missing(), requirements.missing((3, 10)), requirements.missing(find=lambda name: None if name == "torch" else name)]
    expected = [None, "Python 3.11 or newer is required, this is 3.10",
                "missing packages: torch; apt-get install python3-torch python3-numba python3-matplotlib, or pip install torch"]
    if found != expected:
        raise SystemExit(f"the requirements are {found}")


def main():
    *files, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    check_other_starts(files, folder)
    check_lock(files, folder)
    check_unreadable_records(files[1], folder)
    check_requirements()


if __name__ == "__main__":
    main()
