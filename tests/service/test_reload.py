# SPDX-License-Identifier: GPL-3.0-or-later
"""SIGHUP: a new configuration while the daemon measures."""

import os
import signal
import threading
import unittest

from fricid_harness import Client, Daemon, ProtocolError, ScanClock, configuration_text, seconds, simulated_rig
from run_tests import main


def slow_rig(name, seed=1, rate=1000.0, **options):
    """A real-time rig: its samples come whether anybody is ready for them or not."""
    return simulated_rig(name=name, seed=seed, real_time=True, duration_s=0.0, source=f"sample_rate_hz = {rate};", **options)


class ReloadTest(unittest.TestCase):
    def start(self, *rigs, service=""):
        self.daemon = Daemon(",\n".join(rigs), service=service)
        self.daemon.__enter__()
        self.addCleanup(self.daemon.abandon)
        self.client = self.daemon.client()
        self.addCleanup(self.client.socket.close)
        self.client.call("subscribe", topics=["event"])

    def write(self, text):
        """All at once, as editors do it: the daemon may be reading."""
        path = str(self.daemon.configuration_path)
        with open(path + ".new", "w", encoding="utf-8") as new:
            new.write(text)
        os.replace(path + ".new", path)

    def reload(self, text, code="reloaded"):
        """Writes the file, sends the signal, and returns the sentence of the event that must come of it."""
        self.write(text)
        return self.reload_again(code)

    def reload_again(self, code="reloaded"):
        self.daemon.process.send_signal(signal.SIGHUP)
        while True:
            event = self.client.notification("notify.event")["event"]
            if event["code"].startswith("reload"):
                self.assertEqual(event["code"], code, event)
                return event["sentence"]

    def text(self, *rigs, service=""):
        return configuration_text(self.daemon.socket_path, ",\n".join(rigs), service)

    def rig(self, name):
        return next((rig for rig in self.client.call("status")["rigs"] if rig["name"] == name), None)


class WholeOrNotAtAll(ReloadTest):
    def test_a_mistake_leaves_the_old_configuration(self):
        self.start(slow_rig("bearing"))
        before = self.client.call("config")
        for mistake, place in (
            ("rigs = (\n  { name = 7; } );\n", ":2: "),
            ("service = { sokket = 1; };\n", ":1: "),
            (self.daemon.configuration + "\n}\n", ":"),
        ):
            sentence = self.reload(mistake, "reload_failed")
            self.assertIn(str(self.daemon.configuration_path) + place, sentence)
            self.assertIn("the old one stays", sentence)
            self.assertEqual(self.client.call("config"), before)
            self.assertIn(self.rig("bearing")["condition"], ("starting", "running"))
        self.daemon.configuration_path.unlink()
        self.assertIn("the old one stays", self.reload_again("reload_failed"))
        self.daemon.stop()

    def test_keys_that_need_a_restart_are_named(self):
        self.start(slow_rig("bearing"))
        keys = 'results_held = 7; group = "nogroup"; job_deadline_s = 3.0; socket_mode = "0600";'
        text = self.text(slow_rig("bearing"), service=keys)
        sentence = self.reload(text)
        for key in ("service.results_held", "service.group", "service.socket_mode"):
            self.assertIn(key, sentence)
        self.assertNotIn("job_deadline_s", sentence)
        # They still wait when the file is read again, and no more when it says what holds.
        self.assertIn("service.results_held", self.reload_again())
        self.assertNotIn("restart", self.reload(self.text(slow_rig("bearing"))))
        self.daemon.stop()

    def test_limit_of_the_queue_applies_at_once(self):
        self.start(slow_rig("bearing"))
        self.reload(self.text(slow_rig("bearing"), service="queue_max_bytes = 112345678;"))
        self.assertEqual(self.client.call("status")["queue"]["max_bytes"], 112345678)
        self.daemon.stop()


class Rigs(ReloadTest):
    def test_comments_spaces_and_order_change_nothing(self):
        self.start('{ name = "a"; source = { kind = "simulated"; seed = 3; real_time = true; };'
                   ' channels = ( { name = "lvdt"; sensor = "lvdt"; noise_mm = 0.002; } ); }')
        scans = self.rig("a")["counters"]["scans"]
        sentence = self.reload(self.text(
            '# another look\n{ channels = ( { noise_mm = 2e-3; sensor = "lvdt"; name = "lvdt"; } );\n'
            ' source = { real_time = true; seed = 3; kind = "simulated"; }; name = "a"; }') + "\nsegment = { };\n")
        self.assertIn("1 unchanged (a)", sentence)
        self.assertGreaterEqual(self.rig("a")["counters"]["scans"], scans)
        self.daemon.stop()

    def test_what_a_rig_inherits_belongs_to_it(self):
        channel = '{ name = "lvdt"; sensor = "lvdt"; segment = { min_half_cycles = 6; }; }'
        own = slow_rig("own", channels=channel)
        self.start(slow_rig("heir"), own)
        sentence = self.reload(self.text(slow_rig("heir"), own) + "segment = { min_half_cycles = 5; };\n")
        self.assertIn("1 unchanged (own)", sentence)
        self.assertIn("1 changed (heir)", sentence)
        (heir, _) = self.client.call("status")["rigs"]
        self.assertEqual(heir["channels"][0]["thresholds"]["min_half_cycles"], 5)
        self.daemon.stop()

    def test_rigs_come_and_go(self):
        self.start(slow_rig("a"), slow_rig("b"))
        sentence = self.reload(self.text(slow_rig("c"), slow_rig("b")))
        for part in ("1 unchanged (b)", "1 added (c)", "1 removed (a)"):
            self.assertIn(part, sentence)
        self.assertEqual([rig["name"] for rig in self.client.call("status")["rigs"]], ["c", "b"])
        self.assertIn("rigs: 2 removed", self.reload(self.text()))
        self.assertEqual(self.client.call("status")["rigs"], [])
        self.daemon.stop()

    def wait_for_a_decay(self):
        """Until one is long enough to be a result whatever ends it."""
        while True:
            state = self.client.notification("notify.progress")["state"]
            if state["phase"] == "decaying" and state["half_cycle"] >= 12:
                return

    def test_a_changed_rig_ends_its_record_as_reconfigured(self):
        self.start(slow_rig("bearing"))
        self.client.call("subscribe", topics=["progress", "result"])
        ends = []
        # On a computer that stood still meanwhile, the decay has come to rest by then.
        while not ends or ends[-1] == "rest":
            self.assertLess(len(ends), 10, ends)
            self.wait_for_a_decay()
            self.write(self.text(slow_rig("bearing", seed=2 + len(ends))))
            self.daemon.process.send_signal(signal.SIGHUP)
            ends.append(self.client.notification("notify.result")["result"]["record"]["ended_by"])
        self.assertEqual(ends[-1], "reconfigured")
        self.assertIn(self.rig("bearing")["condition"], ("starting", "running"))
        self.daemon.stop()

    def test_an_unchanged_rig_keeps_its_running_record(self):
        """The same seed on a clock that does not wait: reloads in the middle of a decay leave no trace in it."""
        self.start(slow_rig("bearing", seed=5))
        self.client.call("subscribe", topics=["progress", "result"])
        reloads = 0
        while True:
            note = self.client.notification("notify.progress", "notify.result")
            if "result" in note and reloads > 2:
                break
            if "result" in note:
                reloads = 0  # who came late to this decay meets the next one
                continue
            if note["state"]["phase"] == "decaying" and note["state"]["half_cycle"] % 3 == 0:
                reloads += 1
                self.write(self.daemon.configuration + f"# {reloads}\n")
                self.daemon.process.send_signal(signal.SIGHUP)
        self.assertEqual(note["result"]["record"]["ended_by"], "rest", note["result"]["record"])
        self.assertEqual(note["result"]["verdict"], "ok")
        self.daemon.stop()


class WhatIsBehindAnId(ReloadTest):
    def test_earlier_configurations_stay_known(self):
        self.start(slow_rig("bearing"))
        first = self.client.call("config")
        texts = {first["config_id"]: first["text"]}
        for i in range(5):
            text = self.text(slow_rig("bearing")) + f"# edition {i}\n"
            self.reload(text)
            texts[self.client.call("config")["config_id"]] = text
        self.assertEqual(len(texts), 6)
        self.check_known(self.client, texts)
        self.daemon.stop()
        # The next daemon has them from the store.
        with self.daemon, self.daemon.client() as client:
            self.check_known(client, texts)

    def check_known(self, client, texts):
        for config_id, text in texts.items():
            config = client.call("config", config_id=config_id)
            self.assertEqual((config["config_id"], config["path"]), (config_id, str(self.daemon.configuration_path)))
            self.assertEqual(config["text"], text)
        for unknown in ("f" * 16, "no such id"):
            with self.assertRaises(ProtocolError) as caught:
                client.call("config", config_id=unknown)
            self.assertEqual(caught.exception.name, "not_found")

    def test_results_carry_the_id_of_their_configuration(self):
        self.start(simulated_rig(duration_s=30))
        self.daemon.wait_for_results(1)
        first = self.client.call("config")["config_id"]
        self.assertEqual({result["config_id"] for result in self.daemon.wait_for_results(1)}, {first})
        self.reload(self.text(simulated_rig(duration_s=30, seed=9, name="other")))
        second = self.client.call("config")["config_id"]
        self.assertNotEqual(first, second)
        others = self.daemon.wait_for_results(1, rig="other")
        self.assertEqual({result["config_id"] for result in others}, {second})
        self.daemon.stop()


class UnderLoad(ReloadTest):
    RATE = 20000.0

    def counts_of(self, rig):
        counters = rig["counters"]
        for channel in rig["channels"]:
            samples = channel["counters"]["samples"]
            self.assertEqual((counters["scans"], counters["lost_scans"], counters["gaps"]), (samples, 0, 0), rig["name"])
        return counters["scans"]

    def test_a_hundred_reloads(self):
        """One rig stays, another changes every time, a third comes and goes; clients ask all the while."""
        stays = slow_rig("stays", rate=self.RATE)

        def others(i):
            return [slow_rig("changes", seed=2 + i), *([slow_rig("visits")] if i % 2 else [])]

        self.start(stays, *others(0))
        done, errors = threading.Event(), []

        def pester():
            try:
                with Client(self.daemon.socket_path) as client:
                    while not done.is_set():
                        client.call("status")
                        client.call("results.list", limit=10)
            except Exception as error:  # whatever it is, the test fails with it
                errors.append(error)
        clients = [threading.Thread(target=pester) for _ in range(4)]
        for thread in clients:
            thread.start()
        try:
            clock = ScanClock(lambda: self.counts_of(self.rig("stays")), self.RATE)
            for i in range(1, 101):
                sentence = self.reload(self.text(stays, *others(i)))
                self.assertIn("1 unchanged (stays)", sentence)
                self.assertIn("1 changed (changes)", sentence)
                self.assertEqual(self.rig("visits") is not None, i % 2 == 1)
            # A clock that does not wait: every scan of the time that went by is taken in, but for the block under way.
            clock.wait_until_all_is_in(but_s=seconds(0.25))
        finally:
            done.set()
            for thread in clients:
                thread.join()
        self.assertEqual(errors, [])
        self.daemon.stop()


if __name__ == "__main__":
    main()
