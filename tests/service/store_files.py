# SPDX-License-Identifier: GPL-3.0-or-later
"""A store's file as other programs see it: through Python's own SQLite, and through an independent reader of samples."""

import contextlib
import re
import shutil
import signal
import sqlite3
import struct
import time
from pathlib import Path

from fricid_harness import FRICID_REPAIR, PATIENCE_S, run_program, seconds

# A hand that wastes no time: a decay every few seconds.
QUICK = "zeta = 0.06; pull_s = 0.1; hold_s = 0.3; rest_s = 0.2;"

WIDTHS = {"int8": "b", "int16": "<h", "int32": "<i", "int64": "<q", "float64": "<d"}

# What is known of the instruments about a driven contact.
ADDED_BY_VERSION_10 = ("force_sign", "normal_sign", "force_delay_s",
                       "u_force_delay_s", "normal_delay_s", "u_normal_delay_s",
                       "moving_mass_kg", "u_moving_mass_kg", "path_stiffness_n_per_m",
                       "u_path_stiffness_n_per_m", "u_force_gain_percent", "u_normal_gain_percent")
ADDED_BY_VERSION_11 = ("delays_ns",)
# The figures of driven contacts, to a result, each with an index.
ADDED_BY_VERSION_12 = ("friction", "energy", "stroke", "period_s", "k_sec", "loss_factor", "mu_forward", "mu_backward",
                       "f_c", "x_d", "sigma_0", "f_s", "v_s", "sigma_2")


def opened(path):
    """A connection that reads what is committed."""
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def fnv_1a(*parts):
    """64-bit FNV-1a of bytes, from its definition."""
    state = 0xCBF29CE484222325
    for part in parts:
        for byte in part or b"":
            state = ((state ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return state


def numbers(blob, coding):
    """The samples of a blob as numbers."""
    form = WIDTHS[coding]
    size = struct.calcsize(form)
    return [value for (value,) in struct.iter_unpack(form, blob[: len(blob) // size * size])]


def polynomial(coefficients, value):
    """Horner's rule, as fricidd(8) says that calibrations are applied."""
    result = 0.0
    for coefficient in reversed(coefficients):
        result = result * value + coefficient
    return result


def displacements(connection, decay):
    """All samples of a decay in its displacement unit, pre-trigger first."""
    blob, coding, codes, origin, divisor, calibration = connection.execute(
        "SELECT raw.samples, coding, code_coefficients, code_origin, code_divisor, calibration FROM raw"
        " JOIN decay ON decay.id = raw.decay JOIN setup ON setup.id = decay.setup WHERE raw.decay = ?",
        (decay,),
    ).fetchone()
    values = numbers(blob, coding)
    if coding == "float64":
        return values
    sensor = [float(c) for c in codes.split(",")]
    to_unit = [float(c) for c in calibration.split(",")] if calibration else [0.0, 1.0]
    return [polynomial(to_unit, polynomial(sensor, code - origin) / divisor) for code in values]


def complaints(path, checksums=True):
    """What is wrong with a store; an empty list when nothing is. `checksums`: of every decay, which takes its time."""
    wrong = []
    with opened(path) as connection:
        verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            return [f"integrity_check: {verdict}"]
        for sentence, query in (
            ("decays without samples", "SELECT id FROM decay WHERE id NOT IN (SELECT decay FROM raw)"),
            ("samples without decay", "SELECT decay FROM raw WHERE decay NOT IN (SELECT id FROM decay)"),
            ("results without decay", "SELECT decay FROM result WHERE decay NOT IN (SELECT id FROM decay)"),
            ("results without document", "SELECT id FROM result WHERE id NOT IN (SELECT result FROM document)"),
            ("decays identified twice", "SELECT decay FROM result WHERE revision = 1 GROUP BY decay HAVING count(*) > 1"),
            ("decays without set-up", "SELECT id FROM decay WHERE setup NOT IN (SELECT id FROM setup)"),
            (
                "decays whose revision is not their latest result's",
                "SELECT id FROM decay WHERE revision !="
                " ifnull((SELECT max(revision) FROM result WHERE result.decay = decay.id AND latest), 0)",
            ),
            ("decays without run", "SELECT id FROM decay WHERE run IS NULL OR run NOT IN (SELECT id FROM run)"),
            ("runs without decay", "SELECT id FROM run WHERE id NOT IN (SELECT run FROM decay)"),
            ("runs that do not stand twice", "SELECT id FROM (SELECT * FROM run EXCEPT SELECT * FROM spare_run"
             " UNION ALL SELECT * FROM spare_run EXCEPT SELECT * FROM run)"),
            ("runs with two decays of a channel", "SELECT run FROM decay JOIN setup ON setup.id = decay.setup"
             " GROUP BY run, channel HAVING count(*) > 1"),
            ("runs of two rigs", "SELECT run.id FROM run JOIN decay ON decay.run = run.id"
             " JOIN setup ON setup.id = decay.setup WHERE setup.rig != run.rig"),
            ("numbers given twice", "SELECT seq FROM result WHERE seq IS NOT NULL GROUP BY seq HAVING count(*) > 1"),
        ):
            found = [row[0] for row in connection.execute(query)]
            if found:
                wrong.append(f"{sentence}: {found[:10]}")
        rows = connection.execute(
            "SELECT id, decay.samples + pretrigger_samples, coding, raw.samples, time_s, flags, checksum FROM decay"
            " JOIN raw ON raw.decay = decay.id"
        )
        for decay, count, coding, blob, time_s, flags, checksum in rows:
            if len(blob) != count * struct.calcsize(WIDTHS[coding]):
                wrong.append(f"decay {decay} is torn: {len(blob)} bytes for {count} samples")
            elif checksums and fnv_1a(coding.encode(), blob, time_s, flags) != int(checksum, 16):
                wrong.append(f"decay {decay}: its checksum is wrong")
    return wrong


def without_figures_of_contacts(connection):
    """As a version of before the figures of driven contacts had columns has the table of results."""
    for name in ADDED_BY_VERSION_12:
        connection.execute(f"DROP INDEX result_{name}")
        connection.execute(f"ALTER TABLE result DROP COLUMN {name}")


def count(path, table, where="1"):
    """How many rows of a table fulfil a condition."""
    with contextlib.closing(opened(path)) as connection:
        return connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]


def file_of(daemon):
    """Where a daemon of the harness keeps its decays."""
    return daemon.socket_path + ".store/fricid.db"


def set_aside(path):
    """The damaged files that are kept beside a store, also where only a log is."""
    return sorted({re.match(r".*\.damaged-\w+-\d\d", str(name))[0] for name in Path(path).parent.glob("fricid.db.damaged-*")})


def put_together(path):
    """As fricid-repair(8) says: one store of what was set aside and of what came since; what was said of it."""
    before = Path(path).parent / "before"
    shutil.rmtree(before, ignore_errors=True)
    before.mkdir()
    for file in Path(path).parent.glob("fricid.db*"):
        file.rename(before / file.name)
    kept = {file: file.read_bytes() for file in before.iterdir()}
    done = run_program(FRICID_REPAIR, "--output", path, *set_aside(before / "fricid.db"), before / "fricid.db")
    if done.returncode != 0:
        raise AssertionError(f"not repaired: {done.stderr}")
    if {file: file.read_bytes() for file in before.iterdir()} != kept:
        raise AssertionError("what was to be read was changed")
    return done.stdout


def kill(daemon):
    """As a power cut does: nothing is tidied up."""
    daemon.process.kill()
    daemon.process.wait()


def stands_still(process):
    """Whether a stopped process has come to that: the kernel stops each of its threads when it gets to it."""
    states = []
    for status in Path(f"/proc/{process.pid}/task").glob("*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            states.append(status.read_text(encoding="ascii").rpartition(")")[2].split()[0])
    return set(states) <= {"T", "t"}


@contextlib.contextmanager
def held(daemon):
    """What is done meanwhile is one step for the daemon, however long the computer does something else in between."""
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        wait_for(lambda: stands_still(daemon.process), "the daemon's standstill")
        yield
    finally:
        daemon.process.send_signal(signal.SIGCONT)


def events_of(daemon, code):
    return [line for line in daemon.errors().splitlines() if f"{code}" in line]


def wait_for(condition, what="it", limit=PATIENCE_S):
    deadline = time.monotonic() + seconds(limit)
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen")
        time.sleep(0.05)


def take(client, published):
    """Notes one published result, if there is one."""
    try:
        note = client.read()
    except (TimeoutError, BlockingIOError):
        return
    if note.get("method") == "notify.result":
        result = note["params"]["result"]
        published[(result["id"], result["revision"])] = note["params"]["seq"]
