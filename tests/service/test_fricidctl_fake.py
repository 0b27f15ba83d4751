# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidctl against a fake fricidd: what it makes of right, old, strange and hostile answers."""

import fcntl
import json
import math
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

import sample_replies as samples
from fake_fricidd import HELLO, FakeFricidd, Refusal, line, notification
from run_tests import main

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
MINOR = int(re.search(r"FRICID_PROTOCOL_MINOR (\d+)", (SOURCE / "proto/address.h").read_text()).group(1))

FRICIDCTL = os.environ.get("FRICIDCTL", str(SOURCE / "build" / "fricidctl"))
SLOWNESS = float(os.environ.get("TEST_SLOWNESS", "1"))
# What must come; a test that wants nothing to come has a limit of its own.
PATIENCE = 90 * SLOWNESS

COLOURS = re.compile(r"\x1b\[\d+m")
OK, FAILED, USAGE, NOT_REACHABLE, NO_RESULT, NOT_PERMITTED = range(6)


def environment(**changes):
    """The surroundings of a test without locale and socket, except as it wants them."""
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith("LC_") and key not in ("LANG", "FRICID_SOCKET")}
    return kept | changes


def fricidctl(fake, *arguments, **changes):
    command = [FRICIDCTL, *map(str, arguments)]
    return subprocess.run(command, env=environment(FRICID_SOCKET=fake.path, **changes), capture_output=True,
                          timeout=PATIENCE, check=False)


def start(fake, *arguments, stdout=None, stderr=None, **changes):
    return subprocess.Popen([FRICIDCTL, *map(str, arguments)], env=environment(FRICID_SOCKET=fake.path, **changes),
                            stdout=stdout, stderr=stderr)


def daemon(**changes):
    """Methods of a healthy daemon, with changes."""
    methods = {
        "status": lambda _: samples.status(samples.rig()),
        "version": lambda _: {"server": "fricidd", "version": "0.1.0", "protocol": {"major": 1, "minor": 0},
                              "comedi": True, "systemd": False},
        "config": lambda _: {"config_id": "abc", "path": "/etc/fricid/fricid.conf", "text": "", "reason": None},
        "results.list": lambda _: {"results": [samples.summary()], "next_before_id": None, "reason": None},
        "results.get": lambda params: samples.result(params["id"]),
        "subscribe": lambda params: {"topics": params["topics"], "history_id": "h1", "next_seq": 231},
    }
    return methods | {name.replace("__", "."): method for name, method in changes.items()}


def refuse(code, name, message, **data):
    def method(_):
        raise Refusal(code, name, message, **data)
    return method


def open_terminal():
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"SKIP: no terminal to be had: {error}") from error


class FakeTest(unittest.TestCase):
    def run_with(self, methods, *arguments, status=OK, fake_options=None, **changes):
        """Runs fricidctl against these methods; what it printed, as text, when it ended as expected."""
        with FakeFricidd(methods, **(fake_options or {})) as fake:
            done = fricidctl(fake, *arguments, **changes)
            self.requests = fake.requests
        self.errors = done.stderr.decode()
        self.assertEqual(done.returncode, status, done.stdout.decode() + self.errors)
        if status in (FAILED, USAGE, NOT_REACHABLE, NOT_PERMITTED):
            self.assertRegex(self.errors, r"\Africidctl: [^\n]+\n\Z")
        return done.stdout.decode()


    def shown_on_terminal(self, methods, height, width, *arguments, after=None, status=OK, **changes):
        """What a terminal of that size shows. status None: it may end as it likes."""
        terminal, inside = open_terminal()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        shown = b""
        with FakeFricidd(methods, after=after) as fake, start(fake, *arguments, stdout=inside, stderr=inside, **changes) as child:
            os.close(inside)
            try:
                while part := os.read(terminal, 4096):
                    shown += part
            except OSError:
                pass  # all have closed the other side
            ended = child.wait(timeout=PATIENCE)
            self.assertEqual(ended, ended if status is None else status)
        os.close(terminal)
        return shown.decode().replace("\r\n", "\n")


class Show(FakeTest):
    def test_sheet(self):
        text = self.run_with(daemon(), "show", 117)
        for words in ("decay 117, rig bearing, channel lvdt", "2026-11-21 14:00:03.204 UTC", "viscous + Coulomb, ok",
                      "5.520451(12) Hz", "0.0177031(52)", "0.178793(42) mm", "0.4130(21) N", "0.02193(11)",
                      "2.3581(62) N·s/m", "0.179 … 0.454 mm", "12.30412(51) mm", "−0.01235(12) mm", "1721 samples",
                      "19 half cycles", "ended by rest", "residual 0.0041 mm rms", "ζ and x_k correlate −0.94",
                      "decrement (m = 5)  ζ 0.01785 ± 0.00042   x_k 0.1799 ± 0.0061 mm", "95 % intervals"):
            self.assertIn(words, text)
        self.assertNotIn("SIMULATED", text)
        self.assertEqual(self.requests[0]["params"], {"id": 117})

    def test_models_and_terms(self):
        result = samples.result()
        for name, words in (("coulomb", "Coulomb"), ("viscous", "viscous"), ("viscous+coulomb", "viscous + Coulomb"),
                            ("coulomb+of_tomorrow", "Coulomb + of_tomorrow")):
            result["model_choice"]["model"] = name
            result["fit"]["model"] = name
            text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
            self.assertIn(f" UTC    {words}, ok\n", text)
            self.assertIn(f"damping {words} (likelihood ratio of viscous 900, of Coulomb 700; a term enters above 3.84)",
                          text)
        result["model_choice"] |= {"viscous_ratio": 1368.4, "coulomb_ratio": 1000.0}
        self.assertIn("(likelihood ratio of viscous > 1000, of Coulomb 1000; a term",
                      self.run_with(daemon(results__get=lambda _: result), "show", 1))
        # The headline names what was chosen, not all that was fitted.
        result["model_choice"]["model"] = "viscous"
        result["fit"]["model"] = "viscous+coulomb"
        self.assertIn(" UTC    viscous, ok\n", self.run_with(daemon(results__get=lambda _: result), "show", 1))
        result["model_choice"]["model"] = "viscous+coulomb"
        result["model_choice"] |= {"viscous_ratio": None, "coulomb_ratio": None}
        self.assertRegex(self.run_with(daemon(results__get=lambda _: result), "show", 1), r"damping \S+ \+ \S+\n")

    def test_a_choice_that_a_criterion_does_not_share(self):
        """What enters is told by the likelihood ratio alone: the line of models says what each leaves."""
        result = samples.result()
        result["model_choice"] |= {"model": "viscous", "coulomb_ratio": 3.0}
        result["models"][0]["aicc"] = result["models"][2]["aicc"] + 1.04
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("  models by what they leave viscous 0.10 mm (chosen), Coulomb 0.30 mm, "
                      "viscous + Coulomb 0.0041 mm rms\n", text)
        result["models"][1] |= {"rms": None, "verdict": "no_oscillation", "reason": "it does not swing"}
        self.assertIn("Coulomb — (it does not swing),", self.run_with(daemon(results__get=lambda _: result), "show", 1))
        result["recommended"] = "extrema_fit"  # the fit whose terms these are was rejected
        self.assertNotIn("  models ", self.run_with(daemon(results__get=lambda _: result), "show", 1))

    def test_one_statement_beside_a_ladder(self):
        """The ladder has the models among its rungs; two values of one parameter have their reason."""
        result = samples.result()
        result["ladder"] = samples.ladder(["viscous"])
        result["model_choice"] |= {"model": "viscous", "based_on": "ladder"}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertNotIn("  models ", text)
        self.assertIn("the figures at the top allow for the term that does not show: it is not taken for exactly 0\n", text)
        self.assertNotIn("viscous + Coulomb", text)
        result["ladder"] = samples.ladder(["viscous", "coulomb"])
        result["model_choice"]["model"] = "viscous+coulomb"
        self.assertNotIn("the figures at the top", self.run_with(daemon(results__get=lambda _: result), "show", 1))

    def test_a_first_answer(self):
        result = samples.result()
        words = "provisional: the ladder of models is still being fitted; the revision that follows may have"
        self.assertNotIn("provisional", self.run_with(daemon(results__get=lambda _: result), "show", 1))
        result["provisional"] = True
        for command in ("show", 1), ("show", 1, "--intervals"):
            self.assertIn(words, " ".join(self.run_with(daemon(results__get=lambda _: result), *command).split()))

    def test_a_recommended_ladder(self):
        """What the chosen rung lacks is no figure; what is 0 in a rung is at its bound; three figures stand in a row."""
        result = samples.result()
        result["ladder"] = samples.ladder(["viscous", "coulomb", "cubic"], drag=0.0)
        result["recommended"] = "ladder"
        result["model_choice"] |= {"model": "viscous+coulomb+cubic", "based_on": "ladder"}
        methods = daemon(results__get=lambda _: result)
        text = self.run_with(methods, "show", 117)
        self.assertIn("UTC    viscous + Coulomb + cubic, ok\n", text)
        self.assertRegex(text, r"\n  f_n .*x_k +0\.178793\(42\) mm\n  cubic +3\.80\(27\)×10⁻⁷ 1/mm\^2\n")
        for words in ("drag —", "square —", "lacks this term", "not known"):
            self.assertNotIn(words, text)
        self.assertRegex(text, r"\n +criterion +residual +ζ +x_k +drag ")
        self.assertIn("0 (at its bound) 1/mm", text)
        narrow = COLOURS.sub("", self.shown_on_terminal(methods, 50, 80, "show", "117"))
        self.assertRegex(narrow, r"\n  f_n +5\.52\S+ Hz +ζ +0\.0177\S+ +x_k +0\.178\S+ mm\n  cubic +3\.80\S+ 1/mm\^2\n")

    def test_no_model_is_chosen(self):
        result, summary = samples.result(), samples.summary()
        result["model_choice"] |= {"verdict": "undecided", "model": None, "viscous_ratio": 2.0, "coulomb_ratio": 2.0}
        summary["model"] = None
        methods = daemon(results__get=lambda _: result,
                         results__list=lambda _: {"results": [summary], "next_before_id": None, "reason": None})
        text = self.run_with(methods, "show", 1)
        self.assertIn(" UTC    damping undecided, ok\n", text)
        self.assertIn("  damping undecided (likelihood ratio", text)
        self.assertNotIn("chosen", text)
        self.assertRegex(self.run_with(methods, "results", "--columns", "id,model"), r"\n117 +undecided\n")

    def test_the_model_of_a_driven_contact_is_asked_for(self):
        found = [samples.summary(3) | {"kind": "loop", "recommended": None, "model": None, "figures": {}}, samples.summary()]
        methods = daemon(results__get=lambda _: {"kind": "loop", "loop": {"ladder": {"model": "dahl+viscous"}}},
                         results__list=lambda _: {"results": found, "next_before_id": None, "reason": None})
        self.assertRegex(self.run_with(methods, "results", "--columns", "id,model"), r"\n *3 +dahl\+viscous\n")
        self.assertEqual([request["method"] for request in self.requests].count("results.get"), 1)

    def test_the_model_of_a_driven_contact_stands_in_lists(self):
        loop = samples.summary(3) | {"kind": "loop", "recommended": None, "model": None, "figures": {}}
        for model in ("dahl+viscous", ""):
            for beside in ([], [samples.summary()]):
                methods = daemon(results__list=lambda _: {"results": [loop | {"contact_model": model}, *beside],
                                                          "next_before_id": None, "reason": None})
                text = self.run_with(methods, "results")
                self.assertEqual("MODEL" in text, bool(model or beside))
                self.assertEqual("dahl+viscous" in text, bool(model))
                self.assertNotIn("results.get", [request["method"] for request in self.requests])

    def test_intervals(self):
        text = self.run_with(daemon(), "show", "#117", "--intervals")
        self.assertRegex(text, r"f_n +5\.520427 … 5\.520475 Hz")
        self.assertRegex(text, r"x_k +0\.178711 … 0\.178875 mm")
        result = samples.result()
        result["fit"]["zeta"] |= {"u": 0.0011, "ci95": [0.0155, 0.0199]}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1, "--intervals")
        self.assertRegex(text, r"combined +statistical")
        self.assertRegex(text, r"ζ +0\.0155 … 0\.0199 +0\.01769\d* … 0\.01771\d*")

    def test_an_interval_from_before_there_were_two(self):
        result = samples.result()
        for key in ("u", "ci95_statistical"):
            for estimate in (one for one in result["fit"].values() if isinstance(one, dict)):
                estimate.pop(key, None)
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1, "--intervals")
        self.assertRegex(text, r"f_n +— +5\.52042\d* … 5\.52047\d* Hz")

    def test_flags_say_what_to_do(self):
        result = samples.result()
        result["flags"] = ["few_half_cycles", "stiffness_contradicts_frequency"]
        result["budget"]["stiffness_check"] |= {"ratio": 1.13, "u": 0.001, "warning": True}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("! few_half_cycles: the noise is, or may be, correlated, and known from so few half cycles", text)
        self.assertIn(" is 1.1300 ± 0.0010 instead of 1: check mass_kg and stiffness_n_per_m as configured, and "
                      "u_mass_kg and u_stiffness_n_per_m\n", text)

    def test_what_is_not_configured_is_said(self):
        result = samples.result()
        result["budget"]["stiffness_check"] |= {"ratio": 1.013, "u": 0.0001, "warning": False}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("k/(m omega_n^2) is 1.01300 ± 0.00010 and not 1", text)
        self.assertIn("configure u_mass_kg and u_stiffness_n_per_m\n", text)
        self.assertNotIn("omega_n^2", self.run_with(daemon(), "show", 1))

    def test_what_the_budget_is_for(self):
        text = self.run_with(daemon(), "show", 1, "--intervals")
        self.assertIn("u_model is for what the record shows of drag, of a spring that is not linear and of friction that "
                      "gives way, not for what it does not show)\n", text)

    def test_a_ring_down_of_which_nothing_is_left(self):
        """A second blow at once: no span ends before it begins."""
        ring_down = {"blow_s": 2.58, "start_s": 2.583, "end_s": 2.582, "ended_by": "new_blow", "modes": [],
                     "clipped": False, "fell_to_tenth": True, "blows": 2}
        result = samples.result() | {"kind": "ring_down", "verdict": "no_ring_down", "reason": "too short",
                                     "recommended": None, "ring_down": ring_down}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1, status=NO_RESULT)
        self.assertIn("  blow at 2.58000 s, nothing behind it can be used, ended by new_blow; the record has 2 blows", text)
        ring_down["end_s"] = 3.0
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1, status=NO_RESULT)
        self.assertIn("  blow at 2.58000 s, used 2.58300 … 3.00000 s, ended by new_blow", text)

    def test_where_the_backbone_is_still_to_come_the_law_is_shown(self):
        """The first answer of a measured joint, and one that was stopped behind it."""
        omega = 2 * math.pi * 80
        law = [{"amplitude": a, "omega": omega * (1 - 0.001 * a), "se_omega": 0.01, "zeta": 0.002, "se_zeta": 1e-5,
                "dissipation": 1.0} for a in (2.0, 1.0, 0.5)]
        mode = {"verdict": "ok", "model": "microslip", "recommended": "backbone", "law": law, "backbone": [],
                "omega_0": {"value": omega, "se": 0.02}, "zeta_0": {"value": 0.001, "se": 1e-5}}
        ring_down = {"blow_s": 2.5, "start_s": 2.6, "end_s": 4.0, "ended_by": "record_end", "modes": [mode],
                     "clipped": False, "fell_to_tenth": True, "blows": 1}
        result = samples.result() | {"kind": "ring_down", "ring_down": ring_down,
                                     "f_n_hz": {"value": law[1]["omega"] / (2 * math.pi), "se": 0.01}}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("  mode 1, seen from", text)
        self.assertIn("A/mm", text)
        self.assertRegex(text, r"f_n .* at 1\.0*\d* mm")
        self.assertNotIn("the backbone is recommended", text)
        self.assertNotIn("may slip", text)
        law[0] |= {"slip_omega": 2 * math.pi * 0.5, "slip_zeta": 3e-4}
        law[1] |= {"slip_omega": 0.01, "slip_zeta": 1e-5}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("from 1.00 mm on the whole joint may slip, which nothing shows and the record does not exclude: "
                      "at 2.00 mm that would change f by 0.50 Hz and zeta by 0.00030\n", text)
        mode["backbone"] = law
        self.assertIn("of mode 1 the backbone is recommended", self.run_with(daemon(results__get=lambda _: result), "show", 1))

    def test_a_ring_down_that_was_stopped_says_so(self):
        """Of the whole, and of the modes that have figures; of a mode without them the table tells."""
        mode = {"verdict": "ok", "model": "linear", "recommended": "law", "law": [], "backbone": [],
                "omega_0": {"value": 500.0, "se": 0.02}, "zeta_0": {"value": 0.001, "se": 1e-5}}
        modes = [mode | {"reason": "provisional: more was to come"}, mode | {"reason": None},
                 mode | {"reason": "provisional: more was to come"}, mode | {"reason": "doubtful: its band overlaps"},
                 {"verdict": "cancelled", "reason": "nobody came", "band_hz": [90.0, 110.0]}]
        ring_down = {"blow_s": 2.5, "start_s": 2.6, "end_s": 4.0, "ended_by": "record_end", "modes": modes,
                     "clipped": False, "fell_to_tenth": True, "blows": 1, "cut_short": "stopped by ladder_deadline_s"}
        result = samples.result() | {"kind": "ring_down", "ring_down": ring_down}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("ring_down, ok\n  stopped by ladder_deadline_s\n", text)
        self.assertIn("  note on mode 1, 3: provisional: more was to come\n", text)
        self.assertIn("  note on mode 4: doubtful: its band overlaps\n", text)
        self.assertEqual((text.count("note on mode"), text.count("nobody came")), (2, 1))
        result["ring_down"] = ring_down | {"cut_short": None, "modes": modes[1:2]}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertNotIn("stopped", text)
        self.assertNotIn("note on mode", text)

    def test_a_steady_line_has_its_unit_and_its_errors(self):
        line = {"f_hz": 50.0, "se_f_hz": 0.002, "amplitude": 0.0125, "se_amplitude": 0.00031, "sensor": "acc1"}
        ring_down = {"blow_s": 2.5, "double_hit_s": 2.55, "start_s": 2.6, "end_s": 4.0, "ended_by": "record_end", "modes": [],
                     "wild_samples_bridged": 2,
                     "clipped": False, "fell_to_tenth": True, "blows": 1, "steady_lines": [line],
                     "lines_left_out": [{"f_hz": 337.0, "cause": "combination", "reason": "joints make it",
                                         "of_hz": [100.0, 237.0]},
                                        {"f_hz": 500.0, "cause": "weak", "reason": "it is weak", "of_hz": []},
                                        {"f_hz": 610.0, "cause": "weak", "reason": "it is weak", "of_hz": []}]}
        result = samples.result() | {"kind": "ring_down", "ring_down": ring_down}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("blow at 2.50000 s, first hit again at 2.55000 s, wild samples bridged in 2 places, used", text)
        self.assertRegex(text, r"50\.0*\d* Hz, standard uncertainty 0\.0020 Hz, amplitude 0\.0125 mm, "
                               r"standard uncertainty 0\.00031 mm, at acc1\n")
        self.assertIn("left out: 337.0 Hz (of 100.0 Hz and 237.0 Hz): joints make it\n", text)
        self.assertIn("left out: 500.0 Hz, 610.0 Hz: it is weak\n", text)

    def test_at_a_bound(self):
        result = samples.result()
        result["fit"]["x_k"] = samples.at_bound(0.00116)
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertRegex(text, r"x_k +0 \(< 0\.0012, 95 %\) mm")

    def test_extrema_fit_recommended(self):
        result = samples.result()
        result["recommended"] = "extrema_fit"
        result["extrema_fit"]["zeta"] = samples.estimate(0.0321, 0.0011)
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("0.0321(11)", text)
        self.assertIn("extrema alone", text)

    def test_not_identified(self):
        result = samples.result()
        sentence = "the record has fewer half cycles than the method needs"
        result |= {"verdict": "too_few_half_cycles", "recommended": None}
        result["fit"] |= {"verdict": "too_few_half_cycles", "reason": sentence}
        result["physical"] |= {"verdict": "not_computed", "reason": "mass_kg is not configured"}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1, status=NO_RESULT)
        for words in ("too_few_half_cycles", sentence, "f_k, μ, c — (mass_kg is not configured)"):
            self.assertIn(words, text)

    def test_missing_figures_say_why(self):
        result = samples.result()
        result["fit"]["bias"] = samples.estimate(None, None, "not determined by this method")
        result["static_friction"] |= {"x_s_min": None, "x_s_max": None, "reason": "the mass was not seen at rest"}
        text = self.run_with(daemon(results__get=lambda _: result), "show", 1)
        self.assertIn("bias — (not determined by this method)", text)
        self.assertIn("x_s — (the mass was not seen at rest)", text)

    def test_simulated(self):
        result = samples.result()
        result["source"] = {"kind": "simulated", "device": "simulated rig"}
        summary = samples.summary() | {"source": result["source"]}
        methods = daemon(results__get=lambda _: result,
                         results__list=lambda _: {"results": [summary], "next_before_id": None, "reason": None},
                         status=lambda _: samples.status(samples.rig(kind="simulated", device="")))
        for arguments in (["show", 1], ["results"], ["status"]):
            self.assertIn("SIMULATED", self.run_with(methods, *arguments))


class Status(FakeTest):
    def test_healthy(self):
        text = self.run_with(daemon(), "status")
        for words in ("fricidd 0.1.0 on lab-pc3, up 3 d 04:12", "comedi /dev/comedi0 10 kS/s",
                      "decaying, half cycle 14, 3.21 mm, 5.52 Hz", "noise floor 0.0021 mm", "#117 ok", "118 decays"):
            self.assertIn(words, text)
        self.assertNotIn("!", text)

    def test_nothing_is_hidden(self):
        rig = samples.rig("spindle")
        rig |= {"condition": "failed", "problem": "device lost 14:02:11, trying again in 8 s: is the cable in?"}
        rig["counters"] |= {"lost_scans": 30, "gaps": 2, "decays_lost": 1}
        rig["channels"][0]["counters"]["drops"] = {"too_short": 2, "gap": 0, "not_decaying": 1}
        rig["channels"][1]["thresholds"]["stop_below"] = 0.5
        status = samples.status(rig)
        status["threads"][0] |= {"healthy": False, "running_s": 95.0, "queued_jobs": 3}
        status["threads"].append(status["threads"][0] | {"name": "writer", "feeds_watchdog": False})
        status["queue"]["bytes"] = 200000000
        status["clients"]["dropped_notifications"] = 12
        text = self.run_with(daemon(status=lambda _: status), "status")
        for words in ("! spindle: device lost 14:02:11, trying again in 8 s: is the cable in?: mend that, then: systemctl",
                      "! spindle: lost scans: 30, gaps: 2", "! spindle: lost decays: 1", "2 too_short, 1 not_decaying", "stops below 0.500 mm", "! thread identifier", "! thread writer: the disk takes nothing",
                      "! 200 MB of at most 268 MB", "! dropped notifications: 12"):
            self.assertIn(words, text)

    def test_no_rigs(self):
        text = self.run_with(daemon(status=lambda _: samples.status()), "status")
        self.assertIn("no rig is configured: describe one in /etc/fricid/fricid.conf", text)

    def test_ages(self):
        status = samples.status(samples.rig())
        for age, words in ((30, "30 s ago"), (150, "2 min ago"), (7300, "2 h ago"), (86400 * 3, "3 d ago")):
            moment = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(time.time() - age))
            status["rigs"][0]["channels"][0]["last"]["at"] = moment
            text = self.run_with(daemon(status=lambda _: status), "status")
            self.assertIn(words if age > 60 else " s ago", text)


    def test_fits_on_a_terminal(self):
        status = samples.status(samples.rig(), samples.rig("spindle", "simulated", "simulated rig"))
        text = self.run_with(daemon(status=lambda _: status), "status")
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        self.assertLessEqual(len(text.splitlines()), 24)
        self.assertIn("nothing is wrong", text)

    def test_many_rigs_fit_on_a_terminal_too(self):
        for rigs in (4, 5, 6):
            status = samples.status(*(samples.rig(f"rig{i}") for i in range(rigs)))
            text = self.run_with(daemon(status=lambda _: status), "status")
            self.assertLessEqual(len(text.splitlines()), 24, text)
            self.assertEqual(text.count("lvdt"), rigs)
            self.assertEqual("looks for 3 half cycles" in text, rigs == 4, text)

    def test_a_signal_that_never_changed(self):
        rig = samples.rig()
        rig["channels"][0]["state"].update(hysteresis=0, noise_floor=0)
        text = self.run_with(daemon(status=lambda _: samples.status(rig)), "status")
        self.assertIn("looks for 3 half cycles; the signal has not changed yet", text)

    def test_a_great_many_rigs_have_a_line_each(self):
        rigs = [samples.rig(f"rig{i}") for i in range(12)]
        rigs[3]["channels"][0]["state"]["phase"] = rigs[3]["channels"][1]["state"]["phase"] = "idle"
        rigs[5]["condition"] = "paused"
        for rig in rigs[8:]:
            rig["counters"] |= {"lost_scans": 30, "gaps": 2}
        text = self.run_with(daemon(status=lambda _: samples.status(*rigs)), "status")
        self.assertLess(len(text.splitlines()), 24, text)
        self.assertRegex(text, r"(?m)^rig3: +comedi +2 idle +#\d+ ok")
        self.assertRegex(text, r"(?m)^rig5: +comedi +paused +#\d+ ok")
        self.assertEqual(text.count("! rig"), 4)

    def test_findings_are_wrapped_on_a_terminal_and_not_in_a_pipe(self):
        rig = samples.rig("spindle")
        rig["counters"] |= {"lost_scans": 30, "gaps": 2, "decays_lost": 1}
        rig["problem"] = "/dev/comedi0: " + "word " * 60 + "/a/path/" + "x" * 100 + " end"
        methods = daemon(status=lambda _: samples.status(rig))
        piped = self.run_with(methods, "status")
        shown = self.shown_on_terminal(methods, 24, 60, "status")
        findings = shown[shown.index("! "):]
        self.assertEqual(" ".join(findings.split()), " ".join(piped[piped.index("! "):].split()))
        self.assertEqual({line for line in findings.splitlines() if len(line) > 60 and "xxx" not in line}, set())
        for line in findings.splitlines():
            self.assertTrue(line.startswith(("! ", "  ")), line)

    def test_a_channel_that_finds_nothing(self):
        rig = samples.rig()
        rig["channels"][1]["counters"]["decays"] = 0
        rig["channels"][0]["counters"]["drops"] = {"clipped": 4}
        text = self.run_with(daemon(status=lambda _: samples.status(rig)), "status")
        self.assertIn("! bearing: encoder found no decay where lvdt found 3: is its sensor connected", text)
        self.assertIn("! bearing: lvdt left its range: 4 decays were clipped: pull less far", text)
        self.assertNotIn("nothing is wrong", text)
        rig["channels"][0]["counters"]["decays"] = 2
        text = self.run_with(daemon(status=lambda _: samples.status(rig)), "status")
        self.assertNotIn("found no decay", text)


class Metrics(FakeTest):
    """The text format 0.0.4, held against its grammar and against Prometheus' own reader in Python."""

    STRANGE = 'rig "a\\b"\nµ'
    SAMPLE = re.compile(r'(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)'
                        r'(\{(?P<labels>[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*)\})?'
                        r' (?P<value>-?[0-9.]+(e[+-]?[0-9]+)?)')

    def text(self):
        rig = samples.rig(self.STRANGE)
        rig["counters"] = {"scans": 2**53 + 2, "lost_scans": 30, "gaps": 2, "decays_lost": 1}
        rig["problem"] = "lost"
        rig["channels"][1]["last"] = None
        rig["source"]["sample_rate_hz"] = None
        return self.run_with(daemon(status=lambda _: samples.status(rig)), "metrics")

    def test_what_was_stored_before_the_daemon_started_is_the_latest(self):
        """Of a channel that has found nothing since; and of one that never did there is none."""
        rig = samples.rig()
        for channel in rig["channels"]:
            channel["last"] = None
        for known in True, False:
            listed = {"results": [samples.summary(117)] if known else [], "next_before_id": None, "reason": None}
            text = self.run_with(daemon(status=lambda _: samples.status(rig), results__list=lambda _: listed), "metrics")
            asked = [request["params"] for request in self.requests if request["method"] == "results.list"]
            self.assertEqual(asked, [{"rig": rig["name"], "channel": channel["name"], "limit": 1} for channel in rig["channels"]])
            self.assertEqual('fricid_channel_last_estimate{' in text, known)

    def test_a_first_answer(self):
        for provisional in False, True:
            result = samples.result() | {"provisional": provisional}
            text = self.run_with(daemon(status=lambda _: samples.status(samples.rig()), results__get=lambda _: result), "metrics")
            self.assertIn('\nfricid_channel_last_provisional{rig="bearing",source="comedi",channel="lvdt"} '
                          f"{int(provisional)}\n", text)

    def test_grammar(self):
        seen, current = {}, None
        for text in self.text().split("\n")[:-1]:
            if text.startswith("# HELP "):
                current = text.split(" ", 3)[2]
                self.assertNotIn(current, seen, "a metric stands in one place")
                self.assertTrue(text.split(" ", 3)[3].endswith("."))
                seen[current] = None
            elif text.startswith("# TYPE "):
                _, _, name, kind = text.split(" ")
                self.assertEqual((name, seen[name]), (current, None))
                self.assertIn(kind, ("counter", "gauge"))
                self.assertEqual(kind == "counter", name.endswith("_total"), name)
                seen[name] = kind
            else:
                found = self.SAMPLE.fullmatch(text)
                self.assertTrue(found, text)
                self.assertEqual(found["name"], current)
        self.assertTrue(all(seen.values()))
        for name in seen:
            self.assertNotRegex(name, r"_(s|hz|b|ms)(_|$)", "units are written out")

    def test_prometheus_reads_it(self):
        try:
            from prometheus_client.parser import text_string_to_metric_families
        except ImportError:
            self.skipTest("SKIP: python3-prometheus-client is not installed")
        figures = {(sample.name, *sorted(sample.labels.items())): sample.value
                   for family in text_string_to_metric_families(self.text()) for sample in family.samples}
        rig = (("rig", self.STRANGE), ("source", "comedi"))
        lvdt, encoder = (("channel", "lvdt"), *rig), (("channel", "encoder"), *rig)
        self.assertEqual(figures[("fricid_rig_lost_scans_total", *rig)], 30)
        self.assertEqual(figures[("fricid_rig_scans_total", *rig)], 2**53 + 2)
        self.assertEqual(figures[("fricid_rig_problem", *rig)], 1)
        self.assertEqual(figures[("fricid_rig_condition", ("condition", "running"), *rig)], 1)
        self.assertEqual(figures[("fricid_rig_condition", ("condition", "failed"), *rig)], 0)
        self.assertEqual(figures[("fricid_channel_decays_total", *lvdt)], 3)
        drops = {key: value for key, value in figures.items() if key[0] == "fricid_channel_drops_total"}
        self.assertEqual({dict(key[1:])["reason"] for key in drops}, {"too_short", "gap"})
        self.assertEqual(figures[("fricid_channel_last_result_time_seconds", *lvdt)], 1795269605.0)
        self.assertNotIn(("fricid_channel_last_result_time_seconds", *encoder), figures)
        self.assertNotIn(("fricid_rig_sample_rate_hertz", *rig), figures)
        thread = (("thread", "identifier"),)
        self.assertEqual(figures[("fricid_thread_jobs_total", *thread)], 118)
        self.assertEqual(figures[("fricid_thread_busy_seconds_total", *thread)], 12.5)
        self.assertEqual(figures[("fricid_thread_healthy", *thread)], 1)
        self.assertEqual(figures[("fricid_queue_limit_bytes",)], 268435456)
        self.assertEqual(figures[("fricid_client_dropped_notifications_total",)], 0)

    def test_nobody_answers(self):
        done = subprocess.run([FRICIDCTL, "--socket", "/nonexistent", "metrics"], capture_output=True, check=False,
                              timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (NOT_REACHABLE, b""))


class Results(FakeTest):
    def test_table(self):
        text = self.run_with(daemon(), "results")
        head, row = text.splitlines()
        for words in ("ID", "RELEASED (UTC)", "f_n", "ζ", "x_k", "ENDED BY"):
            self.assertIn(words, head)
        for words in ("117", "bearing", "comedi", "2026-11-21 14:00:03.204", "5.520451(12) Hz", "0.178793(42) mm"):
            self.assertIn(words, row)
        self.assertEqual(head.index("VERDICT"), row.index("ok"))

    def test_first_answers_are_named(self):
        firsts = [samples.summary(number) | {"provisional": number != 118, "kind": kind}
                  for number, kind in ((119, "free_decay"), (118, "free_decay"), (117, "free_decay"), (116, "ring_down"))]
        text = self.run_with(daemon(results__list=lambda _: {"results": firsts, "next_before_id": None, "reason": None}),
                             "results")
        self.assertEqual(text.splitlines()[-2:],
                         ["provisional: the ladder of models is still being fitted, of 119, 117",
                          "provisional: backbone and simulation of the modes are still being made, of 116"])
        firsts = [samples.summary(number) | {"stopped": number != 118, "provisional": number == 120}
                  for number in (120, 119, 118, 117)]
        text = self.run_with(daemon(results__list=lambda _: {"results": firsts, "next_before_id": None, "reason": None}),
                             "results")
        self.assertEqual(text.splitlines()[-1], "stopped by its deadline, parts may be lacking: fricidctl reidentify with a "
                                                "larger ladder_deadline_s, of 119, 117")

    def on_terminal(self, width, *arguments, simulated=False, **changes):
        def listed(_):
            results = [samples.summary(number) for number in (119, 118, 117)]
            results[1] |= {"verdict": "too_few_half_cycles", "recommended": None}
            for result in results:
                result["source"] |= {"kind": "simulated"} if simulated else {}
            return {"results": results, "next_before_id": None, "reason": None}
        return self.shown_on_terminal(daemon(results__list=listed), 24, width, "results", *arguments, **changes)

    def test_rigs_are_told_apart_in_a_narrow_terminal(self):
        """Where all are of one, its name gives way to figures."""
        def listed(rigs):
            results = [samples.summary(119 - i) | {"rig": rig} for i, rig in enumerate(rigs)]
            return daemon(results__list=lambda _: {"results": results, "next_before_id": None, "reason": None})
        for rigs, there in ((("left", "left", "right"), True), (("left",) * 3, False)):
            for width in 60, 70:
                lines = self.shown_on_terminal(listed(rigs), 24, width, "results").splitlines()
                self.assertEqual(("RIG" in lines[0], any("right" in text for text in lines)), (there, there), lines)
                self.assertIn("f_n", lines[0])

    def test_a_reader_that_has_enough(self):
        """As a shell says it of other programs, without a word."""
        for command in ("results",), ("show", "117"), ("results", "--json"):
            with FakeFricidd(daemon()) as fake:
                read, write = os.pipe()
                os.close(read)
                with start(fake, *command, stdout=write, stderr=subprocess.PIPE) as child:
                    os.close(write)
                    self.assertEqual((child.stderr.read(), child.wait(timeout=PATIENCE)), (b"", 141))

    def test_on_a_terminal_it_fits_and_the_newest_is_last(self):
        heads = {}
        for width in (40, 60, 80, 100, 200):
            lines = COLOURS.sub("", self.on_terminal(width)).splitlines()
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertEqual(len(lines), 4)
            self.assertEqual([text.split()[0] for text in lines], ["ID", "117", "118", "119"])
            heads[width] = lines[0].split()
            self.assertIn("too_few_half_cycles", lines[2])
        self.assertIn("ENDED", heads[200])
        self.assertNotIn("ENDED", heads[100])
        self.assertLess(len(heads[60]), len(heads[80]))
        piped = self.run_with(daemon(), "results").splitlines()
        self.assertGreater(len(piped[0]), 120)

    def test_simulated_is_said_where_there_is_no_room_for_its_column(self):
        self.assertIn("! SIMULATED: 3 of these 3", self.on_terminal(60, simulated=True))
        self.assertNotIn("! SIMULATED", self.on_terminal(200, simulated=True))
        self.assertIn("SIMULATED", self.on_terminal(200, simulated=True))

    def test_columns_are_chosen(self):
        text = self.run_with(daemon(), "results", "--columns", "mu,id,f_k,c,x0,zeta")
        head, row = text.splitlines()
        self.assertEqual(head.split(), ["μ", "ID", "f_k", "c", "X_0", "ζ"])
        for words in ("0.02193(11)", "117", "0.4130(21) N", "2.3581(62) N·s/m", "12.30412(51) mm", "0.0177031(52)"):
            self.assertIn(words, row)
        self.run_with(daemon(), "results", "--columns", "id,nosuch", status=USAGE)
        self.assertIn("there is no column 'nosuch': these are there: id, run, rig,", self.errors)
        self.assertEqual(self.requests, [])
        lines = COLOURS.sub("", self.on_terminal(40, "--columns", "id,verdict,f_n,ended_by")).splitlines()
        self.assertEqual(lines[0].split(), ["ID", "VERDICT"])

    def test_verdicts_are_coloured_on_a_terminal_alone(self):
        text = self.on_terminal(80, TERM="xterm")
        self.assertIn("\x1b[32mok\x1b[0m", text)
        self.assertIn("\x1b[31mtoo_few_half_cycles\x1b[0m", text)
        self.assertNotIn("\x1b", self.on_terminal(80, TERM="xterm", NO_COLOR="1"))
        self.assertNotIn("\x1b", self.on_terminal(80, TERM="dumb"))
        self.assertNotIn("\x1b", self.run_with(daemon(), "results", TERM="xterm"))
        methods = daemon(results__get=lambda params: samples.result(params["id"]))
        self.assertIn("\x1b[32mok\x1b[0m", self.shown_on_terminal(methods, 24, 80, "show", "117", TERM="xterm"))

    def test_the_budget_fits_on_a_terminal(self):
        methods = daemon(results__get=lambda params: samples.result(params["id"]))
        for width in (40, 60, 80, 200):
            text = COLOURS.sub("", self.shown_on_terminal(methods, 50, width, "show", "117", "--intervals"))
            budget = re.split(r"uncertainty budget[^)]*\)\n", text)[1].split("(…)")[0].splitlines()
            self.assertGreater(len(budget), 8)
            self.assertLessEqual(max(map(len, budget)), width)
            self.assertIn("f_n", budget[1])
            # The one that the interval is made of is there first and last.
            self.assertEqual(budget[0].split()[-1], "U")
            self.assertEqual("u_model" in budget[0], width >= 80)
        self.assertIn("freedom", budget[0])

    def test_the_combined_interval_stands_first(self):
        methods = daemon(results__get=lambda params: samples.result(params["id"]))
        text = COLOURS.sub("", self.shown_on_terminal(methods, 50, 80, "show", "117", "--intervals"))
        intervals = text.split("95 % intervals (statistical: of the noise of the record alone)\n")[1].split("  unc")[0]
        head, *rows = intervals.splitlines()
        self.assertRegex(head, "^ +combined +statistical$")
        for row in rows:
            self.assertLessEqual(len(row), 80)
            self.assertEqual(row[head.index("combined") - 2:head.index("combined")], "  ", row)
            self.assertEqual(row[head.index("statistical") - 2:head.index("statistical")], "  ", row)

    def test_the_sheet_fits_on_a_terminal(self):
        methods = daemon(results__get=lambda params: samples.result(params["id"]))
        piped = self.run_with(methods, "show", "117", "--intervals")
        self.assertGreater(max(map(len, piped.splitlines())), 80)
        for width in (60, 80, 100):
            text = COLOURS.sub("", self.shown_on_terminal(methods, 50, width, "show", "117", "--intervals"))
            sheet = text.split("uncertainty budget")[0]
            self.assertLessEqual(max(map(len, sheet.splitlines())), width)
            # Lines end between words, and nothing is left out; intervals that find no room side by side are named each.
            parts, wide = (whole.split("95 % intervals") for whole in (" ".join(sheet.split()), " ".join(piped.split("uncertainty budget")[0].split())))
            self.assertEqual(parts[0], wide[0])
            named = [word for word in parts[1].split() if word not in ("combined", "statistical")]
            self.assertEqual(named, [word for word in wide[1].split() if word not in ("combined", "statistical")])
            self.assertEqual(parts[1].count("combined"), 1 if width > 60 else len(re.findall("combined [−0-9]", parts[1])))

    def test_scope_fits_on_a_terminal(self):
        told = [notification("notify.signal", seq=i, rig="bearing", channel="lvdt", source={"kind": "comedi"}, unit="mm",
                             state=samples.state(), signal=Calibrate.signal(0.5, 0.0, "V")) for i in range(3)]
        for width, words in ((30, ("lvdt", "mm")), (80, ("bearing", "lvdt", "…")), (200, ("noise", "threshold"))):
            lines = self.shown_on_terminal(daemon(), 24, width, "scope", "--count", "2",
                                           after={"subscribe": b"".join(map(line, told))}).splitlines()
            self.assertEqual(len(lines), 2)
            self.assertLessEqual(len(lines[0]), width)
            for word in words:
                self.assertIn(word, lines[0])

    def test_what_is_no_table_fits_on_a_terminal_too(self):
        trace = {"verdict": "ok", "reason": None, "rig": "bearing", "released_at": "2026-11-21T14:00:03.204000Z",
                 "start_s": 12.25, "end_s": 14.5, "protected": True, "agrees": None}
        card = {"device": "/dev/comedi0", "board": "pci-6221", "driver": "ni_pcimio", "world_writable": True,
                "problem": None, "subdevices": [
                    {"subdevice": 0, "use": "analog", "kind": "analog input", "channels": 16, "bits": 16, "busy": False,
                     "streams": True, "fastest_hz": 250000.0,
                     "ranges": [{"low": -edge, "high": edge, "unit": "V"} for edge in (10, 5, 1, 0.2)]}]}
        methods = daemon(devices=lambda _: {"surveying": False, "devices": [card]},
                         runs__get=lambda _: {"run_id": 7, "rig": "bearing", "kind": "free_decay", "started_at": None,
                                              "traces": [trace | {"channel": name, "id": number}
                                                         for number, name in enumerate(("lvdt", "encoder"), 7)]})
        commands = re.findall(r"^  ([a-z]+)", self.run_with(methods, "--help"), re.MULTILINE)
        self.assertGreater(len(commands), 20)
        for width in (60, 80):
            for arguments in (["--help"], *([name, "--help"] for name in commands), ["doctor"], ["run", 7], ["devices"],
                              ["status"], ["show", "no such id, but a great many words that nobody asked for at all"]):
                text = self.shown_on_terminal(methods, 24, width, *arguments, status=None)
                self.assertLessEqual(max(map(len, COLOURS.sub("", text).splitlines())), width, text)
        # Where there is no room for its columns, a row says what is what.
        self.assertRegex(self.shown_on_terminal(methods, 24, 60, "run", 7), r"\n  CHANNEL +lvdt|CHANNEL lvdt")

    def test_watch_breaks_between_words(self):
        told = line(notification("notify.result", seq=1, result=samples.result(117)))
        text = self.shown_on_terminal(daemon(), 24, 60, "watch", "--count", "1", after={"subscribe": told}, TERM="xterm")
        lines = [each for each in re.sub(r".*\r\x1b\[K", "", text).splitlines() if each]
        self.assertGreater(len(lines), 1)
        self.assertLessEqual(max(map(len, lines)), 60)
        joined = " ".join(each.strip() for each in lines)
        self.assertIn("f_n 5.520451(12) Hz", joined)
        self.assertIn("half cycles, ended by", joined)

    def test_filters_are_passed_on(self):
        self.run_with(daemon(), "results", "--rig", "bearing", "--channel=lvdt", "--verdict", "ok", "--before", 50,
                      "--limit", 7)
        self.assertEqual(self.requests[0]["params"],
                         {"limit": 7, "rig": "bearing", "channel": "lvdt", "verdict": "ok", "before_id": 50})

    def test_pages_are_put_together(self):
        def page(params):
            first = params.get("before_id", 1001) - 1
            numbers = range(first, max(first - params["limit"], 0), -1)
            after = numbers[-1] if numbers and numbers[-1] > 1 else None
            return {"results": [samples.summary(n) for n in numbers], "next_before_id": after, "reason": None}

        reply = json.loads(self.run_with(daemon(results__list=page), "results", "--limit", 450, "--json"))
        self.assertEqual([result["id"] for result in reply["results"]], list(range(1000, 550, -1)))
        self.assertEqual(reply["next_before_id"], 551)
        self.assertTrue(all(request["params"]["limit"] <= 1000 for request in self.requests))
        reply = json.loads(self.run_with(daemon(results__list=page), "results", "--limit", 5000, "--json"))
        self.assertEqual(len(reply["results"]), 1000)

    def test_what_is_no_text_is_not_left_out(self):
        for option in ("--sort", "--cursor", "--rig"):
            self.run_with(daemon(), "results", option, os.fsdecode(b"Pr\xfcf"), status=USAGE)
            self.assertIn("must be UTF-8 text", self.errors)
            self.assertEqual(self.requests, [])

    def test_none(self):
        empty = daemon(results__list=lambda _: {"results": [], "next_before_id": None, "reason": None})
        self.assertEqual(self.run_with(empty, "results"), "")
        self.assertIn("no result yet", self.errors)
        for sort in ((), ("--sort", "f_c")):
            self.run_with(empty, "results", "--rig", "x", *sort)
            self.assertEqual(self.errors, "fricidctl: no result matches\n")

    def test_all_columns_at_once(self):
        self.run_with(daemon(), "results", "--columns", "nonsense", status=USAGE)
        names = re.search(r"these are there: ([a-z0-9_, ]+)", self.errors)[1].split(", ")
        text = self.run_with(daemon(), "results", "--columns", ",".join(names))
        self.assertGreater(len(names), 30)
        self.assertIn("sigma_2", text.splitlines()[0])

    def test_what_an_order_leaves_out_is_told(self):
        """A list in the order of a figure lacks the results without it, of which some have it later."""
        def page(params):
            found = [samples.summary(3) | {"provisional": True, "kind": "loop"},
                     samples.summary(2) | {"provisional": True}, samples.summary(1)]
            return {"results": [] if "sort" in params else found, "next_before_id": None, "reason": None}

        self.assertEqual(self.run_with(daemon(results__list=page), "results", "--rig", "bearing", "--sort", "f_c"), "")
        self.assertEqual(self.requests[-1]["params"], {"limit": 100, "rig": "bearing"})
        self.assertIn("no result matches that has f_c; without it 3", self.errors)
        self.assertIn("1 of them may have it later; provisional: ", self.errors)
        self.run_with(daemon(results__list=page), "results", "--sort", "energy")
        self.assertNotIn("later", self.errors)
        self.run_with(daemon(results__list=page), "results", "--rig", "x", "--sort", "f_c", "--json")
        self.assertEqual(len(self.requests), 1)


class Machines(FakeTest):
    def test_replies_pass_unchanged(self):
        strange = samples.result() | {"new_key": ["ä", "\u001b[31m", 1e-300, 12345678901234567]}
        text = self.run_with(daemon(results__get=lambda _: strange), "--json", "show", 117)
        self.assertEqual(json.loads(text), strange)
        self.assertEqual(text.count("\n"), 1)
        self.assertNotIn("\u001b", text)

    def test_version(self):
        reply = json.loads(self.run_with(daemon(), "version", "--json"))
        self.assertEqual(reply["client"]["protocol"], {"major": 1, "minor": MINOR})
        self.assertEqual(reply["server"]["server"], "fricidd")
        done = subprocess.run([FRICIDCTL, "version", "--json", "--socket", "/nonexistent"], env=environment(),
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, NOT_REACHABLE)
        self.assertIsNone(json.loads(done.stdout)["server"])

    def test_errors_leave_standard_output_empty(self):
        methods = daemon(results__get=refuse(-32002, "not_found", "there is no result 7"))
        self.assertEqual(self.run_with(methods, "--json", "show", 7, status=FAILED), "")
        self.assertIn("there is no result 7", self.errors)


class Refusals(FakeTest):
    def test_not_permitted(self):
        methods = daemon(results__list=refuse(-32001, "not_permitted", "only members of group fricid may do that"))
        self.run_with(methods, "results", status=NOT_PERMITTED)
        self.assertIn("group fricid", self.errors)

    def test_history_gone(self):
        methods = daemon(subscribe=refuse(-32000, "history_gone", "that is too long ago", oldest_seq=41, next_seq=99))
        self.run_with(methods, "watch", "--from-seq", 3, status=FAILED)
        for words in ("too long ago", "41", "99"):
            self.assertIn(words, self.errors)

    def test_socket_that_may_not_be_opened(self):
        """As root, who may open everything, with a copy that another user can reach."""
        other_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        with FakeFricidd(daemon()) as fake:
            fake.directory.chmod(0o755)
            program = shutil.copy(FRICIDCTL, fake.directory / "fricidctl")
            os.chmod(fake.path, 0)
            done = subprocess.run([*other_user, program, "--socket", fake.path, "status"], env=environment(),
                                  capture_output=True, timeout=PATIENCE, check=False, cwd="/")
        self.assertEqual(done.returncode, NOT_PERMITTED, done.stderr)
        self.assertIn(b"may not talk to fricidd", done.stderr)


class StrangeServers(FakeTest):
    """Whatever answers, fricidctl ends, and says what is wrong in one sentence."""

    def greeted(self, greeting, status, words, timeout_s=PATIENCE, **options):
        text = self.run_with(daemon(), "status", "--timeout", timeout_s, status=status,
                             fake_options={"greeting": greeting, **options})
        self.assertEqual(text, "")
        self.assertIn(words, self.errors)

    def test_another_major_version(self):
        greeting = line(notification("hello", **HELLO | {"version": "9.1.0", "protocol": {"major": 9, "minor": 1}}))
        self.greeted(greeting, FAILED, "fricidd 9.1.0")
        for words in ("protocol 9.1", f"speaks 1.{MINOR}", "install"):
            self.assertIn(words, self.errors)

    def test_a_newer_minor_version_is_fine(self):
        greeting = line(notification("hello", **HELLO | {"protocol": {"major": 1, "minor": MINOR}, "news": 1}))
        self.run_with(daemon(), "status", fake_options={"greeting": greeting})

    def test_silence(self):
        self.greeted(None, NOT_REACHABLE, "did not answer within", timeout_s=0.3)

    def test_hanging_up(self):
        self.greeted(None, NOT_REACHABLE, "closed the connection", closes=True)
        self.greeted(line(notification("hello", **HELLO)), NOT_REACHABLE, "", closes=True)

    def test_no_protocol_at_all(self):
        for greeting in (b"220 mail.example.org ESMTP\n", b"\n", b"[]\n", b"{}\n", b'"hello"\n', b"\0\0\0\n",
                         b'{"method":"hello"}\n', b'{"method":"hello","params":[]}\n',
                         b'{"method":"hello","params":{}}\n', b'{"method":"hello","params":{"protocol":{}}}\n',
                         b'{"a":1,"a":2}\n', b"\xff\xfe\n", b"[" * 5000 + b"\n", b"1e999\n"):
            with self.subTest(greeting=greeting[:40]):
                self.greeted(greeting, FAILED, "does not speak fricid's protocol")

    def test_a_line_without_end(self):
        self.greeted(b"x" * (2 << 20), FAILED, "longer than 1 MiB")

    def test_answers_that_are_none(self):
        for answer in (b"gibberish\n", b'{"jsonrpc":"2.0","id":1}\n', b'{"jsonrpc":"2.0","id":1,"result":7}\n',
                       b'{"jsonrpc":"2.0","id":99,"result":{}}\n', b'{"jsonrpc":"2.0","id":1,"error":5}\n',
                       b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}\n'):
            with self.subTest(answer=answer):
                self.assertEqual(self.run_with(daemon(status=lambda _: answer), "status", status=FAILED), "")

    def test_no_answer(self):
        self.run_with(daemon(status=lambda _: b""), "status", "--timeout", 0.3, status=NOT_REACHABLE)
        self.assertIn("within 0.3 s", self.errors)

    def test_an_answer_in_pieces_behind_notifications(self):
        def chatty(_):
            noise = line(notification("notify.later", seq=1)) * 3
            return noise + line({"jsonrpc": "2.0", "id": 1, "result": samples.status(samples.rig())})

        self.assertIn("lab-pc3", self.run_with(daemon(status=chatty), "status"))

    def test_methods_that_an_old_daemon_lacks(self):
        self.run_with({}, "status", status=FAILED)

    def test_missing_keys(self):
        """An empty reply, and then a full one without one key after the other."""
        nothing = re.compile(r"\bnan\b|\bnull\b|\(null\)|\binf\b", re.IGNORECASE)

        def pruned(value):
            if isinstance(value, dict):
                for key in value:
                    yield {other: value[other] for other in value if other != key}
                    for smaller in pruned(value[key]):
                        yield value | {key: smaller}
            elif isinstance(value, list) and value:
                yield []
                for smaller in pruned(value[0]):
                    yield [smaller, *value[1:]]

        for method, arguments, full in (("status", ["status"], samples.status(samples.rig())),
                                        ("results__get", ["show", 1, "--intervals"], samples.result())):
            replies = [{}, *pruned(full)]
            for reply in replies[::max(1, len(replies) // 40)]:
                with FakeFricidd(daemon(**{method: lambda _, reply=reply: reply})) as fake:
                    done = fricidctl(fake, *arguments)
                self.assertIn(done.returncode, (OK, NO_RESULT), done.stderr)
                self.assertNotRegex(done.stdout.decode(), nothing)
                self.assertNotIn("Sanitizer", done.stderr.decode())

    def test_keys_of_other_types(self):
        def twisted(value, kind):
            if isinstance(value, dict):
                return {key: twisted(member, kind) for key, member in value.items()}
            if isinstance(value, list):
                return [twisted(member, kind) for member in value]
            return kind

        for kind in ("text", -1, 1e300, True, None, [], {}):
            for method, arguments, full in (("status", ["status"], samples.status(samples.rig())),
                                            ("results__get", ["show", 1, "--intervals"], samples.result())):
                with self.subTest(kind=kind, method=method):
                    with FakeFricidd(daemon(**{method: lambda _, full=full: twisted(full, kind)})) as fake:
                        done = fricidctl(fake, *arguments)
                    self.assertIn(done.returncode, (OK, NO_RESULT), done.stderr)


class Screens(FakeTest):
    HOSTILE = "\u001b[2J\u009b31m\u202elvdt\n\r\a"

    def hostile(self):
        def spoiled(value):
            if isinstance(value, dict):
                return {key: spoiled(member) for key, member in value.items()}
            if isinstance(value, list):
                return [spoiled(member) for member in value]
            keep = value in ("ok", "fit", "decaying", "idle", "zeta", "x_k")
            return value + self.HOSTILE if isinstance(value, str) and not keep else value

        status = spoiled(samples.status(samples.rig()))
        status["rigs"][0]["problem"] = self.HOSTILE
        status["rigs"][0]["channels"][0]["counters"]["drops"] = {self.HOSTILE: 1}
        events = (notification("notify.result", seq=1, result=spoiled(samples.result())),
                  notification("notify.event", seq=2, event={"code": self.HOSTILE, "sentence": self.HOSTILE,
                                                             "rig": self.HOSTILE, "channel": self.HOSTILE,
                                                             "source": {"kind": self.HOSTILE}, "at": self.HOSTILE}),
                  notification("notify.progress", seq=3, rig=self.HOSTILE, channel=self.HOSTILE, unit=self.HOSTILE,
                               source={"kind": "comedi"}, state=spoiled(samples.state())),
                  notification("notify.result", seq=4, result=spoiled(samples.result())))
        methods = daemon(status=lambda _: status, results__get=lambda _: spoiled(samples.result()),
                         results__list=lambda _: {"results": [spoiled(samples.summary())], "next_before_id": None},
                         version=refuse(-32000, "x", "no " + self.HOSTILE))
        return methods, {"after": {"subscribe": b"".join(map(line, events))}}

    def test_nothing_that_a_terminal_obeys(self):
        methods, options = self.hostile()
        for arguments in (["status"], ["show", 1, "--intervals"], ["results"], ["version"], ["watch", "--count", 2]):
            with FakeFricidd(methods, **options) as fake:
                done = fricidctl(fake, *arguments)
            text = (done.stdout + done.stderr).decode()
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", arguments)
            self.assertIn("lvdt", text)

    def test_ascii_where_the_locale_says_so(self):
        for arguments in (["status"], ["show", 1, "--intervals"], ["results"]):
            text = self.run_with(daemon(), *arguments, LC_ALL="C")
            self.assertTrue(text.isascii(), text)
        self.assertIn("zeta", text)

    def test_unicode_elsewhere(self):
        for changes in ({}, {"LC_ALL": "C.UTF-8"}, {"LANG": "xx_XX.UTF-8"}, {"LC_ALL": "de_DE.UTF-8"}):
            text = self.run_with(daemon(), "show", 1, **changes)
            self.assertIn("ζ", text)
            self.assertIn("5.520451(12) Hz", text)

    def test_output_that_cannot_be_written(self):
        for arguments in (["status"], ["--json", "status"], ["watch", "--count", 1]):
            after = {"subscribe": line(notification("notify.result", seq=1, result=samples.result()))}
            with FakeFricidd(daemon(), after=after) as fake, open("/dev/full", "wb") as full:
                with start(fake, *arguments, stdout=full, stderr=subprocess.PIPE) as child:
                    _, errors = child.communicate(timeout=PATIENCE)
            self.assertEqual(child.returncode, FAILED, arguments)
            self.assertIn(b"cannot write standard output", errors)

    def test_standard_output_closed(self):
        with FakeFricidd(daemon()) as fake:
            done = subprocess.run(["sh", "-c", f'"{FRICIDCTL}" --json status >&-'], capture_output=True, check=False,
                                  env=environment(FRICID_SOCKET=fake.path), timeout=PATIENCE)
            self.assertEqual(len(fake.requests), 1)
        self.assertEqual(done.returncode, FAILED)


def progress(half_cycle, channel="lvdt"):
    state = samples.state() | {"half_cycle": half_cycle}
    return notification("notify.progress", seq=half_cycle, rig="bearing", channel=channel, unit="mm",
                        source={"kind": "simulated"}, state=state)


class Zero(FakeTest):
    """The present position of a channel becomes its zero, when it has one."""

    def zero(self, reach, *arguments, status=OK, shown_after="subscribe"):
        signal = notification("notify.signal", seq=1, rig="bearing", channel="lvdt", source={"kind": "comedi"}, unit="mm",
                              state=samples.state(), signal=Calibrate.signal(0.5, 0.0, "V", reach))
        made = {"rig": "bearing", "channel": "lvdt", "position": 0.5, "unit": "mm"}
        return self.run_with(daemon(zero=lambda _: made), "zero", "lvdt", *arguments, status=status,
                             fake_options={"after": {shown_after: line(signal) * 3}})

    def asked(self):
        return [request["method"] for request in self.requests]

    def test_of_a_mass_that_rests(self):
        self.assertIn("is zero now", self.zero(0.5 * samples.state()["hysteresis"]))

    def test_of_a_moving_mass_only_when_told(self):
        self.assertEqual(self.zero(2.0 * samples.state()["hysteresis"], status=FAILED), "")
        self.assertIn("channel lvdt moves", self.errors)
        self.assertNotIn("zero", self.asked())
        self.assertIn("is zero now", self.zero(2.0, "--anyway"))
        self.assertEqual(self.asked(), ["zero"])

    def test_of_a_daemon_that_stood_still(self):
        """It shows nothing for longer than what measures nothing is waited for: until it answers again."""
        self.assertEqual(self.zero(2.0, status=FAILED, shown_after="version"), "")
        self.assertIn("channel lvdt moves", self.errors)
        self.assertEqual(self.asked(), ["status", "subscribe", "version"])

    def test_of_a_channel_that_measures_nothing(self):
        self.assertIn("is zero now", self.zero(2.0, shown_after="nothing"))
        self.assertEqual(self.asked(), ["status", "subscribe", "version", "zero"])


class Names(FakeTest):
    """What there is not is said at once, and nobody waits for it."""

    def test_of_channels_and_rigs(self):
        for arguments in (("scope", "nosuch"), ("scope", "--rig", "nosuch"), ("scope", "lvdt", "--rig", "nosuch"),
                          ("zero", "nosuch"), ("zero", "--rig", "nosuch", "lvdt")):
            self.assertEqual(self.run_with(daemon(), *arguments, status=FAILED), "")
            self.assertIn("there is no ", self.errors)
            self.assertEqual([request["method"] for request in self.requests], ["status"])


class Calibrate(unittest.TestCase):
    """A sensor whose readings are known, and the lines that come of it."""

    CUBIC = (0.3, -1.7, 0.02, 0.004)

    def calibrate(self, typed, readings, *arguments, status=OK, unit="V", sensor_unit="V", moving=()):
        """`typed`: the lines of the user; `readings`: what the sensor gives at each of its subscriptions; `moving`: those
        during which it moves."""
        waiting = iter(readings)

        def subscribe(params):
            reading = next(waiting)
            fake.after["subscribe"] = b"".join(
                line(notification("notify.signal", seq=i, rig="bearing", channel="lvdt", source={"kind": "comedi"},
                                  unit=unit, state=samples.state(), signal=self.signal(reading, noise, sensor_unit,
                                                                1.0 if reading in moving else 0.0)))
                # Two windows are old when the user has typed.
                for i, noise in enumerate([9.0, -9.0] + [0.001, -0.001] * 5))
            return {"topics": params["topics"], "history_id": "h1", "next_seq": 231}

        with FakeFricidd(daemon(subscribe=subscribe, unsubscribe=lambda _: {"topics": []})) as fake:
            done = subprocess.run([FRICIDCTL, "calibrate", "lvdt", *arguments], input="\n".join(typed) + "\n\n",
                                  env=environment(FRICID_SOCKET=fake.path, LC_ALL="C.UTF-8"), capture_output=True,
                                  timeout=PATIENCE, check=False, text=True)
        self.errors = done.stderr
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    @staticmethod
    def signal(reading, noise, sensor_unit, reach=0.0):
        """reading None: no sample came."""
        silent = reading is None
        return {"window_s": 0.1, "samples": 0 if silent else 100, "clipped_samples": 0, "min": 0.0, "max": reach,
                "mean": -77.0, "deviation": 55.0, "roughness": 1.0, "sensor_mean": None if silent else reading + noise,
                "sensor_deviation": None if silent else 0.01, "sensor_unit": sensor_unit, "reason": None}

    @staticmethod
    def keys(text):
        return dict(re.findall(r"^(\w+) = (.*);$", text, re.MULTILINE))

    def test_a_straight_line(self):
        printed = self.keys(self.calibrate(["0 mm", "5", "10 mm"], [0.5, 3.0, 5.5]))
        offset, slope = (float(each) for each in printed["calibration"].strip("[]").split(", "))
        self.assertAlmostEqual(offset, -1, delta=1e-9)
        self.assertAlmostEqual(slope, 2, delta=1e-9)
        self.assertEqual(printed["unit"], '"mm"')
        self.assertEqual(printed["full_scale"], "10.0")
        self.assertLess(float(printed["u_gain_percent"]), 1e-9)
        self.assertIn("  0 mm: 0.50000 ± 0.00032 V\n", self.errors)

    def test_uncertainties_by_hand(self):
        """(0, 0), (1, 2), (2, 1): slope 1/2; residuals -1/2, 1, -1/2, so variance 3/2 and that of the slope 3/4."""
        printed = self.keys(self.calibrate(["0 um", "2 um", "1 um"], [0.0, 1.0, 2.0]))
        self.assertEqual(printed["unit"], '"um"')
        self.assertAlmostEqual(float(printed["u_gain_percent"]), 100 * 0.75 ** 0.5 / 0.5, delta=0.5)
        self.assertAlmostEqual(float(printed["linearity_percent"]), 50, delta=1e-9)
        self.assertEqual(printed["full_scale"], "2.0")

    def test_a_polynomial(self):
        readings = [-4, -2.5, -1, 0, 1.5, 3, 4]
        known = [sum(c * x ** i for i, c in enumerate(self.CUBIC)) for x in readings]
        printed = self.keys(self.calibrate([f"{y!r} mm" for y in known], readings, "--degree", "3"))
        found = [float(each) for each in printed["calibration"].strip("[]").split(", ")]
        for got, true in zip(found, self.CUBIC, strict=True):
            self.assertAlmostEqual(got, true, delta=1e-9)

    def test_a_displacement_that_does_not_follow_is_no_calibration(self):
        for typed, unit in ((["5 mm", "5", "5"], "V"), (["5 mm", "5", "5"], "counts"), (["0 mm", "0", "0"], "V"),
                            (["1 mm", "2", "1"], "V")):
            text = self.calibrate(typed, [0.5, 3.0, 5.5], status=1, sensor_unit=unit)
            self.assertEqual(text, "", typed)
            self.assertIn("the slope is 0", self.errors)

    def test_two_points_tell_nothing_of_uncertainty(self):
        printed = self.keys(self.calibrate(["0 mm", "5"], [0.5, 3.0]))
        self.assertEqual(set(printed), {"calibration", "unit"})
        self.assertIn("take more", self.errors)

    def test_a_channel_that_is_calibrated_keeps_its_unit(self):
        printed = self.keys(self.calibrate(["0", "5", "10"], [0.5, 3.0, 5.5], unit="cm"))
        self.assertEqual(printed["unit"], '"cm"')

    def test_without_any_unit_it_is_millimetres_and_that_is_said(self):
        printed = self.keys(self.calibrate(["0", "5", "10"], [0.5, 3.0, 5.5]))
        self.assertEqual(printed["unit"], '"mm"')
        self.assertIn("no unit was typed: mm is taken", self.errors)

    def test_units_are_not_mixed(self):
        printed = self.keys(self.calibrate(["0 mm", "5 um", "5 mm", "10 mm"], [0.5, 3.0, 5.5]))
        self.assertIn("type this one in mm too", self.errors)
        self.assertAlmostEqual(float(printed["calibration"].strip("[]").split(", ")[1]), 2, delta=1e-9)

    def test_an_encoder(self):
        printed = self.keys(self.calibrate(["0 mm", "5", "10 mm"], [0.0, -1000.0, -2000.0], unit="mm",
                                           sensor_unit="counts"))
        self.assertAlmostEqual(float(printed["counts_per_unit"]), 200, delta=1e-6)
        self.assertEqual(printed["reversed"], "true")
        self.assertNotIn("calibration", printed)
        self.calibrate(["0 mm", "5", "10 mm"], [0.0, 1.0, 2.0], "--degree", "2", sensor_unit="counts", status=USAGE)

    def test_what_is_no_displacement_is_asked_for_again(self):
        printed = self.keys(self.calibrate(["five", "1,5", "0 mm", "nan", "5 mm mm", "10"], [0.5, 5.5]))
        self.assertEqual(self.errors.count("that is not a number"), 4)
        self.assertAlmostEqual(float(printed["calibration"].strip("[]").split(", ")[1]), 2, delta=1e-9)

    def test_a_point_without_samples_is_not_taken(self):
        printed = self.keys(self.calibrate(["0 mm", "5", "5", "10 mm"], [0.5, None, 3.0, 5.5]))
        self.assertIn("no sample of this channel came", self.errors)
        self.assertNotIn("cannot be taken back", self.errors)
        self.assertAlmostEqual(float(printed["calibration"].strip("[]").split(", ")[1]), 2, delta=1e-9)

    def test_a_point_at_which_it_moves_is_not_taken(self):
        printed = self.keys(self.calibrate(["0 mm", "5", "5", "10 mm"], [0.5, 7.0, 3.0, 5.5], moving=(7.0,)))
        self.assertIn("the sensor moves: this point is not taken", self.errors)
        self.assertAlmostEqual(float(printed["calibration"].strip("[]").split(", ")[1]), 2, delta=1e-9)
        self.calibrate(["0 mm", "5", "10 mm"], [0.5, 3.0, 5.5], "--anyway", moving=(3.0,))
        self.assertNotIn("moves", self.errors)

    def test_one_place_is_no_line(self):
        self.assertEqual(self.calibrate(["0 mm"], [0.5], status=FAILED), "")
        self.assertIn("needs 2 different positions", self.errors)

    def test_json(self):
        found = json.loads(self.calibrate(["0 mm", "5", "10 mm"], [0.5, 3.0, 5.5], "--json"))
        self.assertEqual((found["unit"], found["sensor_unit"], len(found["points"])), ("mm", "V", 3))
        self.assertAlmostEqual(found["calibration"][1], 2, delta=1e-9)
        self.assertAlmostEqual(found["points"][1]["sensor"], 3.0, delta=1e-9)


class Watch(FakeTest):
    EVENT = notification("notify.event", seq=9, event={
        "code": "gap", "sentence": "30 scans were lost", "rig": "bearing", "channel": None,
        "source": {"kind": "simulated"}, "at": "2026-11-21T14:02:11.000000Z", "reason": "overrun", "count": 30})
    RESULT = notification("notify.result", seq=10, result=samples.result())

    def after(self, *messages):
        return {"after": {"subscribe": b"".join(map(line, messages))}}

    def test_lines(self):
        text = self.run_with(daemon(), "watch", "--count", 1,
                             fake_options=self.after(progress(1), progress(2), self.EVENT, self.RESULT))
        first, second, event, result = text.splitlines()
        self.assertIn("bearing lvdt SIMULATED: decaying, half cycle 1, 3.21 mm, 5.52 Hz", first)
        self.assertIn("half cycle 2", second)
        self.assertIn("2026-11-21 14:02:11.000 UTC bearing SIMULATED: gap: 30 scans were lost", event)
        self.assertIn("#117 bearing lvdt: viscous + Coulomb, f_n 5.520451(12) Hz, ζ 0.0177031(52), x_k 0.178793(42) mm",
                      result)
        self.assertEqual(self.requests[0]["params"], {"topics": ["result", "event", "progress"]})

    def test_a_first_answer(self):
        result = json.loads(json.dumps(self.RESULT))
        result["params"]["result"]["provisional"] = True
        text = self.run_with(daemon(), "watch", "--count", 1, fake_options=self.after(result))
        self.assertTrue(text.endswith("; provisional: the ladder of models is still being fitted\n"), text)

    def test_combined_uncertainty(self):
        result = json.loads(json.dumps(self.RESULT))
        for quantity in result["params"]["result"]["budget"]["quantities"]:
            if quantity["quantity"] == "zeta":
                quantity["u"] = 0.00021
        text = self.run_with(daemon(), "watch", "--count", 1, fake_options=self.after(result))
        self.assertIn("ζ 0.01770(21)", text)
        row = samples.summary()
        row["u"]["zeta"] = 0.00021
        page = {"results": [row], "next_before_id": None, "reason": None}
        self.assertIn(" 0.01770(21) ", self.run_with(daemon(results__list=lambda _: page), "results"))
        del row["u"]  # a daemon that knew none
        self.assertIn(" 0.0177031(52) ", self.run_with(daemon(results__list=lambda _: page), "results"))

    def test_a_later_answer_says_that_it_is_one(self):
        """The ladder and the other channels come behind the first answer: the same decay is no second one."""
        result = samples.result() | {"run_id": 4}
        for revision, words in ((1, ", run 4: viscous"), (2, ", run 4, revision 2: viscous")):
            told = notification("notify.result", seq=231, result=result | {"revision": revision})
            self.assertIn(words, self.run_with(daemon(), "watch", "--count", 1, fake_options=self.after(told)))

    def test_json_lines(self):
        messages = [progress(1), self.EVENT, self.RESULT]
        text = self.run_with(daemon(), "watch", "--json", "--count", 1, "--from-seq", 5,
                             fake_options=self.after(*messages))
        self.assertEqual([json.loads(text) for text in text.splitlines()], messages)
        self.assertEqual(self.requests[0]["params"]["from_seq"], 5)

    def test_dropped(self):
        dropped = notification("notify.dropped", from_seq=12, to_seq=40)
        text = self.run_with(daemon(), "watch", "--count", 1, fake_options=self.after(dropped, self.RESULT))
        self.assertIn("watch --from-seq 12", text)
        dropped["params"]["reason"] = "the store takes nothing at the moment"
        text = self.run_with(daemon(), "watch", "--count", 1, fake_options=self.after(dropped, self.RESULT))
        self.assertIn("12 to 40 were dropped: the store takes nothing", text)

    def test_what_comes_before_the_answer_is_not_lost(self):
        def early(params):
            answer = {"jsonrpc": "2.0", "id": 1, "result": {"topics": params["topics"]}}
            return line(self.EVENT) + line(self.RESULT) + line(answer)

        text = self.run_with(daemon(subscribe=early), "watch", "--count", 1)
        self.assertIn("gap", text)

    def test_a_failed_identification_is_told(self):
        result = samples.result() | {"verdict": "no_oscillation", "recommended": None}
        result["fit"] |= {"verdict": "no_oscillation", "reason": "the record shows no oscillation above its noise"}
        text = self.run_with(daemon(), "watch", "--count", 1,
                             fake_options=self.after(notification("notify.result", seq=1, result=result)))
        self.assertIn("no figures, no_oscillation: the record shows no oscillation above its noise", text)

    def test_signals_end_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with FakeFricidd(daemon(), **self.after(self.EVENT)) as fake:
                with start(fake, "watch", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
                    self.assertIn(b"gap", child.stdout.readline())
                    child.send_signal(number)
                    _, errors = child.communicate(timeout=PATIENCE)
            self.assertEqual((child.returncode, errors), (OK, b""))

    def test_a_daemon_that_goes_away(self):
        with FakeFricidd(daemon(subscribe=lambda _: b""), greeting=line(notification("hello", **HELLO)) + line(
                {"jsonrpc": "2.0", "id": 1, "result": {}}), closes=True) as fake:
            done = fricidctl(fake, "watch")
        self.assertEqual(done.returncode, NOT_REACHABLE)
        self.assertIn(b"closed the connection", done.stderr)

    def test_a_reader_that_goes_away(self):
        """Also when nothing more happens that could be written."""
        with FakeFricidd(daemon(), **self.after(self.EVENT)) as fake:
            with start(fake, "watch", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
                self.assertIn(b"gap", child.stdout.readline())
                child.stdout.close()
                self.assertEqual(child.wait(timeout=PATIENCE), 141)
                child.stderr.read()

    def test_one_line_is_rewritten_on_a_terminal(self):
        terminal, inside = open_terminal()
        messages = [progress(1), progress(2), progress(2, "encoder"), self.EVENT, self.RESULT]
        with FakeFricidd(daemon(), **self.after(*messages)) as fake:
            with start(fake, "watch", "--count", "1", stdout=inside, stderr=inside) as child:
                os.close(inside)
                text = self.read_terminal(terminal)
                self.assertEqual(child.wait(timeout=PATIENCE), OK)
        os.close(terminal)
        lasting = [part.split("\r\x1b[K")[-1] for part in text.split("\r\n")]
        self.assertEqual(len(lasting), 4, text)
        self.assertIn("gap", lasting[0])
        self.assertIn("#117", lasting[1])
        self.assertRegex(lasting[2], r"\A  \S.*ended by rest\Z")
        self.assertEqual(lasting[3], "")
        self.assertIn("half cycle 1", text)
        self.assertTrue(any("lvdt" in part and "|" in part for part in text.split("\r\x1b[K")), text)
        self.assertTrue(all(len(part) < 80 for part in text.split("\r\x1b[K") if "decaying" in part))

    def test_json_on_a_terminal_is_escaped(self):
        strange = notification("notify.result", seq=1, result=samples.result() | {"rig": "ζ\u009b2J"})
        terminal, inside = open_terminal()
        with FakeFricidd(daemon(), **self.after(strange)) as fake:
            with start(fake, "watch", "--json", "--count", "1", stdout=inside, stderr=inside) as child:
                os.close(inside)
                text = self.read_terminal(terminal)
                self.assertEqual(child.wait(timeout=PATIENCE), OK)
        os.close(terminal)
        self.assertTrue(text.isascii(), text)
        self.assertEqual(json.loads(text), strange)

    def read_terminal(self, terminal):
        received = b""
        while select.select([terminal], [], [], PATIENCE)[0]:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            received += piece
        return received.decode()


class Identify(FakeTest):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="fricid-")
        self.addCleanup(self.directory.cleanup)
        self.sent = []

    def recording(self, text, name="run.csv"):
        path = Path(self.directory.name) / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def identifier(self, verdicts=("ok",)):
        """Methods that take records in, in `self.sent`, and find a decay for each verdict."""
        def found():
            return {"results": [samples.result() | {"id": None, "seq": None, "verdict": verdict}
                                for verdict in verdicts], "drops": {"too_short": 1, "gap": 0}}

        def identify(params):
            self.sent.append(params)
            return found()

        def append(params):
            record = self.sent[params["upload"]]
            self.assertLessEqual(len(params["displacement"]), 8192)
            record["displacement"] += params["displacement"]
            record["time_s"] += params.get("time_s", [])
            return {"upload": params["upload"], "samples": len(record["displacement"])}

        def begin(params):
            self.sent.append(params | {"displacement": [], "time_s": []})
            return {"upload": len(self.sent) - 1}

        return daemon(identify=identify, identify__begin=begin, identify__append=append,
                      identify__finish=lambda _: found())

    @staticmethod
    def rows(count, period=0.001, start=5.0):
        return "".join(f"{start + i * period:.6f},{i * 0.25},{-i}\n" for i in range(count))

    def test_every_channel_of_a_short_recording(self):
        path = self.recording("time_s,lvdt_mm,encoder_deg\n" + self.rows(100))
        text = self.run_with(self.identifier(), "identify", path)
        lvdt, encoder = self.sent
        self.assertEqual((lvdt["name"], lvdt["unit"], lvdt["whole"]), ("lvdt", "mm", False))
        self.assertEqual((encoder["name"], encoder["unit"]), ("encoder", "deg"))
        self.assertEqual(lvdt["displacement"], [i * 0.25 for i in range(100)])
        self.assertEqual(lvdt["start_s"], 5.0)
        self.assertAlmostEqual(lvdt["sample_rate_hz"], 1000.0, places=6)
        self.assertNotIn("time_s", lvdt)
        self.assertEqual(text.count("x_k   0.178793(42) mm"), 2)
        self.assertIn("candidates dropped: 1 too_short", text)

    def test_one_channel_as_a_whole(self):
        path = self.recording("time_s,lvdt_mm,encoder_deg\n" + self.rows(100))
        reply = json.loads(self.run_with(self.identifier(), "--json", "identify", path, "--whole", "--channel", "lvdt"))
        self.assertEqual([record["name"] for record in self.sent], ["lvdt"])
        self.assertTrue(self.sent[0]["whole"])
        self.assertEqual(len(reply["results"]), 1)
        self.assertEqual(reply["files"], [{"file": path, "channel": "lvdt", "results": 1,
                                           "drops": {"too_short": 1, "gap": 0}}])

    def test_long_recordings_go_in_pieces(self):
        path = self.recording("time_s,lvdt_mm,encoder_deg\n" + self.rows(20000))
        self.run_with(self.identifier(), "identify", path)
        self.assertEqual(self.sent[0]["displacement"], [i * 0.25 for i in range(20000)])
        self.assertEqual(self.sent[1]["displacement"], [-i for i in range(20000)])
        self.assertEqual([request["method"] for request in self.requests].count("identify.append"), 6)

    def test_gaps_are_not_kept_from_a_daemon_that_cannot_know_them(self):
        """Without them the recording would give other decays."""
        head = '#fricid {"recording":1,"tells_gaps":true}\ntime_s,lvdt_mm,encoder_deg\n'
        mark = '#fricid {"scan":90,"gap":70}\n'
        marked = self.recording(head + self.rows(20) + mark + self.rows(20, start=6.0))
        self.run_with(self.identifier(), "identify", marked, status=FAILED)
        self.assertIn("too old", self.errors)
        self.assertEqual(self.sent, [])
        self.run_with(self.identifier(), "identify", self.recording(head + self.rows(20)))
        self.assertNotIn("tells_gaps", self.sent[0])
        greeting = line(notification("hello", **HELLO | {"protocol": {"major": 1, "minor": 2}}))
        marked = self.recording(head + self.rows(20) + mark + self.rows(20, start=6.0))
        self.sent.clear()
        self.run_with(self.identifier(), "identify", marked, fake_options={"greeting": greeting})
        self.assertEqual((self.sent[0]["gaps"], self.sent[0]["lost"], self.sent[0]["tells_gaps"]), ([20], [70], True))

    def test_time_stamps_are_sent_as_they_are(self):
        for count in (50, 9000):
            self.sent.clear()
            times = [i * 0.01 + (0.003 if i % 3 else 0) for i in range(count)]
            path = self.recording("time_s,lvdt_mm\n" + "".join(f"{t!r},{i}\n" for i, t in enumerate(times)))
            self.run_with(self.identifier(), "identify", path)
            self.assertEqual(self.sent[0]["time_s"], times)
            self.assertNotIn("sample_rate_hz", self.sent[0])
            self.assertEqual(self.sent[0].get("time_stamped", False), count > 8192)

    def test_no_valid_result(self):
        path = self.recording("time_s,lvdt_mm\n0,1\n1,2\n2,3\n")
        self.run_with(self.identifier(("no_oscillation",)), "identify", path, status=NO_RESULT)
        text = self.run_with(self.identifier(()), "identify", path, status=NO_RESULT)
        self.assertIn("no decay found", text)

    def test_bad_files(self):
        bad = {"empty.csv": "", "hole.csv": "time_s,x_mm\n0,1\n1,\n2,3\n", "nan.csv": "time_s,x_mm\n0,1\n1,nan\n"}
        for name, text in bad.items():
            with self.subTest(name):
                path = self.recording(text, name)
                self.assertEqual(self.run_with(self.identifier(), "identify", path, status=USAGE), "")
                self.assertIn(name, self.errors)
                self.assertEqual(self.requests, [])
        self.run_with(self.identifier(), "identify", self.directory.name, status=USAGE)
        self.run_with(self.identifier(), "identify", "/nonexistent.csv", status=USAGE)

    def test_a_bad_file_does_not_keep_the_others_back(self):
        good = self.recording("time_s,lvdt_mm\n0,1\n1,2\n2,3\n")
        bad = self.recording("time_s,lvdt_mm\n0,1\n1,junk\n", "bad.csv")
        reply = json.loads(self.run_with(self.identifier(), "identify", bad, good, "--json", status=USAGE))
        self.assertEqual([entry["file"] for entry in reply["files"]], [good])

    def test_a_channel_that_is_not_there(self):
        path = self.recording("time_s,lvdt_mm\n0,1\n1,2\n2,3\n")
        self.run_with(self.identifier(), "identify", path, "--channel", "lvdr", status=USAGE)
        self.assertIn("lvdr", self.errors)

    def test_not_permitted(self):
        path = self.recording("time_s,lvdt_mm\n0,1\n1,2\n2,3\n")
        refused = daemon(identify=refuse(-32001, "not_permitted", "only members of group fricid may identify"))
        self.assertEqual(self.run_with(refused, "identify", path, status=NOT_PERMITTED), "")


class CommandLine(unittest.TestCase):
    def run_plain(self, *arguments):
        return subprocess.run([FRICIDCTL, *arguments], env=environment(FRICID_SOCKET="/nonexistent/socket"), text=True,
                              capture_output=True, timeout=PATIENCE, check=False)

    def test_usage(self):
        for arguments in ([], ["bake"], ["show"], ["show", "first"], ["show", "0"], ["show", "1", "2"],
                          ["status", "now"], ["--colour"], ["-x"], ["--timeout"], ["--timeout", "soon", "status"],
                          ["--timeout", "-1", "status"], ["--timeout", "nan", "status"], ["--timeout", "0,5", "status"],
                          ["--timeout", "1000001", "status"], ["identify", "--rate", "-1", "a.csv"],
                          ["identify", "--time-unit", "d", "a.csv"], ["results", "--rate", "1"],
                          ["status", "--whole"], ["results", "--limit", "0"], ["results", "--limit", "1e3"],
                          ["results", "--limit", "99999999999999999999"], ["watch", "--count", "0"], ["identify"],
                          ["--json=1", "status"], ["--socket", "/" + "x" * 200, "status"]):
            with self.subTest(arguments):
                done = self.run_plain(*arguments)
                self.assertEqual((done.returncode, done.stdout), (USAGE, ""), done.stderr)
                self.assertTrue(done.stderr.startswith("fricidctl: "), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_nobody_there(self):
        for arguments in (["status"], ["results"], ["show", "1"], ["watch"], ["version"]):
            done = self.run_plain(*arguments)
            self.assertEqual(done.returncode, NOT_REACHABLE)
            self.assertIn("no fricidd answers at /nonexistent/socket (No such file or directory)", done.stderr)
            self.assertIn("systemctl status fricidd", done.stderr)

    def test_the_option_counts_more_than_the_environment(self):
        self.assertIn("/elsewhere", self.run_plain("status", "--socket", "/elsewhere").stderr)
        self.assertIn("/elsewhere", self.run_plain("--socket=/elsewhere", "status").stderr)

    def test_help_and_version(self):
        self.assertRegex(self.run_plain("--version").stdout, r"\Africidctl \d+\.\d+\.\d+\n\Z")
        text = self.run_plain("--help").stdout
        for word in ("status", "results", "show", "watch", "identify", "version", "--json", "--socket", "--timeout"):
            self.assertIn(word, text)


if __name__ == "__main__":
    main()
