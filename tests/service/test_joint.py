# SPDX-License-Identifier: GPL-3.0-or-later
"""Several channels of one motion: what they say together, and when they contradict each other."""

import contextlib
import math
import sqlite3
import time
import unittest

from fricid_harness import PATIENCE_S, Daemon, Decay, ScratchDirectory, csv_text, offline, release, seconds, simulated_rig
from run_tests import main
from store_files import file_of

LADDER = "ladder_deadline_s = 600.0;"
DECAY = Decay(f_n=2.0, zeta=0.01, x_k=0.1, x0=12.0)
GAIN = 0.0175  # rad/mm


def two_columns(other=lambda x: GAIN * x, decay=DECAY):
    """A release as an LVDT sees it, and an encoder on the same mass."""
    times, lvdt = release(DECAY, rate=100.0, noise=0.01)
    _, motion = release(decay, rate=100.0)
    _, noise = release(DECAY, rate=100.0, noise=0.02, seed=2)
    _, still = release(DECAY, rate=100.0)
    encoder = [other(x) + GAIN * (n - s) for x, n, s in zip(motion, noise, still)]
    return csv_text(times, lvdt, encoder, header="time_s,lvdt_mm,encoder_rad")


def wait_for_joint(daemon, client, decays):
    """The results of these decays, as soon as all have been fitted together."""
    deadline = time.monotonic() + seconds(PATIENCE_S)
    while time.monotonic() < deadline:
        results = [client.call("results.get", id=decay) for decay in decays]
        if all(result["joint"]["verdict"] != "not_computed" for result in results):
            return results
        time.sleep(0.1)
    raise AssertionError(f"no joint fit\n{daemon.errors()}")


class Offline(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def joint_of(self, text):
        """What both results of a recording say alike."""
        lvdt, encoder = offline(self.scratch.write("pair.csv", text), ladder=True).results
        self.assertEqual(lvdt["run_id"], encoder["run_id"])
        self.assertEqual(lvdt["joint"], encoder["joint"])
        return lvdt["joint"]

    def test_a_sound_pair(self):
        joint = self.joint_of(two_columns())
        self.assertEqual((joint["verdict"], joint["reference"]), ("ok", "lvdt"))
        self.assertEqual(set(joint["terms"]), {"viscous", "coulomb"})
        for name, truth, unit in ("f_n", DECAY.f_n, "Hz"), ("zeta", DECAY.zeta, ""), ("x_k", DECAY.x_k, "mm"):
            estimate = joint["estimates"][name]
            self.assertEqual(estimate["unit"], unit)
            self.assertLess(abs(estimate["value"] - truth), 4 * estimate["se"], (name, estimate))
            self.assertLess(estimate["ci95_statistical"][0], estimate["value"])
        self.assertIsNone(joint["estimates"]["drag"])
        lvdt, encoder = joint["channels"]
        self.assertEqual((lvdt["gain"]["value"], lvdt["gain"]["se"], lvdt["gain"]["unit"]), (1, None, ""))
        self.assertEqual((encoder["gain"]["unit"], encoder["unit"], encoder["bias"]["unit"]), ("rad/mm", "rad", "rad"))
        self.assertLess(abs(encoder["gain"]["value"] - GAIN), 4 * encoder["gain"]["se"])
        self.assertLess(encoder["gain"]["se"], 1e-3 * GAIN)
        self.assertTrue(math.isclose(lvdt["noise"], 0.01, rel_tol=0.15), lvdt)
        self.assertTrue(math.isclose(encoder["noise"], 0.02 * GAIN, rel_tol=0.15), encoder)
        self.assertFalse(joint["contradiction"]["found"], joint["contradiction"])
        self.assertLess(joint["contradiction"]["standard_errors"], joint["contradiction"]["limit"])

    def test_a_frequency_that_cannot_be(self):
        contradiction = self.joint_of(two_columns(decay=Decay(f_n=2.002, zeta=0.01, x_k=0.1, x0=12.0)))["contradiction"]
        self.assertTrue(contradiction["found"], contradiction)
        self.assertEqual(contradiction["figure"], "f_n")
        self.assertEqual({contradiction["channel"], contradiction["other"]}, {"lvdt", "encoder"})

    def test_a_gain_that_changes_with_the_amplitude(self):
        contradiction = self.joint_of(two_columns(other=lambda x: GAIN * (x - 4e-4 * x ** 3)))["contradiction"]
        self.assertTrue(contradiction["found"], contradiction)
        self.assertGreater(contradiction["standard_errors"], contradiction["limit"])

    def test_one_channel_has_none(self):
        times, lvdt = release(DECAY, rate=100.0, noise=0.01)
        (result,) = offline(self.scratch.write("one.csv", csv_text(times, lvdt)), ladder=True).results
        self.assertEqual((result["joint"]["verdict"], result["joint"]["channels"]), ("not_computed", []))
        self.assertIn("no other channel", result["joint"]["reason"])


class Live(unittest.TestCase):
    def test_behind_the_ladders_of_both(self):
        """As the third answer of each channel, stored and told; the sheet shows it."""
        rig = simulated_rig(duration_s=12, source="channel_delay_s = 0.00025;")
        with Daemon(rig, LADDER) as daemon, daemon.client() as client:
            daemon.wait_for_results(2)
            one, other = wait_for_joint(daemon, client, (1, 2))
            self.assertEqual(one["joint"], other["joint"])
            self.assertEqual((one["revision"], other["revision"]), (3, 3))
            joint = one["joint"]
            self.assertEqual((joint["verdict"], joint["reference"]), ("ok", "lvdt"), joint["reason"])
            self.assertEqual([channel["channel"] for channel in joint["channels"]], ["lvdt", "encoder"])
            self.assertEqual({channel["id"] for channel in joint["channels"]}, {1, 2})
            encoder = joint["channels"][1]
            self.assertAlmostEqual(encoder["delay_s"], 0.00025)
            self.assertLess(abs(encoder["gain"]["value"] - 1), 5 * encoder["gain"]["se"], encoder)
            self.assertFalse(joint["contradiction"]["found"], joint["contradiction"])
            earlier = client.call("results.get", id=1, revision=2)
            self.assertEqual(earlier["joint"]["verdict"], "not_computed")
            self.assertIn("higher revision", earlier["joint"]["reason"])
            self.assertEqual(earlier["ladder"], client.call("results.get", id=1)["ladder"])
            sheet = daemon.fricidctl("show", "2").stdout
            self.assertRegex(sheet, r"the channels of this run together, in the unit of lvdt\n +f_n 5\.\d+\(\d+\) Hz, ")
            self.assertRegex(sheet, r"encoder +[01]\.\d+\(\d+\) +\S+ mm +\S+ mm +250 us")
            self.assertRegex(sheet, r"lvdt and encoder differ most in \w+, by \S+ joint standard errors \(limit 3\.3\)")

    def test_the_reference_is_what_the_rig_says(self):
        """And both, identified anew, are fitted together anew."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        with Daemon(simulated_rig(duration_s=12), directory=scratch) as daemon:
            daemon.wait_until_ended()
        rig = simulated_rig(duration_s=0.01).replace("channels = (", 'reference_channel = "encoder"; channels = (')
        with Daemon(rig, LADDER, directory=scratch) as daemon, daemon.client() as client:
            again = client.call("reidentify")
            self.assertEqual(again["failed"], 0, again)
            one, other = wait_for_joint(daemon, client, (1, 2))
            self.assertEqual(one["joint"], other["joint"])
            self.assertEqual(one["joint"]["reference"], "encoder", one["joint"])
            self.expect_the_others_stay(daemon, client, one, other)
            checked = client.call("reidentify", check=True)
            self.assertEqual(checked["changed"], 0, checked)

    def expect_the_others_stay(self, daemon, client, one, other):
        """One channel identified anew has no joint, and nobody asked for more; with the other one it has."""
        self.assertEqual(client.call("reidentify", id=one["id"])["decays"], 1)
        latest = client.call("results.get", id=one["id"])
        self.assertEqual((latest["revision"], latest["joint"]["verdict"]), (one["revision"] + 1, "not_computed"))
        self.assertEqual(client.call("reidentify", id=other["id"])["decays"], 1)
        both = wait_for_joint(daemon, client, (one["id"], other["id"]))
        self.assertEqual([result["revision"] - before["revision"] for result, before in zip(both, (one, other))], [2, 2])
        self.assertEqual(both[0]["joint"], one["joint"])

    def test_a_daemon_that_ended_before_it(self):
        """The next one makes it, of all channels at once and nothing else anew."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        channels = ", ".join(f'{{ name = "c{number}"; sensor = "lvdt"; }}' for number in range(3))
        with Daemon(simulated_rig(duration_s=5, channels=channels), LADDER, directory=scratch) as daemon, \
                daemon.client() as client:
            daemon.wait_for_results(3)
            wait_for_joint(daemon, client, (1, 2, 3))
        with contextlib.closing(sqlite3.connect(file_of(daemon))) as store:
            store.executescript("DELETE FROM document WHERE result IN (SELECT id FROM result WHERE revision = 3);"
                                "DELETE FROM result WHERE revision = 3; UPDATE result SET latest = revision = 2;"
                                "UPDATE decay SET revision = 2;")
        with Daemon("", LADDER, directory=scratch) as daemon, daemon.client() as client:
            results = wait_for_joint(daemon, client, (1, 2, 3))
            for result in results:
                self.assertEqual((result["revision"], result["joint"]["verdict"]), (3, "ok"), result["joint"]["reason"])
                self.assertEqual(result["joint"], results[0]["joint"])
                self.assertEqual({channel["id"] for channel in result["joint"]["channels"]}, {1, 2, 3})
                before = client.call("results.get", id=result["id"], revision=2)
                self.assertEqual(result["ladder"], before["ladder"])
            self.expect_no_order(daemon, client, (3, 1, 2), results[0]["joint"])
        with Daemon("", LADDER, directory=scratch) as daemon, daemon.client() as client:
            self.expect_no_order(daemon, client, (2, 3, 1), results[0]["joint"])

    def expect_no_order(self, daemon, client, order, joint):
        """Channels that are identified anew one by one end with the fit of all, whichever comes first."""
        revisions = [client.call("results.get", id=decay)["revision"] for decay in order]
        for decay in order:
            self.assertEqual(client.call("reidentify", id=decay)["failed"], 0)
        deadline = time.monotonic() + seconds(PATIENCE_S)
        latest = []
        while time.monotonic() < deadline and not all(result["joint"] == joint for result in latest or [{"joint": 0}]):
            latest = [client.call("results.get", id=decay) for decay in order]
        for result, before in zip(latest, revisions):
            self.assertEqual(result["joint"], joint, daemon.errors())
            self.assertGreater(result["revision"], before)

    def test_one_that_gives_way_is_told(self):
        """A quarter of such a queue does not hold the results of six channels until the last has its ladder."""
        channels = ", ".join(f'{{ name = "c{number}"; sensor = "lvdt"; }}' for number in range(6))
        with Daemon(simulated_rig(duration_s=5, channels=channels), LADDER + " queue_max_bytes = 1048576;") as daemon:
            deadline = time.monotonic() + seconds(PATIENCE_S)
            while "joint_missing" not in daemon.errors() and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertRegex(daemon.errors(), r"joint_missing: decay \d+ of rig bearing, channel \w+, is not fitted "
                                              r"together now with the other channels of its run: too many newer .*"
                                              r"reidentify --where run_id=\d+ makes it")

    def test_what_a_client_keeps(self):
        """Each is a run by itself, which its reason says, and identifying all anew changes nothing of that."""
        with Daemon("", LADDER) as daemon, daemon.client() as client:
            times, values = release(DECAY, rate=100.0, noise=0.01)
            kept = [client.call("identify", displacement=[gain * value for value in values], time_s=times, unit="mm",
                                keep=True)["results"][0] for gain in (1, 2)]
            self.assertEqual(client.call("reidentify")["decays"], 2)
            for before in kept:
                result = client.call("results.get", id=before["id"])
                self.assertEqual((result["revision"], result["joint"]["verdict"]), (2, "not_computed"))
                self.assertIn("a run by itself, also where it is kept", result["joint"]["reason"])
            self.assertNotEqual(kept[0]["run_id"], kept[1]["run_id"])


if __name__ == "__main__":
    main()
