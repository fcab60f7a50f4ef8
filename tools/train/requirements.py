"""Ends the program with a message if Python is too old or a package is missing. Imported before these packages."""

import importlib.util
import sys

PACKAGES = ("numpy", "torch", "numba", "matplotlib")


def missing(version=sys.version_info, find=importlib.util.find_spec):
    """Returns what is missing and how to get it; None if nothing is."""
    if version < (3, 11):
        return f"Python 3.11 or newer is required, this is {version[0]}.{version[1]}"
    absent = [name for name in PACKAGES if find(name) is None]
    if not absent:
        return None
    return (f"missing packages: {', '.join(absent)}; apt-get install python3-torch python3-numba python3-matplotlib, "
            f"or pip install {' '.join(absent)}")


if missing():
    raise SystemExit(missing())
