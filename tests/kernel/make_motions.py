#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: make_motions.py DIRECTORY: writes every motion of rig.py there, as the driver takes it and with its truth."""

import json
import sys
from pathlib import Path

from rig import MOTIONS

for name, make in MOTIONS.items():
    motion = make()
    with open(Path(sys.argv[1]) / f"{name}.motion", "wb") as rows:
        motion.rows.tofile(rows)
    truth = {
        "decays": [{"f_n": d.f_n, "zeta": d.zeta, "x_k": d.x_k, "x0": d.x0} for d in motion.decays],
        "released_s": motion.released_s,
        "duration_s": motion.duration_s(),
    }
    Path(sys.argv[1], f"{name}.json").write_text(json.dumps(truth))
