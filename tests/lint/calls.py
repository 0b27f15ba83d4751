#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""calls.py [BUILD DIRECTORY]: fails where files call each other in a circle; without a directory, in that of FRICIDD.

What a file calls, or which data of another it uses, stands in its object: the symbols that are not defined there."""

import os
import subprocess
import sys
from pathlib import Path

from circles import circles

BUILT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(os.environ["FRICIDD"]).parent)


def symbols():
    """Of each object, the symbols that it defines and those that it wants."""
    names = [str(path.relative_to(BUILT)) for folder in ("daemon", "client", "proto")
             for path in sorted((BUILT / folder).rglob("*.o"))]
    if not names:
        sys.exit(f"nothing was built in {BUILT}")
    defined, wanted = {name: set() for name in names}, {name: set() for name in names}
    listing = subprocess.run(["nm", "--print-file-name", "--extern-only", *names], check=True, cwd=BUILT,
                             stdout=subprocess.PIPE, text=True).stdout
    for name, row in (line.split(":", 1) for line in listing.splitlines()):
        *_, kind, symbol = row.split()
        (wanted if kind == "U" else defined)[name].add(symbol)
    return defined, wanted


def main():
    defined, wanted = symbols()
    home = {symbol: name for name, some in defined.items() for symbol in some - {"main"}}
    graph = {name: {home[symbol] for symbol in some if symbol in home} - {name} for name, some in wanted.items()}
    calls = sum(len(some) for some in graph.values())
    if not calls:
        sys.exit(f"no file of {BUILT} calls another")
    found = ["these files call each other: " + " ".join(sorted(circle)) for circle in circles(graph)]
    print("\n".join(found) or f"{len(graph)} files, {calls} pairs of one that calls another")
    sys.exit(1 if found else 0)


main()
