# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs: what a rig did once, seen by several channels, has one number, live, restarted and offline."""

import contextlib
import json
import re
import unittest

from fricid_harness import Daemon, Decay, ScratchDirectory, csv_text, offline, recording_rig, release, simulated_rig
from run_tests import main
from store_files import complaints, count, kill, opened, wait_for

CHANNELS = {"lvdt", "encoder"}


def by_run(results):
    """The results of every run."""
    runs = {}
    for result in results:
        runs.setdefault(result["run_id"], []).append(result)
    return runs


def waiting(daemon):
    """Whether a decay is still on its way."""
    with daemon.client() as client:
        status = client.call("status")
    return status["store"]["waiting"] + status["queue"]["bytes"] + sum(thread["queued_jobs"] for thread in status["threads"])


def two_releases():
    """A recording of an LVDT and of an encoder that sees the mass at rest sooner."""
    decay = Decay(zeta=0.03, x0=8.0)
    times, lvdt = release(decay, rate=200.0, noise=0.003)
    _, encoder = release(decay, rate=200.0, step=0.2)
    return csv_text([i / 200 for i in range(2 * len(times))], 2 * lvdt, 2 * encoder,
                    header="time_s,lvdt_mm,encoder_mm")


class Runs(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        self.store = self.scratch.path / "s.store" / "fricid.db"

    def assert_pairs(self, results):
        """Every run has a decay of each channel, released at about the same time on the source's clock."""
        runs = by_run(results)
        for run, of_run in runs.items():
            self.assertEqual({result["channel"] for result in of_run}, CHANNELS, run)
            self.assertEqual(len(of_run), 2, run)
        return runs

    def test_both_channels_of_a_release_and_none_of_another(self):
        rig = simulated_rig(duration_s=60.0)
        with Daemon(rig, directory=self.scratch) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            summaries = client.call("results.list", limit=1000)["results"]
            runs = self.assert_pairs(summaries)
            self.assertGreaterEqual(len(runs), 3)
            for run, of_run in runs.items():
                ids = [result["id"] for result in of_run]
                starts = [client.call("results.get", id=i)["record"]["start_s"] for i in ids]
                self.assertLess(abs(starts[0] - starts[1]), 0.2, run)
                found = client.call("results.list", run_id=run)["results"]
                self.assertEqual([summary["id"] for summary in found], sorted(ids, reverse=True))
            client.call("subscribe", topics=["result"], from_seq=1)
            told = [client.notification("notify.result")["result"] for _ in summaries]
            self.assertEqual({result["id"]: result["run_id"] for result in told},
                             {summary["id"]: summary["run_id"] for summary in summaries})
        self.assertEqual(complaints(self.store), [])

    def test_traces_of_a_run_tell_what_they_measure_and_their_delay(self):
        """Stored with each decay, the same after a restart and when it is identified again."""
        delay_s = 2.5e-4
        rig = simulated_rig(duration_s=30.0, source=f"channel_delay_s = {delay_s};")

        def told(client):
            results = [client.call("results.get", id=summary["id"])
                       for summary in client.call("results.list", limit=1000)["results"]]
            return {result["id"]: (result["channel"], result["kind"], result["record"]["quantity"],
                                   result["record"]["delay_s"]) for result in results}

        with Daemon(rig, directory=self.scratch) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            first = told(client)
        self.assertEqual(set(first.values()), {("lvdt", "free_decay", "displacement", 0.0),
                                               ("encoder", "free_decay", "displacement", delay_s)})
        with contextlib.closing(opened(self.store)) as connection:
            stored = connection.execute("SELECT decay.id, channel, kind, quantity, delay_s FROM decay"
                                        " JOIN setup ON setup.id = decay.setup").fetchall()
        self.assertEqual({row[0]: row[1:] for row in stored}, first)
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            client.call("reidentify", id=1)
            self.assertEqual(told(client), first)

    def test_a_run_is_asked_for(self):
        """Two channels that measure in different units, at different times of a scan."""
        delay_s = 2.5e-4
        micrometres = two_releases().replace("encoder_mm", "encoder_um")
        path = self.scratch.write("swing.csv", micrometres)
        rigs = ",\n".join([simulated_rig(duration_s=20.0, source=f"channel_delay_s = {delay_s};"), recording_rig(path)])
        with Daemon(rigs, directory=self.scratch) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            for number, of_run in by_run(client.call("results.list", limit=1000)["results"]).items():
                run = client.call("runs.get", run_id=number)
                self.assertEqual((run["run_id"], run["kind"], run["rig"]), (number, "free_decay", of_run[0]["rig"]))
                self.assertEqual([trace["id"] for trace in run["traces"]], sorted(result["id"] for result in of_run))
                for trace in run["traces"]:
                    self.assert_is_of(trace, client.call("results.get", id=trace["id"]))
                told = {(trace["channel"], trace["unit"], trace["delay_s"]) for trace in run["traces"]}
                expected = {("lvdt", "mm", 0.0), ("encoder", "mm", delay_s)}
                if run["rig"] == "bench":
                    expected = {("lvdt", "mm", 0.0), ("encoder", "um", 0.0)}
                self.assertEqual(told, expected)
                shown = daemon.fricidctl("run", str(number))
                self.assertEqual(shown.returncode, 0, shown.stderr)
                self.assertEqual(len(shown.stdout.splitlines()), 4, shown.stdout)
                self.assertIn("DELAY", shown.stdout)
                self.assertEqual(json.loads(daemon.fricidctl("run", f"#{number}", "--json").stdout), run)

    def assert_is_of(self, trace, result):
        """A trace tells what the record of its decay's result does."""
        record = result["record"]
        self.assertEqual((trace["channel"], trace["unit"], trace["verdict"], trace["column"]),
                         (result["channel"], result["units"]["displacement"], result["verdict"], None))
        for key in ("samples", "quantity", "delay_s", "start_s"):
            self.assertEqual(trace[key], record[key], key)
        self.assertAlmostEqual(trace["period_s"] * record["sample_rate_hz"], 1.0, places=9)

    def replayed(self, rig, known):
        """One more start of this rig: its decays, and how many of them the store had already."""
        def told():
            return sum(int(number) for number in re.findall(r"(\d+) decays? of .* already kept", daemon.errors()))
        with Daemon(rig, directory=self.scratch) as daemon:
            daemon.wait_until_source_ended()
            wait_for(lambda: told() >= known, what="what the store has already")
            wait_for(lambda: not waiting(daemon), what="a result of what is new")
            shown = daemon.fricidctl("results", "--limit", "1000").stdout.splitlines()[1:]
        self.assertEqual(told(), known)
        return shown

    def test_a_recording_that_is_read_again_is_kept_once(self):
        path = self.scratch.write("swing.csv", two_releases())
        first = self.replayed(recording_rig(path), 0)
        self.assertEqual(len(first), 4)
        self.assertEqual(self.replayed(recording_rig(path), 4), first)
        # Those of another channel's samples, of a file that went on, and of another mass are new.
        path.write_text(two_releases().replace("encoder_mm", "other_mm"), encoding="utf-8")
        self.assertEqual(len(self.replayed(recording_rig(path), 2)), 6)
        moved = self.scratch.write("moved.csv", two_releases())
        self.assertEqual(len(self.replayed(recording_rig(moved), 4)), 6)
        physical = "physical = { mass_kg = 2.0; stiffness_n_per_m = 2000.0; };"
        weighed = recording_rig(path).removesuffix("}") + physical + "}"
        self.assertEqual(len(self.replayed(weighed, 0)), 10)

    def test_remarks_on_a_channel_are_shown(self):
        channels = '{ name = "lvdt"; sensor = "lvdt"; remarks = "oiled, \\x1b[31mnew core"; }, ' \
                   '{ name = "encoder"; sensor = "encoder"; }'
        with Daemon(simulated_rig(duration_s=10.0, channels=channels), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
            with daemon.client() as client:
                remarks = {trace["channel"]: trace["remarks"] for trace in client.call("runs.get", run_id=1)["traces"]}
            self.assertEqual(remarks, {"lvdt": "oiled, \x1b[31mnew core", "encoder": None})
            shown = {words[1]: text for text in (daemon.fricidctl("show", number).stdout for number in "12")
                     for words in re.findall(r"(channel) (\w+)", text)}
            self.assertIn("remarks on the channel: oiled, ?[31mnew core\n", shown["lvdt"])
            self.assertNotIn("remarks", shown["encoder"])
            self.assertIn("oiled, ?[31mnew core", daemon.fricidctl("run", "1").stdout)

    def test_a_run_of_now_has_its_time_of_day(self):
        rig = simulated_rig(real_time=True, duration_s=20.0)
        with Daemon(rig, directory=self.scratch) as daemon, daemon.client() as client:
            daemon.wait_for_results(2)
            run = client.call("runs.get", run_id=1)
        self.assertEqual(run["started_at"], min(trace["released_at"] for trace in run["traces"]))

    def test_columns_of_a_table_are_traces(self):
        heights = {"h0": [100.0, 98.0, 97.0], "h1": [64.0, 63.0, 62.5]}
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            (pairs,) = client.call("identify", kind="bounces", columns=heights, unit="cm", keep=True)["results"]
            (series,) = client.call("identify", kind="bounces", columns={"interval_s": [0.4, 0.36]},
                                    keep=True)["results"]
            traces = [client.call("runs.get", run_id=result["run_id"])["traces"] for result in (pairs, series)]
        told = [[(trace["id"], trace["column"], trace["quantity"], trace["unit"], trace["samples"]) for trace in of_run]
                for of_run in traces]
        self.assertEqual(told, [[(pairs["id"], "h0", "height", "cm", 3), (pairs["id"], "h1", "height", "cm", 3)],
                                [(series["id"], "interval_s", "time", "s", 2)]])
        self.assertEqual({(trace["start_s"], trace["period_s"], trace["delay_s"]) for trace in traces[0]},
                         {(None, None, None)})

    def test_a_run_that_is_not_there(self):
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            refused = client.ask("runs.get", run_id=10 ** 9)["error"]
            self.assertEqual(refused["data"]["name"], "not_found")
            self.assertIn("run 1000000000 is not held", refused["message"])
            shown = daemon.fricidctl("run", "7")
            self.assertEqual(shown.returncode, 1)
            self.assertIn("run 7 is not held", shown.stderr)
            self.assertEqual(daemon.fricidctl("run", "seven").returncode, 2)

    def test_no_number_comes_again(self):
        """After an end, and after a kill; the source's clock begins anew each time."""
        latest, kept = 0, 0
        for turn in range(3):
            daemon = Daemon(simulated_rig(duration_s=30.0), directory=self.scratch)
            with contextlib.ExitStack() as ends:
                (daemon.__enter__ if turn == 1 else lambda: ends.enter_context(daemon))()
                daemon.wait_until_source_ended()
                with daemon.client() as client:
                    channels = [channel for rig in client.call("status")["rigs"] for channel in rig["channels"]]
                    kept += sum(channel["counters"]["decays"] for channel in channels)
                    wait_for(lambda: count(self.store, "decay", "revision > 0") == kept, what="a result of every decay")
                    results = client.call("results.list", limit=1000)["results"]
                new = [result for result in results if result["run_id"] > latest]
                self.assert_pairs(results)
                self.assertEqual(len(new) * (turn + 1), len(results))
                latest = max(result["run_id"] for result in new)
            if turn == 1:
                kill(daemon)
        self.assertEqual(complaints(self.store), [])

    def test_a_recording_and_the_same_file_offline(self):
        path = self.scratch.write("swing.csv", two_releases())
        with Daemon(recording_rig(path), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
            live = self.assert_pairs(daemon.wait_for_results(4))
        done = offline(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({result["id"] for result in done.results}, {None})
        of_file = self.assert_pairs(done.results)
        self.assertEqual(list(of_file), [1, 2])
        self.assertEqual(len(live), 2)
        whole = offline("--whole", path)
        self.assertEqual([result["run_id"] for result in whole.results], [1, 1])

    def test_a_record_on_request_has_none(self):
        times, displacements = release(Decay(zeta=0.03, x0=8.0), rate=200.0, noise=0.003)
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            (result,) = client.call("identify", displacement=displacements, sample_rate_hz=200.0)["results"]
        self.assertIsNone(result["run_id"])
        self.assertIn("on request", result["reason"])


if __name__ == "__main__":
    main()
