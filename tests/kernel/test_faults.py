#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that goes wrong with a card, one after the other: what fricidd says, that it comes back by itself, that
nothing is lost without being counted, and that the next decay is identified rightly."""

import os
import signal
import subprocess
import sys
import time
import unittest
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import Daemon  # noqa: E402

SOURCE = "sample_rate_hz = 2000;"


# What is done to the card, what mends it, and what fricidd calls it.
FAULTS = {
    "error": (lambda card: card.set("fault", 1), lambda card: card.set("fault", 0), "device_error"),
    "loss": (lambda card: card.set("fault", 3), lambda card: card.set("fault", 0), "device_error"),
    "silence": (lambda card: card.set("fault", 2), lambda card: card.set("fault", 0), "silent"),
    "cable": (lambda card: card.unplug(), lambda card: card.plug(), "device_lost"),
}


class Struck(unittest.TestCase):
    """What holds after every fault."""

    def struck(self, strike, mend, reason, motion="short", rate_hz=2000, ended_by="gap"):
        """Strikes the card in the middle of a decay, mends it a second later, and looks at what came of it."""
        with rig.Rig(noise_uv=1000) as card, Daemon(
            rig.card_rig(f"sample_rate_hz = {rate_hz};")
        ) as daemon:
            card.load("long")
            rig.wait_until_it_measures(daemon)
            events = rig.Events(daemon)
            events.wait_for("source_started")
            card.go()
            time.sleep(card.motion["released_s"][0] + 2.0)
            strike(card, daemon)
            gap = events.wait_for("gap", reason)
            self.assertIsNone(gap["count"], gap)
            fault = events.wait_for("source_fault", reason)
            print(f"  {fault['sentence']}")
            self.assertIn("/dev/comedi0", fault["sentence"])
            if reason != "overrun":  # which is over as soon as somebody reads again
                self.problem_is_shown(daemon, fault)
            time.sleep(1)
            mend(card)
            events.wait_for("source_started")
            for _ in ("lvdt", "encoder"):
                events.wait_for("gap", "missing_scans")
            self.has_ended(daemon, ended_by)
            self.next_decay_is_right(card, daemon, motion)
            self.everything_is_counted(daemon, rate_hz)

    def problem_is_shown(self, daemon, fault):
        problem = rig.wait_until("a problem", lambda: rig.status(daemon)["problem"])
        self.assertEqual(problem.split(" (trying")[0], fault["sentence"].split(" (trying")[0])

    def has_ended(self, daemon, ended_by):
        """The channels had enough of the decay to identify what came before the fault."""
        daemon.wait_for_results(2, limit=rig.PATIENCE_S)
        self.assertEqual(rig.full_results(daemon, "lvdt")[0]["record"]["ended_by"], ended_by)
        self.assertEqual(rig.full_results(daemon, "encoder")[0]["record"]["ended_by"], "gap")

    def next_decay_is_right(self, card, daemon, motion):
        card.load(motion)
        rig.wait_until_it_measures(daemon)
        before = {channel: len(rig.full_results(daemon, channel)) for channel in ("lvdt", "encoder")}
        card.go()
        card.wait()
        truth = card.truths()[0]
        for channel, count in before.items():
            daemon.wait_for_results(count + 1, limit=rig.PATIENCE_S, channel=channel)
            result = rig.full_results(daemon, channel)[-1]
            self.assertEqual(result["verdict"], "ok", channel)
            off = rig.deviations(result, truth)
            print(f"  next decay, {channel}: off by {', '.join(f'{z:+.1f}' for z in off)} se")
            self.assertLess(max(abs(z) for z in off), 4, f"{channel}, f_n, zeta, x_k: {off} se; {result['fit']}")

    def everything_is_counted(self, daemon, rate_hz):
        """The lost scans are those that events told of; with the others they are the time that has passed since the
        first. Readings of the encoder count too that came too late for other reasons than the fault."""
        state = rig.status(daemon)
        self.assertIsNone(state["problem"])
        lvdt = next(channel for channel in state["channels"] if channel["name"] == "lvdt")["counters"]
        self.assertGreater(lvdt["lost_samples"], 0.2 * rate_hz)
        began = self.first_scan_s(daemon)
        passed = time.monotonic() - began
        told = (lvdt["samples"] + lvdt["lost_samples"]) / rate_hz
        print(f"  lost {lvdt['lost_samples']} of {lvdt['samples'] + lvdt['lost_samples']} scans")
        self.assertAlmostEqual(told, passed, delta=0.15)
        self.assertEqual(state["counters"]["lost_scans"], rig.lost_by_events(daemon))

    def first_scan_s(self, daemon):
        with daemon.client() as client:
            client.call("subscribe", topics=["event"], from_seq=1)
            event = client.notification("notify.event")["event"]
        self.assertEqual(event["code"], "source_started")
        now, wall = time.monotonic(), time.time()
        return now - (wall - datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp())


class Faults(Struck):
    def struck_by(self, name):
        strike, mend, reason = FAULTS[name]
        self.struck(lambda card, daemon: strike(card), mend, reason)

    def test_the_card_reports_an_error(self):
        self.struck_by("error")

    def test_the_card_loses_data(self):
        self.struck_by("loss")

    def test_the_card_goes_silent(self):
        self.struck_by("silence")

    def test_the_card_is_unplugged(self):
        self.struck_by("cable")

    def test_nobody_reads_for_too_long(self):
        """The kernel's buffer of 2 MiB lasts for ten seconds, and the daemon is stopped for longer. The stream up to
        then is not lost, and the whole decay is in it; of the encoder, which is polled, nothing is."""

        def stop(card, daemon):
            os.kill(daemon.process.pid, signal.SIGSTOP)
            time.sleep(13)
            os.kill(daemon.process.pid, signal.SIGCONT)

        self.struck(stop, lambda card: None, "overrun", rate_hz=100000, ended_by="rest")


class Moments(Struck):
    """The same at other times of the motion, one behind the other, and one on top of the other."""

    def struck_at(self, names, after_s, motion="long", rate_hz=2000):
        """The faults of these names in turn, each so long after a release."""
        with rig.Rig(noise_uv=1000) as card, Daemon(rig.card_rig(f"sample_rate_hz = {rate_hz};")) as daemon:
            events = rig.Events(daemon)
            events.wait_for("source_started")
            for late_s in after_s:
                for name in names:
                    strike, mend, reason = FAULTS[name]
                    card.load(motion)
                    rig.wait_until_it_measures(daemon)
                    card.go()
                    time.sleep(max(card.motion["released_s"][0] + late_s, 0))
                    strike(card)
                    events.wait_for("gap", reason)
                    events.wait_for("source_fault", reason)
                    time.sleep(0.3)
                    mend(card)
                    events.wait_for("source_started")
                    here = sum(events.wait_for("gap", "missing_scans")["count"] for _ in ("lvdt", "encoder"))
                    print(f"  {name} {late_s:+.3f} s after the release: {here} scans lost")
            self.nothing_was_fitted_across(daemon, card.truths()[0])
            self.next_decay_is_right(card, daemon, "short")
            self.everything_is_counted(daemon, rate_hz)

    def nothing_was_fitted_across(self, daemon, truth):
        """Whatever was identified of the decays that were cut, before the gap or behind it, is of their motion."""
        for channel in ("lvdt", "encoder"):
            for result in rig.full_results(daemon, channel):
                if result["verdict"] == "ok":
                    off = rig.deviations(result, truth)
                    self.assertLess(max(abs(z) for z in off), 4.5, (channel, result["record"], off))

    def test_errors(self):
        self.struck_at(["error"], (-0.6, 0.0, 0.05, 1.1))

    def test_the_cable(self):
        self.struck_at(["cable"], (-0.6, 0.0, 0.3))

    def test_silence_and_error_in_turn(self):
        self.struck_at(["silence", "error"], (-0.3, 0.5))

    def test_the_last_cycle_and_rest(self):
        truth = rig.MOTIONS["short"]().decays[0]
        self.struck_at(["error"], (truth.duration() - 0.6 / truth.f_n, truth.duration() + 0.05), "short")

    def test_the_faults_of_the_environment_at_its_times(self):
        """FRICID_FAULTS, FRICID_FAULT_TIMES, FRICID_MOTION, FRICID_RATES: README.md tells what they mean."""
        names = os.environ.get("FRICID_FAULTS", "loss").replace(",", " ").split()
        for rate_hz in rig.own_numbers("FRICID_RATES", "7000"):
            self.struck_at(names, rig.own_numbers("FRICID_FAULT_TIMES", "0.37"), "own", rate_hz)

    def test_a_fault_on_top_of_another(self):
        """The cable is pulled while an error is being recovered from, is put back, and another error comes at once."""
        with rig.Rig(noise_uv=1000) as card, Daemon(rig.card_rig(SOURCE)) as daemon:
            card.load("long")
            rig.wait_until_it_measures(daemon)
            events = rig.Events(daemon)
            events.wait_for("source_started")
            card.go()
            time.sleep(card.motion["released_s"][0] + 0.8)
            card.set("fault", 1)
            events.wait_for("source_fault", "device_error")
            card.unplug()
            card.set("fault", 0)
            events.wait_for("source_fault", "no_device")
            card.plug()
            events.wait_for("source_started")
            for _ in ("lvdt", "encoder"):
                events.wait_for("gap", "missing_scans")
            card.set("fault", 3)
            events.wait_for("source_fault", "device_error")
            card.set("fault", 0)
            events.wait_for("source_started")
            for _ in ("lvdt", "encoder"):
                events.wait_for("gap", "missing_scans")
            self.nothing_was_fitted_across(daemon, card.truths()[0])
            self.next_decay_is_right(card, daemon, "short")
            self.everything_is_counted(daemon, 2000)


class Starts(unittest.TestCase):
    """What is wrong from the beginning is told, and the card is used as soon as it is put right."""

    def refused(self, reason, *words, source=SOURCE, channels=(rig.LVDT, rig.ENCODER), device="/dev/comedi0"):
        with rig.Rig() as card, Daemon(rig.card_rig(source, channels, device)) as daemon:
            self.assertIsNotNone(card)
            event = rig.Events(daemon).wait_for("source_fault", reason)
            print(f"  {event['sentence']}")
            for word in words:
                self.assertIn(word, event["sentence"])
            self.assertEqual(rig.status(daemon)["condition"], "starting")

    def test_the_device_is_missing(self):
        with rig.Rig(noise_uv=1000) as card:
            card.unplug()
            with Daemon(rig.card_rig(SOURCE)) as daemon:
                events = rig.Events(daemon)
                print(f"  {events.wait_for('source_fault', 'no_device')['sentence']}")
                card.plug()
                events.wait_for("source_started")
                rig.wait_until_it_measures(daemon)
                self.assertEqual(rig.status(daemon)["counters"]["lost_scans"], 0)

    def test_another_program_has_the_card(self):
        with rig.Rig(noise_uv=1000), Daemon(rig.card_rig(SOURCE, name="first")) as first:
            rig.wait_until_it_measures(first, "first")
            with Daemon(rig.card_rig(SOURCE, name="second")) as second:
                events = rig.Events(second)
                print(f"  {events.wait_for('source_fault', 'busy')['sentence']}")
                first.stop()
                events.wait_for("source_started")
                rig.wait_until_it_measures(second, "second")

    def test_the_subdevice_is_of_the_wrong_type(self):
        self.refused("wrong_subdevice", "lvdt", "subdevice 2",
                     channels=['{ name = "lvdt"; input = "voltage"; subdevice = 2; }'])

    def test_there_is_no_such_channel(self):
        self.refused("no_such_channel", "number 7", channels=['{ name = "lvdt"; input = "voltage"; channel = 7; }'])

    def test_the_range_is_too_small(self):
        self.refused("no_range", "-20 V", channels=['{ name = "l"; input = "voltage"; range_v = [-20.0, 20.0]; }'])

    def test_the_rate_is_impossible(self):
        self.refused("impossible_rate", "1000000 scans/s", "500000", source="sample_rate_hz = 1000000.0;")

    def test_there_is_no_permission(self):
        """As a user without rights, for whom Debian's udev rule would open the device through a group."""
        with rig.Rig(noise_uv=1000), rig.Unprivileged(rig.card_rig(SOURCE)) as daemon:
            events = rig.Events(daemon)
            sentence = events.wait_for("source_fault", "no_permission")["sentence"]
            print(f"  {sentence}")
            self.assertIn("iocard", sentence)
            for node in Path("/dev").glob("comedi*"):
                node.chmod(0o666)
            advice = events.wait_for("source_advice", "device_world_writable")
            print(f"  {advice['sentence']}")
            events.wait_for("source_started")


if __name__ == "__main__":
    run_tests.main()
