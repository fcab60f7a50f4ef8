#!/usr/bin/env python3
"""Lists the licences of the Rust crates that the programs of a release contain: gaur and gaur-ics.

Usage: tools/release/licences.py text TARGET...      for the archives of a release, with the texts of all licences
       tools/release/licences.py debian TARGET...    debian/copyright of the Debian package

Needs Cargo and the sources of the crates, which Cargo has downloaded for a build. Where a crate offers several licences,
Gaur uses the first one of CHOICES. Stops with an error if a crate has a licence that is not listed there, or no text.
"""

import json
import pathlib
import re
import subprocess
import sys

# The packages of the programs, as options of Cargo.
PACKAGES = ("-p", "gaur", "-p", "gaur-ics")

# Licences compatible with the GPL, the preferred one first, with their names in Debian.
CHOICES = {
    "MIT": "Expat",
    "Apache-2.0": "Apache-2.0",
    "Zlib": "Zlib",
    "BSD-2-Clause": "BSD-2-clause",
    "Unicode-3.0": "Unicode-3.0",
    "GPL-3.0-or-later": "GPL-3+",
}

# Beginnings of the names of the files with the text of a licence, in lower case. The first file found counts.
FILES = {
    "MIT": ("license-mit", "license_mit", "license", "copying"),
    "Apache-2.0": ("license-apache", "license_apache", "license"),
    "Zlib": ("license-zlib", "license"),
    "BSD-2-Clause": ("license-bsd", "license"),
    "Unicode-3.0": ("license-unicode",),
}

MIT_TERMS = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

# The licence of Gaur, whose text every release contains.
GPL_TERMS = """\
This library is licensed under the GNU General Public License, version 3 or later; see the file LICENSE of Gaur.
"""

RULE = "-" * 80


class Crate:
    """A crate in one of the programs."""

    def __init__(self, package):
        self.name = package["name"]
        self.version = package["version"]
        self.offer = package["license"] or sys.exit(f"{self.name} states no licence")
        self.folder = pathlib.Path(package["manifest_path"]).parent
        self.authors = [re.sub(r"\s*<[^>]*>", "", author) for author in package["authors"]]
        self.licences = choose(self.offer, self.name)

    def text(self, licence):
        """Returns the text of a licence as the crate contains it. A crate without one gets the standard text, if it has authors."""
        names = sorted(self.folder.iterdir())
        for beginning in FILES.get(licence, ()):
            for path in names:
                if path.is_file() and path.name.lower().startswith(beginning):
                    return path.read_text(encoding="utf-8").strip("\n")
        if licence == "GPL-3.0-or-later":
            holders = ", ".join(self.authors) or f"the authors of {self.name}"
            return f"Copyright (c) {holders}\n\n{GPL_TERMS}".rstrip("\n")
        if licence == "MIT" and self.authors:
            return f"Copyright (c) {', '.join(self.authors)}\n\n{MIT_TERMS}".rstrip("\n")
        sys.exit(f"{self.name} contains no text of its licence {licence}")

    def copyright(self):
        """Returns the copyright notices of the crate, else its authors."""
        found = []
        for licence in self.licences:
            for line in self.text(licence).splitlines():
                # Without a sign or a year, it is a sentence of the licence.
                notice = re.match(r"\s*Copyright\s+(?:(?:\(c\)|©)\s*|(?=\d{4}))(\S.*)", line, re.IGNORECASE)
                if notice and notice[1] not in found and "owner]" not in notice[1]:
                    found.append(notice[1].strip())
        return found or [", ".join(self.authors) or f"the authors of {self.name}"]


def choose(offer, name):
    """Returns the licences that apply under an SPDX expression in which OR and AND are not mixed inside parentheses."""
    terms = [term.strip() for term in re.split(r"\bAND\b", offer)]
    chosen = []
    for term in terms:
        options = [option.strip(" ()") for option in re.split(r"\bOR\b|/", term)]
        accepted = [licence for licence in CHOICES if licence in options]
        if not accepted:
            sys.exit(f"{name}: the licence {offer} is not among {', '.join(CHOICES)}: decide whether Gaur may use it")
        chosen.append(accepted[0])
    return chosen


def cargo(*arguments):
    """Returns what Cargo prints."""
    return subprocess.run(("cargo", *arguments, "--locked"), check=True, stdout=subprocess.PIPE, text=True).stdout


def crates_of(targets):
    """Returns the crates in the programs for these targets, and the version of Gaur."""
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    by_name = {(package["name"], package["version"]): package for package in packages}
    wanted = set()
    for target in targets:
        tree = ("tree", *PACKAGES, "-e", "normal,no-proc-macro", "--target", target, "--prefix", "none", "--format", "{p}")
        # A blank line separates the packages.
        for line in filter(None, cargo(*tree).splitlines()):
            name, version = line.split()[:2]
            wanted.add((name, version.removeprefix("v")))
    version = next(version for name, version in wanted if name == "gaur")
    return [Crate(by_name[key]) for key in sorted(wanted) if key[0] not in PACKAGES], version


def as_text(crates, version):
    """Returns the list for people: a table, then every text of a licence once, with the crates that have it."""
    texts = {}
    for crate in crates:
        for licence in crate.licences:
            texts.setdefault(crate.text(licence), []).append(f"{crate.name} {crate.version} ({licence})")
    width = max(len(f"{crate.name} {crate.version}") for crate in crates)
    rows = (f"{crate.name + ' ' + crate.version:{width}}  {crate.offer}" for crate in crates)
    standard = f"Copyright (c) The Rust Project contributors\n\n{MIT_TERMS}"
    parts = [
        f"Gaur {version} is licensed under the GNU General Public License, version 3 or later; see the file LICENSE.\n\n"
        "The programs of this release also contain the Rust standard library (MIT OR Apache-2.0) and these crates:\n\n"
        + "\n".join(rows)
        + "\n\nThe program gaur for Linux in archives contains the GNU C Library (LGPL-2.1-or-later) and the support library of GCC\n"
        "(GPL-3.0-or-later with the GCC Runtime Library Exception), the programs for Windows the run-time library of MinGW-w64\n"
        "(Zope Public License 2.1, and public domain) and that support library.\n\n"
        "Where several licences are offered, Gaur uses MIT if possible, else Apache-2.0. Their texts follow.\n",
        f"{RULE}\nRust standard library (MIT)\n{RULE}\n\n{standard}",
    ]
    for text, users in texts.items():
        parts.append(f"{RULE}\n" + "\n".join(users) + f"\n{RULE}\n\n{text}\n")
    return "\n".join(parts)


def folded(text):
    """Returns a text as the continuation lines of a field of a Debian control file."""
    return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.strip("\n").splitlines())


def as_debian(crates, version):
    """Returns the file debian/copyright, machine-readable (DEP 5)."""
    paragraphs = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Gaur\n"
        f"Comment: The programs contain the crates below, as `cargo vendor --versioned-dirs` writes them to vendor/\n"
        f" in the source of Gaur {version}. Where a crate offers several licences, Gaur uses the one stated. The programs\n"
        " also contain the Rust standard library (MIT or Apache-2.0, The Rust Project contributors).",
        "Files: *\nCopyright: the authors of Gaur, as its git history names them\nLicense: GPL-3+",
    ]
    used = {}
    for crate in crates:
        names = [CHOICES[licence] for licence in crate.licences]
        for licence in crate.licences:
            used.setdefault(licence, crate)
        notices = "\n           ".join(crate.copyright())
        paragraphs.append(
            f"Files: vendor/{crate.name}-{crate.version}/*\n"
            f"Copyright: {notices}\n"
            f"License: {' and '.join(names)}\n"
            f"Comment: offered under {crate.offer}"
        )
    paragraphs.append(
        "License: GPL-3+\n This program is free software: you can redistribute it and/or modify it under the terms of the GNU\n"
        " General Public License as published by the Free Software Foundation, either version 3 of the License, or (at\n"
        " your option) any later version.\n .\n"
        " On Debian systems, the full text of the GNU General Public License version 3 is in the file\n"
        " /usr/share/common-licenses/GPL-3."
    )
    for licence, crate in sorted(used.items()):
        if licence == "GPL-3.0-or-later":
            continue
        if licence == "MIT":
            text = MIT_TERMS
        elif licence == "Apache-2.0":
            text = (
                "On Debian systems, the full text of the Apache License version 2.0 is in the file\n"
                "/usr/share/common-licenses/Apache-2.0."
            )
        else:
            text = crate.text(licence)
        paragraphs.append(f"License: {CHOICES[licence]}\n{folded(text)}")
    return "\n\n".join(paragraphs) + "\n"


def main():
    """Prints the list."""
    forms = {"text": as_text, "debian": as_debian}
    if len(sys.argv) < 3 or sys.argv[1] not in forms:
        sys.exit(__doc__)
    crates, version = crates_of(sys.argv[2:])
    print(forms[sys.argv[1]](crates, version), end="")


main()
