# SPDX-License-Identifier: GPL-3.0-or-later
"""The method identify: records that a client brings along."""

import grp
import json
import os
import pwd
import re
import signal
import subprocess
import sys
import threading
import unittest
import unittest.mock
from pathlib import Path

from fricid_harness import (THINNING, Daemon, Decay, ProtocolError, ScratchDirectory, csv_text, deviation, offline, release,
                            seconds, simulated_rig)
from run_tests import main
from schemas import complaints
from store_files import wait_for

INVALID_PARAMS, NOT_PERMITTED, NOT_FOUND, TOO_LARGE, BUSY = -32602, -32001, -32002, -32003, -32004


class IdentifyTest(unittest.TestCase):
    """A daemon without any rig, for all tests of the class."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.abandon)

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()

    def setUp(self):
        self.client = self.daemon.client()
        self.addCleanup(self.client.socket.close)

    def refused(self, code, method, /, **parameters):
        with self.assertRaises(ProtocolError) as caught:
            self.client.call(method, **parameters)
        self.assertEqual(caught.exception.code, code, caught.exception)

    def assert_recovers(self, result, decay, relative):
        fit = result["fit"]
        self.assertEqual(fit["verdict"], "ok", fit["reason"])
        self.assertAlmostEqual(fit["f_n_hz"]["value"] / decay.f_n, 1, delta=relative)
        self.assertAlmostEqual(fit["zeta"]["value"] / decay.zeta, 1, delta=relative)
        self.assertAlmostEqual(fit["x_k"]["value"] / decay.x_k, 1, delta=relative)


def cut(decay, rate=500.0):
    """A record that is one decay already: from its first extremum to shortly before its rest."""
    times = [i / rate for i in range(int((decay.duration() - 0.05) * rate))]
    return times, [decay.at(t) for t in times]


class Tables(IdentifyTest):
    """Records of other kinds than free decays: columns of figures instead of samples."""

    HEIGHTS = {"h0": [30.0, 50.0], "h1": [0.81 * 30, 0.64 * 50]}

    def identify(self, **parameters):
        (result,) = self.client.call("identify", kind="bounces", **parameters)["results"]
        return result

    def test_bounces_give_what_the_same_file_gives(self):
        told = self.identify(columns=self.HEIGHTS, unit="cm", name="golf")
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        rows = "".join(f"golf,{h0!r},{h1!r}\n" for h0, h1 in zip(self.HEIGHTS["h0"], self.HEIGHTS["h1"]))
        (line,) = offline(scratch.write("balls.csv", "ball,h0_cm,h1_cm\n" + rows)).results
        different = {key for key in told if told[key] != line[key]}
        self.assertEqual(different, {"rig", "source", "config_id", "file"})
        self.assertEqual(told["kind"], "bounces")
        self.assertAlmostEqual(told["e"]["value"], 0.85, delta=1e-12)

    def test_a_series_is_pairs_that_follow_each_other(self):
        told = self.identify(columns={"interval_s": [0.4, 0.36, 0.0, 0.4, 0.32]})
        self.assertEqual((told["impacts"], told["from"]), (2, "flight_times"))
        self.assertAlmostEqual(told["e"]["value"], 0.85, delta=1e-12)

    def test_what_says_its_unit_has_no_other(self):
        for columns in ({"flight_s": [0.4, 0.36]}, {"interval_s": [0.4, 0.36]}):
            for unit in ("mm", "ms", "1"):
                with self.subTest(unit), self.assertRaisesRegex(ProtocolError, "_s is in s"):
                    self.identify(columns=columns, unit=unit)
            self.assertEqual(self.identify(columns=columns)["units"], {"displacement": "s"})
            self.assertEqual(self.identify(columns=columns, unit="s")["units"], {"displacement": "s"})
        self.assertEqual(self.identify(columns=self.HEIGHTS, unit="cm")["units"], {"displacement": "cm"})

    def test_without_an_impact_there_is_a_verdict(self):
        told = self.identify(columns={"interval_s": [0.4]})
        self.assertEqual((told["verdict"], told["e"]["value"]), ("too_few_samples", None))
        self.assertIsNotNone(told["reason"])

    def test_what_makes_no_record_is_refused(self):
        for parameters in ({"kind": "bounces"},
                           {"kind": "bounces", "columns": {"h0": [1.0]}},
                           {"kind": "bounces", "columns": {"h0": [1.0], "h2": [1.0]}},
                           {"kind": "bounces", "columns": {"h0": [1.0], "h1": [1.0, 2.0]}},
                           {"kind": "bounces", "columns": {"h0": [1.0], "h1": ["1"]}},
                           {"kind": "bounces", "columns": {"h0": [], "h1": []}},
                           {"kind": "bounces", "columns": {"interval_s": [1.0] * 8193}},
                           {"kind": "bounces", "columns": self.HEIGHTS, "sample_rate_hz": 100.0},
                           {"kind": "bounces", "displacement": [1.0], "sample_rate_hz": 100.0},
                           {"kind": "free_decay", "columns": self.HEIGHTS},
                           {"kind": "free_decay"},
                           {"kind": "thunder", "columns": self.HEIGHTS},
                           {"columns": self.HEIGHTS}):
            with self.subTest(parameters=str(parameters)[:80]):
                self.refused(INVALID_PARAMS, "identify", **parameters)

    def test_what_is_of_samples_is_refused_by_its_name(self):
        """Not ignored: whoever gives the uncertainty of a clock wants it in the result."""
        for name, value in {"displacement": [1.0], "time_s": [1.0], "gaps": [1], "lost": [1], "clipped": [1],
                            "sample_rate_hz": 1.0, "start_s": 0.0, "resolution": 0.1, "whole": True,
                            "tells_gaps": True, "clock_ppm": 100.0, "delay_s": 1e-4,
                            "time_error_s": 0.001}.items():
            with self.subTest(name), self.assertRaisesRegex(ProtocolError, f"{name} is of samples"):
                self.client.call("identify", kind="bounces", columns=self.HEIGHTS, **{name: value})

    def test_samples_may_be_called_by_their_kind(self):
        times, displacement = cut(Decay())
        (result,) = self.client.call("identify", kind="free_decay", displacement=displacement, sample_rate_hz=500.0,
                                     whole=True)["results"]
        self.assertEqual((result["kind"], result["verdict"]), ("free_decay", "ok"))


class Keeping(unittest.TestCase):
    """Records that a client brings along, stored like what a rig measures."""

    HEIGHTS = {"h0": [30.0, 50.0], "h1": [0.81 * 30, 0.64 * 50]}

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def daemon(self):
        return Daemon(directory=self.scratch)

    def test_a_kept_record_is_published_and_found_again(self):
        with self.daemon() as daemon, daemon.client() as client, daemon.client() as listener:
            listener.call("subscribe", topics=["result"])
            (told,) = client.call("identify", kind="bounces", columns=self.HEIGHTS, unit="cm", name="golf",
                                  keep=True)["results"]
            self.assertGreater(min(told["id"], told["seq"], told["run_id"]), 0)
            self.assertEqual(listener.notification("notify.result")["result"], told)
            (decay,) = client.call("identify", displacement=cut(Decay())[1], sample_rate_hz=500.0, whole=True,
                                   keep=True)["results"]
            self.assertNotEqual(decay["run_id"], told["run_id"])
            self.assertEqual(client.call("identify", kind="bounces", columns=self.HEIGHTS)["results"][0]["id"], None)
        with self.daemon() as daemon, daemon.client() as client:
            self.assertEqual(client.call("results.get", id=told["id"]), told)
            listed = client.call("results.list")["results"]
            self.assertEqual([summary["id"] for summary in listed], [decay["id"], told["id"]])
            self.assertEqual(listed[1]["figures"]["e"], told["e"])
            self.assertNotIn("figures", listed[0])
            self.assertEqual(complaints("summary.json", listed[0]) + complaints("summary.json", listed[1]), [])
            self.assertEqual((listed[1]["half_cycles"], listed[1]["ended_by"]), (None, None))
            self.assertEqual(listed[0]["ended_by"], "end_of_source")
            for kind, found in (("bounces", told), ("free_decay", decay)):
                (only,) = client.call("results.list", kind=kind)["results"]
                self.assertEqual((only["id"], only["kind"]), (found["id"], kind))
            samples = client.call("samples", id=told["id"])
            self.assertEqual(samples["displacement"], [30.0, 0.81 * 30, 50.0, 0.64 * 50])
            self.assertEqual((samples["columns"], samples["unit"], samples["period_s"]), ("h0,h1", "cm", None))
            self.assertIsNone(client.call("samples", id=decay["id"], count=1)["columns"])
            self.assertEqual(client.call("reidentify", id=told["id"], check=True)["changed"], 0)
            client.call("reidentify", id=told["id"])
            again = client.call("results.get", id=told["id"])
            self.assertEqual((again["revision"], again["e"]), (2, told["e"]))
            client.call("protect", id=told["id"], protected=True)
            with self.assertRaises(ProtocolError):
                client.call("results.list", kind="thunder")

    def test_a_table_has_no_picture(self):
        with self.daemon() as daemon, daemon.client() as client:
            client.call("identify", kind="bounces", columns=self.HEIGHTS, keep=True)
            for picture in ("balls.svg", "balls.gp", "-"):
                done = daemon.fricidctl("plot", "1", "-o", picture, cwd=self.scratch.path)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr, "fricidctl: record 1 is of the kind bounces: there are pictures of free "
                                              "decays, ring-downs, loops, curves and responses only\n")
                self.assertFalse((self.scratch.path / picture).exists())

    def test_kept_records_are_sorted_and_chosen_by_their_figures(self):
        with self.daemon() as daemon, daemon.client() as client:
            def keep(ratio):
                return client.call("identify", kind="bounces", columns={"flight_s": [0.4, 0.4 * ratio]},
                                   keep=True)["results"][0]
            told = {ratio: keep(ratio) for ratio in (0.8, 0.5, 0.9)}
            keep(2.0)
            zetas = {ratio: result["zeta"]["value"] for ratio, result in told.items()}

            def listed(**parameters):
                summaries = client.call("results.list", **parameters)["results"]
                return [summary["figures"]["zeta"]["value"] for summary in summaries]
            self.assertEqual(listed(kind="bounces", sort="zeta"), [zetas[0.5], zetas[0.8], zetas[0.9]])
            self.assertEqual(listed(sort="zeta", ascending=True, limit=2), [zetas[0.9], zetas[0.8]])
            self.assertEqual(listed(zeta_min=zetas[0.8]), [zetas[0.5], zetas[0.8]])
            self.assertEqual(listed(kind="bounces", zeta_max=zetas[0.9]), [zetas[0.9]])
            self.assertEqual(listed(sort="f_n_hz"), [])
            shown = daemon.fricidctl("results", "--kind", "bounces", "--sort", "zeta").stdout
            self.assertEqual(len(shown.splitlines()), 4)

    def test_all_decays_of_a_recording_are_kept(self):
        times, displacement = release(Decay(x_s=0.19), noise=0.01)
        with self.daemon() as daemon, daemon.client() as client:
            asked = client.call("identify", displacement=displacement[:8000], sample_rate_hz=1000.0)["results"]
            kept = client.call("identify", displacement=displacement[:8000], sample_rate_hz=1000.0, keep=True)["results"]
            self.assertEqual([result["fit"] for result in kept], [result["fit"] for result in asked])
            self.assertEqual(len(client.call("results.list")["results"]), len(kept))

    def test_what_no_answer_holds_is_stored_once(self):
        """The client is told so, and not to finish the record again, which would store it twice."""
        releases = 160
        with self.daemon() as daemon, daemon.client() as client:
            upload = self.begin(client, releases, keep=True)
            with self.assertRaisesRegex(ProtocolError, "stored: `fricidctl results` has them") as caught:
                client.call("identify.finish", upload=upload)
            self.assertEqual(caught.exception.code, TOO_LARGE)
            with self.assertRaises(ProtocolError) as caught:
                client.call("identify.finish", upload=upload)
            self.assertEqual(caught.exception.code, NOT_FOUND)
            self.assertEqual(len(client.call("results.list", limit=1000)["results"]), releases)

    def begin(self, client, releases, keep, name="record"):
        _, displacement = release(Pages.DECAY, rate=200.0, noise=0.003, lead=0.7, pull=0.6, hold=0.4, tail=0.7)
        upload = client.call("identify.begin", sample_rate_hz=200.0, keep=keep, name=name)["upload"]
        asked = {"jsonrpc": "2.0", "id": 0, "method": "identify.append",
                 "params": {"upload": upload, "displacement": displacement * 10}}
        line = json.dumps(asked).encode() + b"\n"
        for _ in range(releases // 10):  # the same each time: not put together, nor held against the schema, anew
            client.send_line(line)
            self.assertIn(b'"result"', client.read_line())
        return upload

    def ended_meanwhile(self, releases, name):
        """The answer to a record that is to be kept, of a daemon that is ended when the first result was published."""
        with self.daemon() as daemon, daemon.client() as client, daemon.client() as listener:
            listener.call("subscribe", topics=["result"])
            upload = self.begin(client, releases, keep=True, name=name)
            # As soon as a line comes, whatever it says: a thousand are stored in a second.
            stop = threading.Thread(target=lambda: (listener.read_line(), daemon.process.send_signal(signal.SIGTERM)))
            stop.start()
            answer = client.ask("identify.finish", upload=upload, limit=1)
            stop.join()
            return answer

    def test_the_daemon_ends_meanwhile(self):
        """What the client is told is what the store has: else it would send stored decays again, or forget others."""
        # So many that the signal comes before the last is stored; a sanitizer makes storing slower than signals.
        releases, before = 1500 if seconds(1) == 1 else 500, 0
        for attempt in range(5):
            # Under a name of its own: what was kept before would not be stored again.
            answer = self.ended_meanwhile(releases, f"attempt_{attempt}")
            if "error" in answer:
                break
            before += releases  # all were stored already
        self.assertIn("error", answer)
        found, with_result, without, lost = map(int, re.findall(r"\d+", answer["error"]["message"]))
        self.assertEqual(found, releases)
        self.assertEqual(with_result + without + lost, releases)
        with self.daemon() as daemon, daemon.client() as client:
            stored = before + with_result + without
            self.assertEqual(client.call("status")["store"]["decays"], stored)

            def is_settled():
                store = client.call("status")["store"]
                return store["waiting"] == 0 and store["results"] == stored
            # One of the two may be told a moment before the other.
            wait_for(is_settled, what="results of the others")

    if seconds(1) == 1 and THINNING == 1:  # a sanitizer's own memory would be measured; ./quickstart check has no time for it

        def peak(self, releases, keep):
            with Daemon() as daemon, daemon.client() as client:
                client.call("identify.finish", upload=self.begin(client, releases, keep), limit=1)
                return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{daemon.process.pid}/status").read_text())[1])

        def test_texts_of_many_results_are_not_held(self):
            """A result more takes as much memory as one that is not kept; the history holds a limited number, 16 MiB of
            texts of 25 kB: less than half of those that are kept."""
            history = 16 << 10
            plain, kept = (self.peak(2500, keep) - self.peak(1000, keep) for keep in (False, True))
            print(f"1500 results more take {plain} KiB, {kept} KiB where they are kept")
            self.assertLess(kept - history, 1.4 * plain)

    def test_fricidctl_keeps_and_shows(self):
        path = self.scratch.write("balls.csv", "ball,h0_cm,h1_cm\ngolf,30,20\ngolf,30,21\nlead,30,0\n")
        with self.daemon() as daemon:
            done = daemon.fricidctl("identify", "--keep", path)
            self.assertEqual(done.returncode, 0)
            self.assertIn("kept: id 1, run 1\n", done.stdout)
            self.assertNotIn("kept:", daemon.fricidctl("identify", path).stdout)
            listed = daemon.fricidctl("results", "--kind", "bounces").stdout
            self.assertRegex(listed, r"bounces: e 0\.827\(10\)")
            self.assertNotIn("end_of_source", listed)
            self.assertEqual(daemon.fricidctl("results", "--kind", "free_decay").stdout, "")
            shown = daemon.fricidctl("show", "1").stdout
            self.assertRegex(shown, r"record 1, run 1, rig request, channel golf")
            self.assertRegex(shown, r"e +0\.827\(10\)")


class KeptTwice(unittest.TestCase):
    """A file that is kept once more: its decays are those that are there."""

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def kept_twice(self, daemon):
        times, positions = release(Decay(), noise=0.01)
        path = self.scratch.write("swing.csv", csv_text(times, positions))
        copy = self.scratch.write("copy.csv", csv_text(times, positions))
        other = self.scratch.write("other.csv", csv_text(times, [1.01 * x for x in positions]))
        done = daemon.fricidctl("identify", "--keep", path)
        self.assertRegex(done.stdout, r"(?m)^  kept: id 1, run 1$")
        for again in (path, copy):
            done = daemon.fricidctl("identify", "--keep", again)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"(?m)^  already kept: id 1, run 1$")
        self.assertRegex(daemon.fricidctl("identify", "--keep", other).stdout, r"(?m)^  kept: id 2, run 2$")
        with daemon.client() as client:
            self.assertEqual([result["id"] for result in client.call("results.list")["results"]], [2, 1])
            sent = dict(displacement=positions, sample_rate_hz=1 / (times[1] - times[0]), keep=True, name="by_hand")
            first, second = (client.call("identify", **sent)["results"][0] for _ in range(2))
        self.assertEqual((first["id"], second["id"], second["run_id"]), (3, 3, 3))
        self.assertIn("kept before", second["reason"])
        self.assertIsNone(second["seq"])
        wait_for(lambda: daemon.errors().count("already kept") >= 1, what="word of what is kept already")
        self.assertIn("of a record that a client sent", daemon.errors())

    def test_in_a_file(self):
        with Daemon(directory=self.scratch) as daemon:
            self.kept_twice(daemon)

    def test_in_memory(self):
        daemon = Daemon(directory=self.scratch)
        self.scratch.write("fricid.conf", f'service = {{ socket = "{daemon.socket_path}"; }};')
        nowhere = self.scratch.write("file", "where the directory of the store should be")
        with unittest.mock.patch.dict(os.environ, STATE_DIRECTORY=str(nowhere)), daemon:
            wait_for(lambda: "in memory" in daemon.errors(), what="word of a store in memory")
            self.kept_twice(daemon)
            with daemon.client() as client, self.assertRaises(ProtocolError) as refused:
                client.call("results.list", sort="zeta")
            self.assertEqual(refused.exception.name, "not_possible")
            self.assertEqual(daemon.fricidctl("results", "--sort", "zeta").returncode, 1)


class Models(unittest.TestCase):
    """A decay's damping is called the same wherever it is named."""

    CASES = {"viscous": Decay(zeta=0.02, x_k=0.0, x_s=0.3), "Coulomb": Decay(zeta=0.0, x_k=0.3),
             "viscous + Coulomb": Decay()}

    def test_one_statement_about_the_model(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        with Daemon(directory=scratch) as daemon, daemon.client() as client:
            for number, (words, decay) in enumerate(self.CASES.items(), 1):
                name = words.lower().replace(" ", "")
                with self.subTest(words):
                    path = scratch.write(f"{name}.csv", csv_text(*release(decay, noise=0.01)))
                    told = daemon.fricidctl("identify", "--keep", path).stdout
                    summary = client.call("results.list")["results"][0]
                    result = client.call("results.get", id=number)
                    self.assertEqual((result["model_choice"]["model"], result["fit"]["model"], summary["model"]), (name,) * 3)
                    self.assertEqual(result["fit"]["fitted"], "viscous+coulomb")
                    shown = daemon.fricidctl("show", str(number)).stdout
                    for text in (told, shown):
                        self.assertRegex(text, rf"    {re.escape(words)}, ok\n")
                        self.assertRegex(text, rf"\n  damping {re.escape(words)} \(likelihood")
                        self.assertRegex(text, rf"\n  models by .* {re.escape(words)} [0-9.]+ mm \(chosen\)")
                    row = daemon.fricidctl("results", "--columns", "id,verdict,model").stdout.splitlines()[1]
                    self.assertRegex(row, rf"^{number} +ok +{re.escape(words)}$")
                    seen = daemon.fricidctl("watch", "--from-seq", str(result["seq"]), "--count", "1").stdout
                    self.assertIn(f": {words}, f_n ", seen)


class Marks(IdentifyTest):
    """What a client may say of a record's samples: gaps and clipped ones."""

    rate = 500.0
    decay = Decay(f_n=5.4, zeta=0.015, x_k=0.16, x0=11.0)

    def ends(self, **marks):
        _, displacement = release(self.decay, self.rate, noise=0.01)
        reply = self.client.call("identify", displacement=displacement, sample_rate_hz=self.rate, **marks)
        return [result["record"]["ended_by"] for result in reply["results"]], reply["results"]

    def test_a_gap_ends_a_decay_and_moves_the_time(self):
        row = int(3.6 * self.rate)
        (plain,), _ = self.ends()
        self.assertEqual(plain, "rest")
        ends, results = self.ends(gaps=[row], lost=[250])
        self.assertEqual(ends, ["gap", "rest"])
        self.assertGreater(results[1]["record"]["start_s"], row / self.rate + 0.5)

    def test_in_pieces(self):
        _, displacement = release(self.decay, self.rate, noise=0.01)
        row = int(3.6 * self.rate)
        upload = self.client.call("identify.begin", sample_rate_hz=self.rate)["upload"]
        for first in range(0, len(displacement), 100):
            marks = {"gaps": [row - first], "lost": [0]} if first <= row < first + 100 else {}
            self.client.call("identify.append", upload=upload, displacement=displacement[first:first + 100], **marks)
        reply = self.client.call("identify.finish", upload=upload)
        self.assertEqual([result["record"]["ended_by"] for result in reply["results"]], ["gap", "rest"])

    def test_clipped_samples_end_a_decay(self):
        row = int(3.6 * self.rate)
        ends, _ = self.ends(clipped=[row, row + 1])
        self.assertEqual(ends[0], "clipped")

    def test_what_does_not_fit_is_refused(self):
        one = {"displacement": [1.0, 2.0, 3.0], "sample_rate_hz": 10}
        for marks in ({"gaps": [1]}, {"lost": [1]}, {"gaps": [1], "lost": [0, 0]}, {"gaps": [0], "lost": [1]},
                      {"gaps": [3], "lost": [1]}, {"gaps": [2, 1], "lost": [1, 1]}, {"gaps": [1, 1], "lost": [1, 1]},
                      {"gaps": [1.0], "lost": [1]}, {"gaps": [1], "lost": [-1]}, {"gaps": [1], "lost": [10**13]},
                      {"gaps": [-1], "lost": [1]}, {"clipped": [3]}, {"clipped": [1, 1]}, {"clipped": [-1]},
                      {"gaps": [1], "lost": [1], "whole": True}, {"clock_ppm": -1}, {"rig": ""}):
            with self.subTest(marks):
                self.refused(INVALID_PARAMS, "identify", **one, **marks)

    def test_what_is_lost_must_leave_times_that_can_be_told_apart(self):
        upload = self.client.call("identify.begin", sample_rate_hz=10)["upload"]
        piece = {"upload": upload, "displacement": [1.0] * 8000, "gaps": list(range(1, 8000)), "lost": [10**12] * 7999}
        self.client.call("identify.append", **piece)
        self.refused(INVALID_PARAMS, "identify.append", **piece)
        self.assertEqual(self.client.call("identify.append", upload=upload, displacement=[1.0])["samples"], 8001)

    def test_the_settings_of_the_rig_that_was_recorded(self):
        rig = simulated_rig(duration_s=1).replace("channels =", "segment = { start_below = 8.0; };\n  channels =")
        _, displacement = release(self.decay, self.rate, noise=0.01)
        with Daemon(rig) as daemon, daemon.client() as client:
            first = {}
            for name in ("bearing", "other"):
                (result,) = client.call("identify", displacement=displacement, sample_rate_hz=self.rate, name="lvdt",
                                        unit="mm", rig=name, clock_ppm=100, time_error_s=0.001)["results"]
                first[name] = abs(result["extrema_fit"]["x0"]["value"])
                self.assertEqual(result["record"]["time_error_s"], 0.001)
                self.assertEqual(result["physical"]["mass_kg"], 1.92 if name == "bearing" else None)
            with self.assertRaisesRegex(ProtocolError, "nothing is left between the amplitudes"):
                client.call("identify", displacement=displacement, sample_rate_hz=self.rate, name="lvdt", unit="mm",
                            rig="bearing", amplitude_min=8.5)
        self.assertLess(first["bearing"], 8.5)
        self.assertGreater(first["other"], 10.0)


class Whole(IdentifyTest):
    decay = Decay(zeta=0.02, x_k=0.1, x0=10.0, f_n=5.0, bias=0.3)

    def test_uniform(self):
        _, displacement = cut(self.decay)
        reply = self.client.call("identify", displacement=displacement, sample_rate_hz=500.0, unit="mm", name="laser", whole=True)
        (result,) = reply["results"]
        self.assertEqual((result["id"], result["seq"], result["channel"]), (None, None, "laser"))
        self.assertEqual(result["units"]["displacement"], "mm")
        self.assert_recovers(result, self.decay, 1e-9)
        self.assertEqual(self.client.call("results.list")["results"], [])

    def test_time_stamped(self):
        times, _ = cut(self.decay)
        stamps = [t + 0.0007 * (i % 2) for i, t in enumerate(times)]
        displacement = [self.decay.at(t) for t in stamps]
        (result,) = self.client.call("identify", displacement=displacement, time_s=stamps, whole=True)["results"]
        self.assert_recovers(result, self.decay, 1e-9)

    def test_whole_numbers_are_samples_too(self):
        _, displacement = cut(Decay(zeta=0.02, x_k=100, x0=10000, f_n=5.0))
        (result,) = self.client.call("identify", displacement=[round(x) for x in displacement], sample_rate_hz=500, whole=True)["results"]
        self.assertEqual(result["fit"]["verdict"], "ok")
        self.assertLess(abs(deviation(result["fit"]["zeta"], 0.02)), 5)

    def test_nothing_to_find_is_a_verdict(self):
        for displacement in ([1.0] * 500, [float(i) for i in range(500)], [0.0, 1.0], [1.0]):
            with self.subTest(len(displacement)):
                reply = self.client.call("identify", displacement=displacement, sample_rate_hz=500.0, whole=True)
                for result in reply["results"]:
                    self.assertNotEqual(result["verdict"], "ok")
                    self.assertTrue(result["fit"]["reason"])


class Segmented(IdentifyTest):
    def test_run_in_one_request(self):
        decay = Decay(x_s=0.19)
        _, displacement = release(decay, noise=0.01, seed=5)
        reply = self.client.call("identify", displacement=displacement, sample_rate_hz=1000.0, start_s=100.0, unit="mm")
        (result,) = reply["results"]
        self.assertEqual(result["verdict"], "ok")
        self.assertTrue(result["record"]["dropped_first_half_cycle"])
        self.assertGreater(result["record"]["start_s"], 103)
        self.assertLess(abs(deviation(result["fit"]["x_k"], decay.x_k)), 5)

    def test_upload_in_pieces(self):
        decay = Decay(x_s=0.19)
        _, displacement = release(decay, rate=5000.0, noise=0.01, seed=6)
        upload = self.client.call("identify.begin", sample_rate_hz=5000.0, unit="mm", name="laser")["upload"]
        for start in range(0, len(displacement), 8192):
            piece = displacement[start : start + 8192]
            taken = self.client.call("identify.append", upload=upload, displacement=piece)["samples"]
            self.assertEqual(taken, start + len(piece))
        (result,) = self.client.call("identify.finish", upload=upload)["results"]
        self.assertEqual(result["verdict"], "ok")
        self.assertLess(abs(deviation(result["fit"]["zeta"], decay.zeta)), 5)
        self.refused(NOT_FOUND, "identify.finish", upload=upload)

    def test_uploads_belong_to_their_connection(self):
        upload = self.client.call("identify.begin", sample_rate_hz=1000.0)["upload"]
        with self.daemon.client() as other, self.assertRaises(ProtocolError) as caught:
            other.call("identify.append", upload=upload, displacement=[1.0])
        self.assertEqual(caught.exception.code, NOT_FOUND)


class Pages(IdentifyTest):
    """Many decays in one record."""

    DECAY = Decay(zeta=0.03, x_k=0.2, x0=8.0, f_n=5.0)

    def upload(self, releases):
        """A record of so many releases; the number of its upload."""
        _, displacements = release(self.DECAY, rate=200.0, noise=0.003, lead=0.7, pull=0.6, hold=0.4, tail=0.7)
        upload = self.client.call("identify.begin", sample_rate_hz=200.0, unit="mm")["upload"]
        pieces = 8192 // len(displacements)
        for first in range(0, releases, pieces):
            self.client.call("identify.append", upload=upload, displacement=displacements * min(pieces, releases - first))
        return upload

    def test_pages_hold_what_one_answer_holds(self):
        whole = self.client.call("identify.finish", upload=self.upload(12))
        self.assertEqual((len(whole["results"]), whole["remaining"], whole["upload"]), (12, 0, 0))
        page = self.client.call("identify.finish", upload=self.upload(12), limit=5)
        results, number = page["results"], page["upload"]
        self.assertEqual((len(results), page["remaining"]), (5, 7))
        while page["remaining"] > 0:
            page = self.client.call("identify.more", upload=number, offset=len(results))
            again = self.client.call("identify.more", upload=number, offset=len(results))
            self.assertEqual(page, again)
            self.assertEqual(page["drops"], whole["drops"])
            results += page["results"]
        self.assertEqual(results, whole["results"])
        self.refused(INVALID_PARAMS, "identify.more", upload=number, offset=0)
        self.refused(INVALID_PARAMS, "identify.more", upload=number, offset=13)
        self.assertEqual(self.client.call("identify.more", upload=number, offset=12)["results"], [])
        self.refused(NOT_FOUND, "identify.more", upload=number, offset=12)

    def test_pages_that_nobody_fetches_are_bounded(self):
        for _ in range(4):
            self.assertEqual(self.client.call("identify.finish", upload=self.upload(2), limit=1)["remaining"], 1)
        self.refused(BUSY, "identify.begin", sample_rate_hz=1.0)
        self.refused(BUSY, "identify", displacement=[1.0, 2.0], sample_rate_hz=1.0, limit=1)
        self.assertEqual(self.client.call("identify", displacement=[1.0, 2.0], sample_rate_hz=1.0)["results"], [])

    def test_more_than_a_line_holds(self):
        count = 160
        page = self.client.call("identify.finish", upload=self.upload(count), limit=50)
        starts, number = [], page["upload"]
        while page["results"]:
            starts += [result["record"]["start_s"] for result in page["results"]]
            page = self.client.call("identify.more", upload=number, offset=len(starts))
        self.assertEqual(len(starts), count)
        self.assertEqual(starts, sorted(set(starts)))


class Refused(IdentifyTest):
    def test_too_many_samples_in_a_request(self):
        with self.assertRaises(ProtocolError) as caught:
            self.client.call("identify", displacement=[0.0] * 8193, sample_rate_hz=1000.0)
        self.assertIn(caught.exception.code, (INVALID_PARAMS, TOO_LARGE))

    def test_impossible_parameters(self):
        good = {"displacement": [0.0, 1.0, 0.0], "sample_rate_hz": 1000.0}
        for change in (
            {"displacement": []},
            {"displacement": [0.0, "1", 0.0]},
            {"displacement": [0.0, None, 0.0]},
            {"sample_rate_hz": 0},
            {"sample_rate_hz": -1000.0},
            {"sample_rate_hz": "fast"},
            {"time_s": [0.0, 0.1]},
            {"time_s": [0.0, 0.1, 0.2]},
            {"resolution": -1},
            {"whole": "yes"},
            {"unit": 5},
            {"colour": "red"},
        ):
            with self.subTest(str(change)):
                self.refused(INVALID_PARAMS, "identify", **{**good, **change})
        self.refused(INVALID_PARAMS, "identify", displacement=[0.0, 1.0, 0.0])

    def test_a_number_beyond_a_double(self):
        self.client.send_line('{"jsonrpc":"2.0","id":1,"method":"identify","params":{"displacement":[1e999],"sample_rate_hz":1}}')
        self.assertIn("error", self.client.answer())


class Permissions(unittest.TestCase):
    """Everybody may ask; only root, the daemon's own user and its group may let it work."""

    GROUP = next(group for group in grp.getgrall() if group.gr_gid not in (0, pwd.getpwnam("nobody").pw_gid)
                 and "nobody" not in group.gr_mem)

    def setUp(self):
        self.daemon = Daemon(service=f'group = "{self.GROUP.gr_name}";')
        self.daemon.__enter__()
        self.addCleanup(self.daemon.abandon)

    def asked_by_nobody(self, group="nogroup", groups=()):
        """What version and identify answer to a process of nobody, in that group and these supplementary ones."""
        os.chmod(self.daemon.scratch.path, 0o755)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, self.daemon.socket_path, str(grp.getgrnam(group).gr_gid), *map(str, groups)],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    if os.getuid() == 0:

        def test_nobody_may_read_but_not_act(self):
            self.assertEqual(self.asked_by_nobody(), ["fricidd", str(NOT_PERMITTED)])

        def test_a_member_through_a_supplementary_group_may_act(self):
            others = [group.gr_gid for group in grp.getgrall() if group.gr_gid not in (0, self.GROUP.gr_gid)][:5]
            self.assertEqual(self.asked_by_nobody(groups=[*others, self.GROUP.gr_gid]), ["fricidd", "results"])
            self.assertEqual(self.asked_by_nobody(groups=others), ["fricidd", str(NOT_PERMITTED)])

        def test_a_member_through_the_main_group_may_act(self):
            self.assertEqual(self.asked_by_nobody(group=self.GROUP.gr_name), ["fricidd", "results"])

    def test_own_user_may_act(self):
        _, displacement = cut(Decay())
        with self.daemon.client() as client:
            reply = client.call("identify", displacement=displacement, sample_rate_hz=500.0, whole=True)
        self.assertEqual(len(reply["results"]), 1)


# Run by itself, because giving up one's user cannot be undone.
AS_NOBODY = """
import json, os, pwd, socket, sys
os.setgroups([int(group) for group in sys.argv[3:]])
os.setgid(int(sys.argv[2]))
os.setuid(pwd.getpwnam("nobody").pw_uid)
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
lines = connection.makefile("rw")
lines.readline()
for method, params in ("version", {}), ("identify", {"displacement": [1.0, 0.0, 1.0], "sample_rate_hz": 1.0}):
    lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\\n")
    lines.flush()
    answer = json.loads(lines.readline())
    result = answer.get("result", {})
    print(result.get("server", "results") if "result" in answer else answer["error"]["code"])
"""


if __name__ == "__main__":
    main()
