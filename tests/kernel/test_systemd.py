#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fricid as `make install` leaves it, in a Debian whose first process is systemd: the unit with its sandbox, the socket,
the watchdog, reload and stop, whose the files are, and how the service gets to its card."""

import grp
import json
import os
import pwd
import re
import signal
import stat
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import FRICIDCTL, Client  # noqa: E402

SOCKET = "/run/fricid/fricid.sock"
CONFIGURATION = Path("/usr/local/etc/fricid/fricid.conf")
STATE = Path("/var/lib/fricid")
# The watchdog's interval, and what systemd gives a process to stop by itself, with time to spare.
UNTIL_RESTARTED_S = 120
NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]


def told(*command, check=True):
    """What a program prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def systemctl(*words):
    return told("systemctl", *words)


def shown(unit, name):
    return systemctl("show", "--value", "--property", name, unit).strip()


def main_process():
    return int(shown("fricidd.service", "MainPID"))


def fields_of(pid):
    """/proc/PID/status as a dictionary."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def status():
    with Client(SOCKET, limit=rig.PATIENCE_S) as client:
        return client.call("status")


def configuration(rate_hz, channels=(rig.LVDT, rig.ENCODER)):
    return f"rigs = (\n{rig.card_rig(f'sample_rate_hz = {rate_hz};', channels)}\n);\n"


class Installed(unittest.TestCase):
    """Each test begins with the socket there and the service stopped."""

    @classmethod
    def setUpClass(cls):
        cls.card = rig.Rig(noise_uv=1000)
        cls.card.load("short")
        told("udevadm", "settle")
        systemctl("daemon-reload")
        systemctl("enable", "fricidd.service")

    @classmethod
    def tearDownClass(cls):
        systemctl("stop", "fricidd.socket", "fricidd.service")
        cls.card.__exit__(None, None, None)

    def setUp(self):
        CONFIGURATION.write_text(configuration(2000))
        systemctl("stop", "fricidd.service")
        self.card.set("go", 0)
        systemctl("reset-failed")
        systemctl("start", "fricidd.socket")

    def wait_until_it_measures(self):
        def quiet():
            return all(channel["state"]["phase"] == "idle" for channel in status()["rigs"][0]["channels"])

        rig.wait_until("every channel idle", quiet)

    def release(self):
        """A decay; its results on both channels, as clients get them. The mass must have been where the motion begins
        since the daemon started."""
        self.wait_until_it_measures()
        summaries = []
        with Client(SOCKET, limit=rig.PATIENCE_S) as client:
            client.call("subscribe", topics=["result"])
            self.card.go()
            while len(summaries) < 2:
                # Later answers of an earlier decay may come in between.
                result = client.notification("notify.result")["result"]
                summaries += [result] if result["revision"] == 1 else []
        return summaries

    def stored(self):
        """As it stays: once every decay has the answers of its own, of its ladder and of both channels together."""
        def has_all():
            return all(summary["revision"] >= 3 for summary in client.call("results.list", limit=1000)["results"])

        with Client(SOCKET, limit=rig.PATIENCE_S) as client:
            rig.wait_until("three answers of every decay", has_all)
            ids = [summary["id"] for summary in client.call("results.list", limit=1000)["results"]]
            return {each: client.call("results.get", id=each) for each in ids}

    def stored_but_for_numbers(self):
        """A notification's number is on the disk a moment after its result: who is killed in between publishes again."""
        return {each: {**result, "seq": None} for each, result in self.stored().items()}


class Socket(Installed):
    def test_the_first_client_starts_the_service(self):
        """A user without rights, who gets the answer as if the daemon had been there all the time."""
        self.assertEqual(shown("fricidd.service", "ActiveState"), "inactive")
        place = os.stat(SOCKET)
        self.assertEqual(stat.S_IMODE(place.st_mode), 0o666)
        began = time.monotonic()
        answer = told(*NOBODY, FRICIDCTL, "status")
        print(f"  answered after {time.monotonic() - began:.2f} s\n{answer}", end="")
        self.assertIn("bearing", answer)
        self.assertIn("comedi /dev/comedi0", answer)
        self.assertEqual(shown("fricidd.service", "ActiveState"), "active")
        self.assertEqual(status()["pid"], main_process())

    def test_stop_is_clean_and_leaves_the_socket(self):
        told(FRICIDCTL, "status")
        self.release()
        before = self.stored()
        first, place = main_process(), os.stat(SOCKET)
        systemctl("stop", "fricidd.service")
        self.assertEqual(shown("fricidd.service", "ActiveState"), "inactive")
        self.assertEqual(shown("fricidd.service", "Result"), "success")
        self.assertEqual(shown("fricidd.service", "ExecMainStatus"), "0")
        self.assertFalse(Path(f"/proc/{first}").exists())
        self.assertEqual(shown("fricidd.socket", "ActiveState"), "active")
        self.assertEqual(os.stat(SOCKET).st_ino, place.st_ino)
        self.assertEqual(self.stored(), before, "what a daemon started by the same socket has in its store")
        self.assertNotEqual(main_process(), first)

    def test_what_is_wrong_with_the_configuration_is_in_the_journal(self):
        """And the service is not started over and over."""
        CONFIGURATION.write_text("rigs = (\n  { name = 7; } );\n")
        done = subprocess.run(["systemctl", "start", "fricidd.service"], capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(shown("fricidd.service", "ExecMainStatus"), "2")
        self.assertEqual(shown("fricidd.service", "NRestarts"), "0")
        self.assertRegex(told("journalctl", "--no-pager", "--unit", "fricidd.service"), r"fricid\.conf:2: ")


class Rights(Installed):
    def test_the_card_is_reached_through_its_group(self):
        """The rule that is installed gives it to the group, systemd makes the service a member, and no other user gets
        at it. Afterwards a decay is identified."""
        node = os.stat("/dev/comedi0")
        owner = (pwd.getpwuid(node.st_uid).pw_name, grp.getgrgid(node.st_gid).gr_name, stat.S_IMODE(node.st_mode))
        self.assertEqual(owner, ("root", "iocard", 0o660))
        rules = told("udevadm", "test", "--action=add", "/sys/class/comedi/comedi0")
        self.assertIn("60-fricid.rules", rules)
        told(FRICIDCTL, "status")
        fields = fields_of(main_process())
        self.assertEqual(set(fields["Uid"].split()), {str(pwd.getpwnam("fricid").pw_uid)})
        self.assertIn(str(grp.getgrnam("iocard").gr_gid), fields["Groups"].split())
        reading = ["python3", "-c", "open('/dev/comedi0', 'rb')"]
        self.assertIn("PermissionError", told(*NOBODY, *reading, check=False))
        without = ["setpriv", "--reuid=fricid", "--regid=fricid", "--clear-groups", "--"]
        self.assertIn("PermissionError", told(*without, *reading, check=False))
        self.assertEqual(told("setpriv", "--reuid=fricid", "--regid=fricid", "--groups=iocard", "--", *reading), "")
        for summary in self.release():
            self.assertEqual(summary["verdict"], "ok", summary)
            full = self.stored()[summary["id"]]
            off = rig.deviations(full, self.card.truths()[0])
            print(f"  {summary['channel']}: off by {', '.join(f'{z:+.1f}' for z in off)} se")
            self.assertLess(max(abs(z) for z in off), 4.5)

    def test_files_belong_to_the_service_user(self):
        told(FRICIDCTL, "status")
        self.release()
        fricid = (pwd.getpwnam("fricid").pw_uid, grp.getgrnam("fricid").gr_gid)
        files = [STATE, *STATE.rglob("*")]
        self.assertIn(STATE / "fricid.db", files)
        for path in files:
            found = path.lstat()
            self.assertEqual((found.st_uid, found.st_gid), fricid, path)
            self.assertEqual(found.st_mode & 0o007, 0, path)
        self.assertEqual(stat.S_IMODE(STATE.stat().st_mode), 0o750)
        self.assertIn("PermissionError", told(*NOBODY, "python3", "-c", f"open('{STATE}/fricid.db')", check=False))

    def test_the_sandbox_is_on(self):
        told(FRICIDCTL, "status")
        pid = main_process()
        fields = fields_of(pid)
        self.assertEqual((fields["NoNewPrivs"], fields["Seccomp"]), ("1", "2"))
        for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertEqual(int(fields[kind], 16), 0, kind)
        for kind in ("mnt", "net"):
            self.assertNotEqual(os.readlink(f"/proc/{pid}/ns/{kind}"), os.readlink(f"/proc/self/ns/{kind}"))
        print("  " + told("systemd-analyze", "security", "--no-pager", "fricidd.service").splitlines()[-1])

    def test_the_sandbox_holds(self):
        """The installed unit with another program in it, which tries what fricidd has no business with."""
        unit = Path("/usr/local/lib/systemd/system/fricidd.service").read_text()
        unit = re.sub(r"(?m)^ExecStart=.*$", f"ExecStart=/usr/bin/python3 {Path(__file__).parent}/trespass.py", unit)
        unit = re.sub(r"(?m)^(Type=)notify$|^(Restart|WatchdogSec|Wants|After)=.*$",
                      lambda found: "Type=oneshot\nStandardOutput=truncate:/run/trespass" if found[1] else "", unit)
        Path("/run/systemd/system/trespass.service").write_text(unit)
        Path("/tmp/of_others").touch()
        systemctl("daemon-reload")
        systemctl("start", "trespass.service")
        answers = json.loads(Path("/run/trespass").read_text())
        for deed, answer in answers.items():
            print(f"  {deed}: {answer}")
        allowed = {deed for deed, answer in answers.items() if answer == "done"}
        self.assertEqual(allowed, {"use the card", "write into the state directory", "write into /tmp",
                                   "a Unix socket"})
        # The same without a sandbox, or the answers would say nothing about it.
        free = json.loads(told("python3", str(Path(__file__).parent / "trespass.py")))
        self.assertEqual({deed for deed, answer in free.items() if answer != "done"}, set())


class Life(Installed):
    def test_the_watchdog_restarts_a_hung_daemon(self):
        told(FRICIDCTL, "status")
        self.release()
        before, first = self.stored_but_for_numbers(), main_process()
        systemctl("reset-failed")
        restarts = int(shown("fricidd.service", "NRestarts"))
        os.kill(first, signal.SIGSTOP)
        began = time.monotonic()
        self.card.set("go", 0)
        with Client(SOCKET, limit=UNTIL_RESTARTED_S) as client:
            self.assertNotEqual(client.call("status")["pid"], first)
        print(f"  the next daemon answered {time.monotonic() - began:.1f} s after the hang")
        self.assertEqual(int(shown("fricidd.service", "NRestarts")), restarts + 1)
        self.assertNotEqual(main_process(), first)
        self.assertFalse(Path(f"/proc/{first}").exists())
        self.assertIn("Watchdog timeout", told("journalctl", "--no-pager", "--unit", "fricidd.service"))
        self.assertEqual(self.stored_but_for_numbers(), before)
        for summary in self.release():
            self.assertEqual(summary["verdict"], "ok", summary)

    def test_reload_reads_the_configuration_again(self):
        told(FRICIDCTL, "status")
        self.wait_until_it_measures()
        pid = main_process()
        CONFIGURATION.write_text(configuration(5000, (rig.LVDT,)))
        systemctl("reload", "fricidd.service")
        found = rig.wait_until("the new rate", lambda: next(
            (each for each in status()["rigs"] if each["source"]["sample_rate_hz"] == 5000), None))
        self.assertEqual([channel["name"] for channel in found["channels"]], ["lvdt"])
        self.assertEqual(main_process(), pid)
        # With a mistake in it the old one stays, and the service goes on.
        CONFIGURATION.write_text("rigs = (\n  { name = 7; } );\n")
        systemctl("reload", "fricidd.service")
        self.assertEqual([len(each["channels"]) for each in status()["rigs"]], [1])
        self.assertEqual(main_process(), pid)
        self.assertEqual(shown("fricidd.service", "ActiveState"), "active")
        self.assertRegex(told("journalctl", "--no-pager", "--unit", "fricidd.service"), r"fricid\.conf:2: ")


if __name__ == "__main__":
    run_tests.main()
