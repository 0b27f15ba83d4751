#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A computer on which fricid is enabled is switched on: nobody starts the service, and nobody tells it of its card."""

import grp
import os
import pwd
import stat
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import FRICIDCTL, Client  # noqa: E402
from test_systemd import NOBODY, SOCKET, fields_of, main_process, shown, systemctl, told

NODE = Path("/dev/comedi0")


def the_rig():
    with Client(SOCKET, limit=rig.PATIENCE_S) as client:
        return client.call("status")["rigs"][0]


def events():
    """A connection that hears of every event so far, and of those to come."""
    client = Client(SOCKET, limit=rig.PATIENCE_S)
    client.call("subscribe", topics=["event"], from_seq=1)
    return client


def wait_for(client, code, reason=None):
    while True:
        event = client.notification("notify.event")["event"]
        if event["code"] == code and reason in (None, event["reason"]):
            return event


class Boot(unittest.TestCase):
    """In the order of their names: the first finds what the boot has started."""

    def setUp(self):
        self.card = rig.Rig.__new__(rig.Rig)  # its driver was loaded by systemd
        self.card.motion = None
        self.card.set("noise_uv", 1000)
        self.card.load("short")

    def release(self):
        """A decay; what was identified on both channels lies near the truth."""
        rig.wait_until("every channel idle", lambda: all(
            channel["state"]["phase"] == "idle" for channel in the_rig()["channels"]))
        with Client(SOCKET, limit=rig.PATIENCE_S) as client:
            client.call("subscribe", topics=["result"])
            self.card.go()
            summaries = [client.notification("notify.result")["result"] for _ in range(2)]
            for summary in summaries:
                self.assertEqual(summary["verdict"], "ok", summary)
                result = client.call("results.get", id=summary["id"])
                off = rig.deviations(result, self.card.truths()[0])
                print(f"  {summary['channel']}: off by {', '.join(f'{z:+.1f}' for z in off)} se")
                self.assertLess(max(abs(z) for z in off), 4.5)

    def the_node_is_the_groups(self):
        node = NODE.stat()
        owner = (pwd.getpwuid(node.st_uid).pw_name, grp.getgrgid(node.st_gid).gr_name, stat.S_IMODE(node.st_mode))
        self.assertEqual(owner, ("root", "iocard", 0o660))

    def test_1_the_service_runs(self):
        for unit in ("fricidd.service", "fricidd.socket"):
            self.assertEqual((shown(unit, "ActiveState"), shown(unit, "UnitFileState")), ("active", "enabled"), unit)
        fields = fields_of(main_process())
        self.assertEqual(set(fields["Uid"].split()), {str(pwd.getpwnam("fricid").pw_uid)})
        self.the_node_is_the_groups()
        print(told(*NOBODY, FRICIDCTL, "status"), end="")
        with events() as client:
            print(f"  {wait_for(client, 'source_started')['sentence']}")
        self.release()

    def test_2_the_cable_is_pulled_and_put_back(self):
        """The new node is the group's as well, and the service gets at it with the rights that it has."""
        pid = main_process()
        with events() as client:
            wait_for(client, "source_started")
            self.card.unplug()
            print(f"  {wait_for(client, 'source_fault')['sentence']}")
            self.assertFalse(NODE.exists())
            self.card.plug()
            wait_for(client, "source_started")
        self.the_node_is_the_groups()
        self.release()
        self.assertEqual(main_process(), pid)

    def test_3_the_card_comes_after_the_service(self):
        self.card.unplug()
        systemctl("restart", "fricidd.service")
        with events() as client:
            print(f"  {wait_for(client, 'source_fault', 'no_device')['sentence']}")
            self.card.plug()
            wait_for(client, "source_started")
        self.release()

    def test_4_everybody_may_write_to_the_card(self):
        NODE.chmod(0o666)
        systemctl("restart", "fricidd.service")
        with events() as client:
            print(f"  {wait_for(client, 'source_advice', 'device_world_writable')['sentence']}")
        os.chmod(NODE, 0o660)


if __name__ == "__main__":
    run_tests.main()
