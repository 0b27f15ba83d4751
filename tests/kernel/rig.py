# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests in the guest share: the rig in the kernel, its motions, and a daemon that measures it."""

import array
import json
import os
import pwd
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
from fricid_harness import FRICIDD, Daemon, Decay, deviation  # noqa: E402

PARAMETERS = Path("/sys/module/fricid_rig/parameters")
DRIVER = Path("/sys/bus/platform/drivers/fricid_rig")
DEVICE = Path("/sys/devices/platform/fricid_rig")
ROWS_PER_S = 10000
NM_PER_MM = 1000000
# Where make_motions.py has put the motions.
PLACE = Path(os.environ.get("MOTIONS", "/job"))

# What the computer may take longer than usual: everything here is emulated.
PATIENCE_S = 30


class Motion:
    """Rest, then for each decay a pull, a hold, the release and rest. Millimetres, ROWS_PER_S rows a second."""

    def __init__(self, decays, lead=0.3, pull=0.35, hold=0.45, tail=0.7):
        self.decays, self.released_s = decays, []
        self.rows = array.array("i")
        self.put(0.0, lead)
        for decay in decays:
            start = self.rows[-1] / NM_PER_MM if self.rows else 0.0
            self.follow(lambda t: start + (decay.x0 - start) * t / pull * t / pull * (3 - 2 * t / pull), pull)
            self.put(decay.x0, hold)
            self.released_s.append(len(self.rows) / ROWS_PER_S)
            self.follow(decay.at, decay.duration() + tail)

    def follow(self, position, duration_s):
        for i in range(round(duration_s * ROWS_PER_S)):
            self.rows.append(round(position(i / ROWS_PER_S) * NM_PER_MM))

    def put(self, position, duration_s):
        self.follow(lambda t: position, duration_s)

    def duration_s(self):
        return len(self.rows) / ROWS_PER_S


# Made before the guest starts, for an emulated processor takes long: see make_motions.py.
MOTIONS = {
    "three": lambda: Motion([Decay(5.5, 0.0177, 0.179, x0=12.0), Decay(5.5, 0.0177, 0.179, x0=-10.5),
                             Decay(5.5, 0.0177, 0.179, x0=9.0)]),
    "long": lambda: Motion([Decay(3.2, 0.006, 0.05, x0=11.0)]),
    "short": lambda: Motion([Decay(8.7, 0.03, 0.11, x0=8.0)]),
    "held": lambda: Motion([Decay(3.2, 0.006, 0.05, x0=11.0)], lead=0.0, pull=0.0),
    "wide": lambda: Motion([Decay(4.4, 0.02, 0.2, x0=15.0)]),
    "ten": lambda: Motion([Decay(8.7, 0.03, 0.11, x0=8.0)] * 10),
    "own": lambda: own_motion(),
}


def own_numbers(name, usual):
    """The numbers in this variable of the environment, or the usual ones."""
    return [float(word) for word in os.environ.get(name, usual).replace(",", " ").split()]


def own_motion():
    """What FRICID_MOTION asks for, four numbers a release: f_n in Hz, zeta, x_k and x0 in mm."""
    numbers = own_numbers("FRICID_MOTION", "11.3,0.012,0.07,7.0 11.3,0.012,0.07,-5.0")
    lead, pull, hold, tail = own_numbers("FRICID_TIMES", "0.3,0.2,0.6,0.5")
    # Without friction a mass never stops; it is at rest where it moves by less than the driver's nanometres.
    decays = [Decay(f_n, zeta, x_k, max(x_k, 1 / NM_PER_MM), x0) for f_n, zeta, x_k, x0 in zip(*[iter(numbers)] * 4)]
    return Motion(decays, lead, pull, hold, tail)


class Rig:
    """The driver, loaded with these parameters; plugged in."""

    def __init__(self, **parameters):
        words = [f"{name}={value}" for name, value in parameters.items()]
        subprocess.run(["modprobe", "fricid_rig", *words], check=True)
        self.motion = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        subprocess.run(["modprobe", "-r", "fricid_rig"], check=True)

    def load(self, name):
        """The motion of this name, held at its first row."""
        self.motion = json.loads((PLACE / f"{name}.json").read_text())
        self.set("go", 0)
        with open(DEVICE / "motion", "wb", buffering=0) as to:
            rows = (PLACE / f"{name}.motion").read_bytes()
            for i in range(0, len(rows), 4096):
                to.write(rows[i : i + 4096])

    def set(self, parameter, value):
        (PARAMETERS / parameter).write_text(str(value))

    def go(self):
        self.set("go", 1)

    def wait(self, extra_s=0.0):
        """Until the motion is over."""
        time.sleep(self.motion["duration_s"] + extra_s)

    def truths(self):
        return [Decay(**decay) for decay in self.motion["decays"]]

    def unplug(self):
        (DRIVER / "unbind").write_text("fricid_rig")

    def plug(self):
        (DRIVER / "bind").write_text("fricid_rig")


LVDT = '{ name = "lvdt"; input = "voltage"; calibration = [0.0, 2.0]; }'
ENCODER = '{ name = "encoder"; input = "encoder"; counts_per_unit = 200; }'


def card_rig(source="", channels=(LVDT, ENCODER), device="/dev/comedi0", name="bearing"):
    return f"""{{ name = "{name}"; source = {{ kind = "comedi"; device = "{device}"; {source} }};
  channels = ( {", ".join(channels)} ); }}"""


class Unprivileged(Daemon):
    """A daemon that runs as nobody."""

    def __enter__(self):
        nobody = pwd.getpwnam("nobody").pw_uid
        for path in (self.scratch.path, *self.scratch.path.iterdir()):
            os.chown(path, nobody, -1)
        with open(self.errors_path, "wb") as errors:
            self.process = subprocess.Popen(
                [FRICIDD, "--config", str(self.configuration_path)], stdin=subprocess.DEVNULL, stdout=errors,
                stderr=errors, user="nobody", group="nogroup", extra_groups=[]
            )
        self.wait_until_it_answers()
        return self


class Events:
    """A subscriber to events, on a connection of its own."""

    def __init__(self, daemon):
        self.client = daemon.client()
        self.client.call("subscribe", topics=["event"], from_seq=1)

    def wait_for(self, code, reason=None):
        """The next event with this code and reason; others are passed over."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            event = self.client.notification("notify.event")["event"]
            if event["code"] == code and reason in (None, event["reason"]):
                return event
        raise AssertionError(f"no event {code} {reason}")


def lost_by_events(daemon):
    """How many scans were lost according to every event so far."""
    events, lost = Events(daemon), 0
    events.client.socket.settimeout(2)
    try:
        while True:
            event = events.client.notification("notify.event")["event"]
            lost += event["count"] or 0 if event["code"] == "gap" else 0
    except TimeoutError:
        return lost


def status(daemon, name="bearing"):
    with daemon.client() as client:
        return next(rig for rig in client.call("status")["rigs"] if rig["name"] == name)


def wait_until(what, holds):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        # Looking costs an emulated processor more than waiting does.
        time.sleep(0.2)
    raise AssertionError(f"never: {what}")


def wait_until_it_measures(daemon, name="bearing"):
    """Until every channel knows its noise, and the mass rests, there or elsewhere than when the channel began."""

    def quiet():
        channels = status(daemon, name)["channels"]
        return all(channel["state"]["phase"] in ("idle", "held") for channel in channels)

    wait_until("every channel at rest", quiet)


def deviations(result, truth):
    """Of f_n, zeta and x_k from the truth, in standard errors."""
    pairs = (("f_n_hz", truth.f_n), ("zeta", truth.zeta), ("x_k", truth.x_k))
    return [deviation(result["fit"][name], value) for name, value in pairs]


def full_results(daemon, channel):
    """All results of a channel, oldest first."""
    with daemon.client() as client:
        found = client.call("results.list", limit=1000, channel=channel)["results"]
        return [client.call("results.get", id=summary["id"]) for summary in reversed(found)]


def processor_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wake_ups(pid):
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


__all__ = ["Daemon"]
