# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidctl as people and scripts use it: tables, --json, exit status."""

import json
import os
import re
import shutil
import socket
import tempfile
import unittest

from fricid_harness import (
    FRICIDCTL,
    Daemon,
    Decay,
    ScratchDirectory,
    csv_text,
    fricidctl,
    release,
    run_program,
    simulated_rig,
)
from run_tests import main

OK, FAILED, USAGE, NOT_REACHABLE, NO_RESULT, NOT_PERMITTED = range(6)


def without_what_changes(text):
    """How much of the disk is free and how long the daemon is up differ between two calls."""
    return re.sub(r"up [^,\n]*|[0-9.]+ [kMGT]?B", "#", text)


class FricidctlTest(unittest.TestCase):
    """A daemon whose simulated rig has done its work, for all tests of the class."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(simulated_rig())
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.abandon)
        cls.number = str(cls.daemon.wait_for_results(6)[-1]["id"])

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()

    def run_ok(self, *arguments):
        done = self.daemon.fricidctl(*arguments)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return done.stdout

    def assert_fails(self, status, *arguments):
        """With this status, nothing on standard output and a sentence on standard error."""
        done = self.daemon.fricidctl(*arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("fricidctl: "), done.stderr)
        return done.stderr


class ForWatchers(FricidctlTest):
    """Whoever looks after the laboratory's computers."""

    def test_metrics_are_what_status_says(self):
        self.daemon.wait_until_ended()
        lines = self.run_ok("metrics").splitlines()
        figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        status = json.loads(self.run_ok("--json", "metrics"))
        rig = status["rigs"][0]
        for channel in rig["channels"]:
            labels = f'{{rig="bearing",source="simulated",channel="{channel["name"]}"'
            for name, key in (("samples", "samples"), ("lost_samples", "lost_samples"), ("decays", "decays")):
                self.assertEqual(int(figures[f"fricid_channel_{name}_total{labels}}}"]), channel["counters"][key])
            for reason, count in channel["counters"]["drops"].items():
                self.assertEqual(int(figures[f'fricid_channel_drops_total{labels},reason="{reason}"}}']), count)
        self.assertGreater(int(figures['fricid_channel_decays_total{rig="bearing",source="simulated",channel="lvdt"}']), 5)
        self.assertEqual(int(figures['fricid_rig_scans_total{rig="bearing",source="simulated"}']), rig["counters"]["scans"])
        self.assertEqual(int(figures["fricid_queue_bytes"]), 0)
        self.assertGreater(float(figures['fricid_thread_busy_seconds_total{thread="identifier"}']), 0)
        longest = float(figures['fricid_thread_longest_job_seconds{thread="identifier"}'])
        self.assertGreaterEqual(float(figures['fricid_thread_busy_seconds_total{thread="identifier"}']), longest)

    def test_metrics_have_the_latest_figures(self):
        self.daemon.wait_until_ended()
        lines = self.run_ok("metrics").splitlines()
        figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        for channel in json.loads(self.run_ok("--json", "status"))["rigs"][0]["channels"]:
            result = json.loads(self.daemon.fricidctl("--json", "show", str(channel["last"]["id"])).stdout)
            self.assertEqual(result["channel"], channel["name"])
            budget = {line["quantity"]: line for line in result["budget"]["quantities"]}
            for quantity, unit in (("f_n_hz", "Hz"), ("zeta", "1"), ("x_k", "mm"), ("f_k_n", "N")):
                labels = (f'{{rig="bearing",source="simulated",channel="{channel["name"]}",'
                          f'quantity="{quantity}",unit="{unit}"}}')
                self.assertEqual(float(figures[f"fricid_channel_last_estimate{labels}"]), budget[quantity]["value"])
                self.assertEqual(float(figures[f"fricid_channel_last_estimate_uncertainty{labels}"]), budget[quantity]["u"])

    def test_doctor(self):
        self.daemon.wait_until_ended()  # or the rig is told of in two ways
        reply = json.loads(self.daemon.fricidctl("--json", "doctor").stdout)
        levels = {(check["topic"], check["level"]) for check in reply["checks"]}
        self.assertIn(("daemon", "ok"), levels)
        self.assertIn(("config", "ok"), levels)
        self.assertIn(("rigs", "ok"), levels)
        self.assertEqual(reply["fine"], not any(level == "problem" for _, level in levels))
        done = self.daemon.fricidctl("doctor")
        self.assertEqual(done.returncode, OK if reply["fine"] else FAILED)
        self.assertEqual(done.stdout.splitlines()[-1] == "no problem", reply["fine"])
        for check in reply["checks"]:
            self.assertIn(without_what_changes(check["sentence"]), without_what_changes(done.stdout))
            self.assertEqual(check["remedy"] is None, check["level"] == "ok" or not check["remedy"])

    def test_doctor_sees_a_changed_configuration(self):
        with open(self.daemon.configuration_path, "a", encoding="utf-8") as file:
            file.write("## changed\n")
        self.assertIn("was changed since fricidd read it", self.daemon.fricidctl("doctor").stdout)

    def test_doctor_without_a_daemon(self):
        with tempfile.TemporaryDirectory() as folder:
            gone, left = os.path.join(folder, "gone"), os.path.join(folder, "left")
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(left)
            for path, words in ((gone, "there is no socket at"), (left, "nobody listens at"),
                                (FRICIDCTL, "nobody listens at")):
                done = run_program(FRICIDCTL, "--socket", path, "doctor")
                self.assertEqual((done.returncode, done.stderr), (FAILED, ""))
                self.assertIn(words, done.stdout)
                self.assertIn("systemctl", done.stdout)

    def test_doctor_as_somebody_else(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        program = shutil.copy(FRICIDCTL, scratch.path)
        os.chmod(scratch.path, 0o755)
        other_user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
        done = run_program(*other_user, program, "--socket", scratch.path / "none", "doctor")
        self.assertEqual((done.returncode, done.stderr), (FAILED, ""))
        if other_user:
            self.assertIn("user nobody may read results, but not have records identified", done.stdout)


class ForPeople(FricidctlTest):
    def test_status(self):
        text = self.run_ok("status")
        for word in ("SIMULATED", "bearing", "lvdt", "encoder"):
            self.assertIn(word, text)

    def test_results(self):
        lines = self.run_ok("results").splitlines()
        self.assertGreaterEqual(len(lines), 7)
        self.assertTrue(any(re.search(rf"\b{self.number}\b", line) for line in lines))

    def test_show_names_the_run_and_the_other_channel(self):
        with self.daemon.client() as client:
            result = client.call("results.get", id=int(self.number))
            of_run = client.call("results.list", run_id=result["run_id"])["results"]
        (other,) = [summary for summary in of_run if summary["id"] != result["id"]]
        text = self.run_ok("show", self.number)
        self.assertIn(f"run {result['run_id']}, with decay {other['id']} ({other['channel']})", text)
        listed = self.run_ok("results", "--where", f"run_id={result['run_id']}").splitlines()
        self.assertEqual(listed[0].split()[:2], ["ID", "RUN"])
        self.assertEqual([row.split()[:2] for row in listed[1:]],
                         [[str(summary["id"]), str(result["run_id"])] for summary in of_run])

    def test_show(self):
        text = self.run_ok("show", self.number)
        for word in ("f_n", "Hz", "ζ", "x_k", "mm", "f_k", "N", "μ", "SIMULATED", "Coulomb"):
            self.assertIn(word, text)
        self.assertRegex(text, r"f_n +5\.52\d*\(\d{1,2}\) Hz")
        self.assertNotRegex(text, r"(?i)\bnan\b|\bnull\b|\bnone\b")

    def test_config(self):
        """The file as it was read; of an id, that of a result."""
        read = (self.daemon.scratch.path / "fricid.conf").read_text(encoding="utf-8")
        with self.daemon.client() as client:
            number = client.call("results.get", id=int(self.number))["config_id"]
        for arguments in ((), (number,)):
            done = self.daemon.fricidctl("config", *arguments)
            self.assertEqual((done.returncode, done.stdout), (OK, read))
            self.assertIn(f"fricid.conf, configuration {number}", done.stderr)
        self.assertIn("no configuration with the id", self.assert_fails(FAILED, "config", "0123456789abcdef"))

    def test_version(self):
        self.assertRegex(self.run_ok("version"), r"\d+\.\d+\.\d+")

    def test_help(self):
        text = fricidctl("--help").stdout
        for command in ("status", "results", "show", "watch", "identify", "version"):
            self.assertIn(command, text)

    def test_watch_shows_results_as_they_come(self):
        text = self.run_ok("watch", "--from-seq", "1", "--count", "2")
        self.assertEqual(len(re.findall(r"x_k", text)), 2, text)


class ForMachines(FricidctlTest):
    def test_one_object(self):
        for arguments in (["status"], ["results"], ["show", self.number], ["version"]):
            with self.subTest(arguments):
                (line,) = self.run_ok("--json", *arguments).splitlines()
                self.assertIsInstance(json.loads(line), dict)

    def test_show_is_the_daemons_result(self):
        with self.daemon.client() as client:
            result = client.call("results.get", id=int(self.number))
        self.assertEqual(json.loads(self.run_ok("--json", "show", self.number)), result)

    def test_watch_gives_lines(self):
        lines = self.run_ok("--json", "watch", "--from-seq", "1", "--count", "3").splitlines()
        results = [message for message in map(json.loads, lines) if message.get("method") == "notify.result"]
        self.assertEqual(len(results), 3)

    def test_socket_from_the_environment(self):
        done = fricidctl("version", environment={"FRICID_SOCKET": self.daemon.socket_path})
        self.assertEqual(done.returncode, OK, done.stderr)


class ExitStatus(FricidctlTest):
    def test_unknown_result(self):
        self.assertIn("999999", self.assert_fails(FAILED, "show", "999999"))

    def test_usage(self):
        for arguments in ([], ["bake"], ["show"], ["show", "first"], ["show", "1", "2"], ["status", "now"], ["--colour"],
                          ["--timeout", "soon", "status"], ["identify"], ["watch", "--count", "0"]):
            with self.subTest(arguments):
                self.assert_fails(USAGE, *arguments)

    def test_words_and_keys_that_there_are_not(self):
        """A misspelt one is a wrong command line, and the sentence has what would do."""
        header = "time_s,displacement_m,force_n\n"
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        table = str(scratch.write("loops.csv", header + "".join(f"{i},{i % 7},{i % 5}\n" for i in range(50))))
        for arguments, said in (
            (("identify", "--kind", "free-decay", table), "free_decay, "),
            (("identify", "--alone", "--kind", "nonsense", table), "free_decay, "),
            (("plot", "--kind", "nonsense", table), "free_decay, "), (("results", "--kind", "nonsense"), "free_decay, "),
            (("export", "--kind", "nonsense"), "free_decay, "), (("results", "--sort", "nonsense"), "f_n_hz"),
            (("results", "--verdict", "nonsense"), "nonsense"), (("results", "--where", "foo=1"), "run_id="),
            (("results", "--where", "limit=1"), "run_id="), (("results", "--where", "run=1"), "run_id="),
            (("results", "--where", "impulse_min=1"), "f_n_hz, zeta, "),
            (("results", "--where", "model=backlashes"), "free decay"),
            (("nonsense", "--help"), "there is no command 'nonsense'"),
        ):
            with self.subTest(arguments):
                self.assertIn(said, self.assert_fails(USAGE, *arguments))
        for condition in ("rig=bearing", "kind=free_decay", "zeta_min=0", "id=1"):
            self.run_ok("results", "--where", condition)

    def test_nobody_there(self):
        for path in ("/nonexistent/socket", "/dev/null"):
            done = fricidctl("--socket", path, "status")
            self.assertEqual((done.returncode, done.stdout), (NOT_REACHABLE, ""))
            self.assertIn(path, done.stderr)

    def test_socket_path_too_long(self):
        done = fricidctl("--socket", "/" + "x" * 200, "status")
        self.assertIn(done.returncode, (USAGE, NOT_REACHABLE))
        self.assertEqual(done.stdout, "")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.daemon.fricidctl("status", stdout=full)
        self.assertEqual(done.returncode, FAILED)
        self.assertTrue(done.stderr)


class Identify(FricidctlTest):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def test_recording(self):
        path = self.scratch.write("run.csv", csv_text(*release(Decay(x_s=0.19), noise=0.01)))
        text = self.run_ok("identify", path)
        self.assertRegex(text, r"x_k +0\.17\d*\(\d{1,2}\) mm")
        (line,) = self.run_ok("--json", "identify", path).splitlines()
        self.assertIsInstance(json.loads(line), dict)

    def test_bounces(self):
        path = self.scratch.write("balls.csv", "ball,h0_cm,h1_cm\n" + "golf,30,20\ngolf,30,21\nlead,30,0\n")
        text = self.run_ok("identify", path)
        self.assertRegex(text, r"balls.csv, golf +bounces, ok\n +e +0\.827\(10\)\n")
        self.assertRegex(text, r"balls.csv, lead +bounces, not_decaying\n")
        self.assertIn("from heights", text)
        (line,) = self.run_ok("--json", "identify", path).splitlines()
        told = json.loads(line)
        self.assertEqual([file["channel"] for file in told["files"]], ["golf", "lead"])
        self.assertEqual([result["impacts"] for result in told["results"]], [2, 0])
        alike = self.run_ok("identify", self.scratch.write("alike.csv", "ball,h0_cm,h1_cm\ngolf,30,15\ngolf,30,15\n"))
        self.assertRegex(alike, r"\n +e +0\.7071 \(uncertainty not known\)\n")
        for told, why in ((alike, "mass_kg and stiffness_n_per_m are not both configured"),
                          (text.split("lead")[1], "the amplitudes do not fall")):
            self.assertEqual(len(re.findall(r"^ +c +— \(", told, re.MULTILINE)), 1, told)
            self.assertEqual(len(re.findall(r"^ +c ", told, re.MULTILINE)), 1, told)
            self.assertRegex(told, why)
        only = self.scratch.write("lead.csv", "ball,h0_cm,h1_cm\nlead,30,0\n")
        self.assertEqual(self.daemon.fricidctl("identify", only).returncode, NO_RESULT)
        bad = self.scratch.write("bad.csv", "ball,h0_cm,h1_cm\nlead,30,x\n")
        self.assertIn("bad.csv:2: `x` is not a number", self.assert_fails(USAGE, "identify", bad))
        empty = self.scratch.write("empty.csv", "ball,h0_cm,h1_cm\n")
        self.assertIn("empty.csv:1: the file ends without a single row", self.assert_fails(USAGE, "identify", empty))
        mixed = self.scratch.write("mixed.csv", "ball,h0_mm,h1_cm\ngolf,300,20\n")
        self.assertIn("all in one unit", self.assert_fails(USAGE, "identify", mixed))

    def test_bounces_that_no_request_holds_do_not_keep_other_files_back(self):
        good = self.scratch.write("good.csv", "ball,h0_cm,h1_cm\ngolf,30,20\n")
        many = self.scratch.write("many.csv", "ball,h0_cm,h1_cm\n" + "lead,30,20\n" * 8193 + "golf,30,20\n")
        tab = self.scratch.write("tab.csv", "ball,h0_cm,h1_cm\ngolf\tball,30,20\n")
        for bad, word in ((many, "more than 8192 rows"), (tab, "control characters")):
            done = self.daemon.fricidctl("identify", bad, good)
            self.assertEqual(done.returncode, USAGE)
            self.assertRegex(done.stderr, rf"{bad.name}.*{word}")
            self.assertRegex(done.stdout, r"good.csv, golf +bounces, ok\n")
            # A file is checked whole before anything of it is sent.
            self.assertNotIn(bad.name, done.stdout)

    def test_bounces_in_latin_1(self):
        path = self.scratch.write("latin.csv", "ball,h0_cm,h1_cm\ngr\xfcn,30,20\n".encode("latin-1"))
        done = self.daemon.fricidctl("identify", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("latin.csv, grün", done.stdout)
        self.assertIn("latin.csv: read as: ISO-8859-1, comma, decimal point", done.stderr)

    def test_bounces_of_one_name(self):
        path = self.scratch.write("balls.csv", "ball,h0_cm,h1_cm\ngolf,30,20\nlead,30,0\n")
        text = self.run_ok("identify", "--channel", "golf", path)
        self.assertIn("balls.csv, golf", text)
        self.assertNotIn("lead", text)
        self.assertIn("has no channel 'tin'", self.assert_fails(USAGE, "identify", "--channel", "tin", path))
        nameless = self.scratch.write("nameless.csv", "h0_cm,h1_cm\n30,20\n")
        long = self.scratch.write("long.csv", "ball,h0_cm,h1_cm\n" + "µ" * 300 + ",30,20\n")
        self.run_ok("identify", long)
        self.assertIn("nameless.csv, bounces ", self.run_ok("identify", "--channel", "bounces", nameless))

    def test_bounces_are_no_decay_that_is_cut_already_and_have_no_time(self):
        path = self.scratch.write("balls.csv", "ball,h0_cm,h1_cm\ngolf,30,20\n")
        for option in ["--whole"], ["--time-unit", "ms"], ["--rate", "1000"]:
            self.assertIn(f"{option[0]} is said of recordings, not of bounces",
                          self.assert_fails(USAGE, "identify", *option, path))

    def test_a_recording_may_have_a_channel_called_height(self):
        path = self.scratch.write("run.csv", csv_text(*release(Decay())).replace("time_s,lvdt_mm", "time_s,height_mm", 1))
        self.assertIn("channel height, decay 1", self.run_ok("identify", path))

    def test_no_valid_result(self):
        path = self.scratch.write("still.csv", csv_text([i / 100 for i in range(500)], [0.0] * 500))
        self.assertEqual(self.daemon.fricidctl("identify", path).returncode, NO_RESULT)

    def test_bad_recording(self):
        path = self.scratch.write("bad.csv", "time_s,lvdt_mm\n0,1\n1,oops\n")
        self.assertIn("bad.csv:3:", self.assert_fails(USAGE, "identify", path))

    if os.getuid() == 0:

        def test_not_permitted(self):
            # The program's own place may be out of reach for nobody.
            program = shutil.copy(FRICIDCTL, self.scratch.path)
            path = self.scratch.write("run.csv", csv_text(*release(Decay())))
            for directory in (self.daemon.scratch.path, self.scratch.path):
                os.chmod(directory, 0o755)
            nobody = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            done = run_program(program, "--socket", self.daemon.socket_path, "identify", path, **nobody)
            self.assertEqual((done.returncode, done.stdout), (NOT_PERMITTED, ""), done.stderr)
            self.assertEqual(run_program(program, "--socket", self.daemon.socket_path, "status", **nobody).returncode, OK)


if __name__ == "__main__":
    main()
