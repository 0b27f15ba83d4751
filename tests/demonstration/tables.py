# SPDX-License-Identifier: GPL-3.0-or-later
"""What ./quickstart prints around the programs' own output.

    tables.py truth CONFIGURATION < RESULT     one result beside what the simulated rig was told
    tables.py offline < LINES                  what fricidd --offline found, a line a decay
"""

import json
import math
import os
import re
import sys

GRAVITY = 9.80665


PLAIN = str.maketrans({"ζ": "zeta", "μ": "mu", "±": "+/-", "·": " "})


def letters(text):
    """The text, in plain letters where the locale has no others."""
    name = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "C")
    return text if name.lower().replace("-", "").endswith("utf8") else text.translate(PLAIN)


def told(path):
    """The figures of the simulated rig's mechanics as they stand in its configuration."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"(?m)(#|//).*$", "", file.read())
    source = text[text.index('"simulated"') :]
    return {key: float(value) for key, value in re.findall(r"(\w+)\s*=\s*([-+.\deE]+)\s*;", source)}


def figure(estimate, unit):
    """Value ± standard error, rounded by the error."""
    value, error = estimate["value"], estimate["se"]
    if value is None or not error:
        return f"{'none' if value is None else f'{value:g}'} {unit} ({estimate['reason']})"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return letters(f"{value:.{decimals}f} ± {error:.{decimals}f} {unit}").rstrip()


def print_truth(path):
    rig, result = told(path), json.load(sys.stdin)
    found = {**result[result["recommended"]], **result["physical"]}
    mass, stiffness, zeta, f_k = (rig[key] for key in ("mass_kg", "stiffness_n_per_m", "zeta", "f_k_n"))
    rows = (
        ("f_n", "f_n_hz", math.sqrt(stiffness / mass) / (2 * math.pi), "Hz"),
        ("ζ", "zeta", zeta, ""),
        ("x_k", "x_k", 1000 * f_k / stiffness, "mm"),
        ("c", "c_n_s_per_m", 2 * zeta * math.sqrt(stiffness * mass), "N·s/m"),
        ("f_k", "f_k_n", f_k, "N"),
        ("μ", "mu", f_k / (mass * GRAVITY), ""),
    )
    print(f"  {'':4} {'told to the rig':18} {'identified':28} off by")
    for name, key, truth, unit in rows:
        estimate = found[key]
        print(f"  {letters(name):4} {letters(f'{truth:.7g} {unit}'):18} {figure(estimate, unit):28}", end="")
        print(f" {(estimate['value'] - truth) / estimate['se']:+.1f} standard errors" if estimate["se"] else "")


def print_offline():
    print(f"  {'decay':6} {'channel':10} {'verdict':10} {'f_n':26} {letters('ζ'):26} x_k")
    for number, line in enumerate(sys.stdin, 1):
        result = json.loads(line)
        best = result[result["recommended"] or "fit"]
        unit = result["units"]["displacement"]
        print(f"  {number:<6} {result['channel']:10} {result['verdict']:10} {figure(best['f_n_hz'], 'Hz'):26} "
              f"{figure(best['zeta'], ''):26} {figure(best['x_k'], unit)}")


sys.stdout.reconfigure(encoding="utf-8")
if sys.argv[1] == "truth":
    print_truth(sys.argv[2])
else:
    print_offline()
