# SPDX-License-Identifier: GPL-3.0-or-later
"""A server, and files, whose every string wants to be something else than text: nothing of it is obeyed.

Every command with every kind of output meets a server that puts the same string everywhere the protocol has one.
"""

import base64
import csv
import itertools
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import sample_replies as samples
from fake_fricidd import FakeFricidd, Refusal, line, notification
from fricid_harness import FRICIDD, Daemon, Decay, csv_text, drawn, offline, recording_rig, release, run_program
from run_tests import main
from schema_examples import example
from schemas import SCHEMAS
import test_fricidctl_fake as fake_tests  # not the class with its tests, which would run here again
from test_fricidctl_fake import FRICIDCTL, PATIENCE, environment

GNUPLOT = shutil.which("gnuplot")
TOUCH = "touch owned"

# Each wants something of somebody who reads it.
STRINGS = {
    "gnuplot, a line": f"mm\nsystem('{TOUCH}')\n#",
    "gnuplot, single quotes": f"'; system('{TOUCH}'); '",
    "gnuplot, many quotes": f"''''; system(\"{TOUCH}\"); ''''; system(\"{TOUCH}\"); '''",
    "gnuplot, backquotes": f"`{TOUCH}` '`{TOUCH}`' \"`{TOUCH}`\" \\",
    "shell": f"$({TOUCH}); {TOUCH} | {TOUCH} & '; {TOUCH}; ' \"; {TOUCH}; \"",
    "shell, other quotes": f"\u2018; {TOUCH}; \u2019; {TOUCH}; \u201c; {TOUCH}; \u201d",
    "terminal": "lvdt\x1b[2J\x1b]0;owned\x07\x9b31m\x9d0;owned\x9c\x7f\r\b\x00"[:-1],
    "direction": "lvdt\u202e\u2066\u200f\u061c\u2028\u2029\u0085\U000e0041\ufeff\ufffe",
    "formula": "=HYPERLINK(\"http://x\")",
    "formula, other beginnings": " @SUM(1+1)",
    "option": "-rf",
    "path": "../../../../../../../../../../tmp/owned",
    "hidden": "..",
    "lines of a recording": '",;\n#fricid {"recording":99}\n9,9\n0.5,1e9\n',
    "markup": "]]></text><script>x</script>&amp;<!--",
    "formats": "%s%n%1$s\\n\\033[2J{/=99 x}@owned_2^{3}",
    "long": "µ" * 2000,  # a whole result of them still fits into a line of the protocol
    "empty": "",
}

# What a person may find in a line of text.
NOT_PLAIN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\U000e0000-\U000e007f]")


def doubles(*values):
    return base64.b64encode(struct.pack(f"<{len(values)}d", *values)).decode()


def fnv1a(data):
    state = 0xcbf29ce484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001b3 % 2**64
    return f"{state:016x}"


class Hostile:
    """Methods and notifications with `text` in every string; with `words`, those of the protocol itself stay."""

    def __init__(self, text, words):
        self.text = text
        self.words = words

    def result(self, method, params):
        value = example(method + ".result", self.text, self.words)
        if not isinstance(value, dict):
            return value
        # What would make a client ask for ever.
        value |= {key: end for key, end in (("remaining", 0), ("surveying", False)) if key in value}
        change = getattr(self, method.replace(".", "_"), None)
        if change and (self.words or method in ("samples", "recorder.read")):
            change(value, params)
        return value

    @staticmethod
    def results_get(value, _):
        figures = {"f_n_hz": 2.0, "zeta": 0.03, "x_k": 0.01, "x0": 1.0, "bias": 0.0, "t0": 0.0}
        for key, figure in figures.items():
            value["fit"][key] = samples.estimate(figure, 1e-4)
        value["recommended"] = "fit"
        value["record"] |= {"start_s": 0.0, "end_s": 0.3}

    @staticmethod
    def recorder_find(value, _):
        rig = value["rigs"][0]
        rig["rings"][0] |= {"stamped": False, "from_row": 0, "next_row": 2}

    @staticmethod
    def recorder_read(value, params):
        if params.get("row", 0) > 0:  # no more
            value |= {"count": 0, "missed": 0, "flows": False, "displacement": [""], "flags": [""]}
            return
        value["run"] |= {"scan": 0, "origin_s": 0.0, "period_s": 0.5, "broken": [True], "lost": 0}
        value |= {"row": 0, "count": 2, "missed": 0, "flows": False, "displacement": [doubles(1.0, 2.0)],
                  "flags": [base64.b64encode(b"\1\0").decode()]}

    @staticmethod
    def samples(value, _):
        value |= {"offset": 0, "count": 4, "total": 4, "displacement": [1.0, -1.0, 0.5, -0.5], "time_s": None,
                  "flags": None, "start_s": 0.0, "period_s": 0.1}

    @staticmethod
    def backup_begin(value, _):
        value |= {"bytes": 3, "checksum": fnv1a(b"abc")}

    @staticmethod
    def backup_read(value, _):
        value |= {"data": base64.b64encode(b"abc").decode()}

    def notified(self, topic):
        message = example(topic, self.text, self.words)
        return line(message | {"jsonrpc": "2.0", "method": topic})

    def notifications(self):
        topics = ("notify.progress", "notify.event", "notify.dropped", "notify.result", "notify.result")
        return b"".join(map(self.notified, topics)) + 12 * self.notified("notify.signal")

    def greeting(self, **changes):
        hello = example("hello", self.text, self.words)["params"]
        return line(notification("hello", **(hello | {"protocol": {"major": 1, "minor": 1}} | changes)))

    def fake(self, **options):
        names = [name.removesuffix(".result.json") for name in SCHEMAS if name.endswith(".result.json")]
        methods = {name: lambda params, name=name: self.result(name, params) for name in names if not name.startswith("notify")}
        return FakeFricidd(methods, after={"subscribe": self.notifications()},
                           **({"greeting": self.greeting()} | options))

    def refusing(self):
        """A server that refuses everything."""
        def refuse(_):
            raise Refusal(-32002, self.text, self.text, **{self.text: self.text})
        fake = self.fake()
        fake.methods = {name: refuse for name in fake.methods}
        return fake


def commands(text, directory):
    """Every command; RECORDING stands there already."""
    filters = ("--rig", text, "--channel", text, "--verdict", text, "--where", f"id={text or 1}")
    return (
        ("status",), ("results",), ("results", *filters, "--sort", text, "--ascending", "--limit", "2", "--before", "9"),
        ("results", "--cursor", text), ("show", "1"), ("show", "1", "--intervals"), ("plot", "1", "-o", "-"),
        ("plot", "1", "-o", "picture.gp", "--force"), ("watch", "--count", "2"), ("watch", "--from-seq", "1", "--count", "1"),
        ("identify", "recording.csv"), ("identify", "--whole", "recording.csv"), ("identify", "long.csv"),
        ("record", "--last", "1s"), ("record", "--last", "1s", "-o", "-"), ("record", "--for", "1s", "-o", "x.csv", "--force"),
        ("record", "--last", "1s", "--channel", text, "-o", "y.csv", "--force"), ("devices",), ("scope", "--count", "2"),
        ("scope", "--count", "1", "--rig", text, text), ("calibrate", text), ("calibrate", text, "--rig", text, "--degree", "1"),
        ("zero", text), ("zero", "--rig", text, text), ("reidentify",), ("reidentify", "--check", *filters), ("protect", "1"),
        ("unprotect", "1"), ("backup", "copy.db", "--force"), ("metrics",), ("doctor",), ("version",),
        ("run", "1"), ("config",), ("config", text),
    )


class HostileDecay(Hostile):
    """Of which there is a picture."""

    def result(self, method, params):
        value = super().result(method, params)
        return value | {"kind": "free_decay"} if method == "results.get" else value


class HostileRingDown(Hostile):
    """The other kind of which there is one; its amplitudes are in a unit that anybody may have written into a file."""

    def result(self, method, params):
        if method != "results.get":
            return super().result(method, params)
        value = example("ring_down", self.text, self.words) | {"kind": "ring_down"}
        point = value["ring_down"]["modes"][0]["backbone"][0]
        value["ring_down"]["modes"][0]["backbone"] = [point | {"amplitude": 1e-3}, point | {"amplitude": 1e-4}]
        return value


class HostileServer(unittest.TestCase):
    def setUp(self):
        self.outside = Path(tempfile.mkdtemp(prefix="fricid-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.outside)
        self.place = self.outside / "place"
        self.place.mkdir()
        rows = "".join(f"{i * 0.001:.3f},{i % 7}\n" for i in range(9000))
        (self.place / "long.csv").write_text("time_s,lvdt_mm\n" + rows, encoding="utf-8")
        (self.place / "recording.csv").write_text("time_s,lvdt_mm\n" + "".join(rows.splitlines(True)[:50]), encoding="utf-8")

    def run_client(self, fake, *arguments, **changes):
        done = subprocess.run([FRICIDCTL, *arguments], cwd=self.place, capture_output=True, timeout=PATIENCE, check=False,
                              input=b"1 mm\n2\n3\n\n" if "calibrate" in arguments else b"",
                              env=environment(FRICID_SOCKET=fake.path, **changes))
        self.assertGreaterEqual(done.returncode, 0)
        return done

    def assert_nothing_happened(self):
        """No file but those that were asked for, by names that hold no surprise."""
        self.assertEqual(os.listdir(self.outside), ["place"])
        self.assertFalse(Path("/tmp/owned").exists())
        for name in os.listdir(self.place):
            self.assertRegex(name, r"\A[A-Za-z0-9_][A-Za-z0-9._-]*\Z")
            self.assertNotRegex(name, r"\Aowned")

    def assert_plain(self, done):
        for stream in (done.stdout, done.stderr):
            self.assertNotRegex(stream.decode(), NOT_PLAIN)

    def assert_recording(self, text):
        """Rows of two numbers behind a head, and nothing between them but marks."""
        rows = [row for row in text.splitlines() if not row.startswith("#")]
        for mark in text.splitlines():
            if mark.startswith("#fricid "):
                json.loads(mark.removeprefix("#fricid "))
        head, *rows = csv.reader(rows, strict=True)
        self.assertEqual((head[0], len(head)), ("time_s", 2))
        self.assertNotRegex(head[1], r"\A\s*[=+@-]")
        self.assertEqual([[float(cell) for cell in row] for row in rows], [[0.0, 1.0], [0.5, 2.0]])

    def assert_understood(self, done, arguments, as_json):
        """What a program reads of it is what was meant."""
        text = done.stdout.decode()
        if arguments[0] == "record" and arguments[-1] == "-":
            self.assert_recording(text)
        elif arguments[0] == "plot" and arguments[-1] == "-":
            self.assertTrue(text.startswith("# Decay 1."), text[:100])
        elif as_json:
            for each in text.splitlines():
                json.loads(each)
        elif arguments[0] == "metrics":
            for each in text.splitlines():
                self.assertTrue(each.startswith("# ") or fake_tests.Metrics.SAMPLE.fullmatch(each), each)
        elif arguments[0] == "calibrate" and done.returncode == 0:
            for each in text.splitlines():
                self.assertRegex(each, r'\A(#.*|\w+ = ([-\d.e]+|\[[-\d., e]+\]|"([^"\\]|\\.)*");)\Z')

    def meet(self, fake, text, **changes):
        """All commands against one server."""
        with fake:
            for arguments, option in itertools.product(commands(text, self.place), ((), ("--json",))):
                with self.subTest(arguments=arguments, option=option, **changes):
                    done = self.run_client(fake, *option, *arguments, **changes)
                    self.assert_plain(done)
                    self.assert_understood(done, arguments, bool(option))
                    self.assert_nothing_happened()

    def test_every_command(self):
        for name, text in drawn(STRINGS.items()):
            with self.subTest(string=name):
                self.meet(Hostile(text, True).fake(), text)
                for path in self.place.glob("*Z.csv"):
                    self.assert_recording(path.read_text(encoding="utf-8"))
                    path.unlink()

    def test_words_of_the_protocol(self):
        """Not even those that the protocol chooses are what it says."""
        for name in drawn(("gnuplot, a line", "terminal", "shell", "lines of a recording")):
            with self.subTest(string=name), Hostile(STRINGS[name], False).fake() as fake:
                for arguments, option in itertools.product(commands(STRINGS[name], self.place), ((), ("--json",))):
                    with self.subTest(arguments=arguments, option=option):
                        self.assert_plain(self.run_client(fake, *option, *arguments))
                        self.assert_nothing_happened()

    def test_where_the_locale_is_ascii(self):
        for name in drawn(("shell, other quotes", "terminal", "direction")):
            with self.subTest(string=name), Hostile(STRINGS[name], True).fake() as fake:
                for arguments in commands(STRINGS[name], self.place):
                    with self.subTest(arguments=arguments):
                        done = self.run_client(fake, *arguments, LC_ALL="C")
                        self.assert_plain(done)
                        self.assert_nothing_happened()

    def test_refusals(self):
        for name, text in drawn(STRINGS.items()):
            with self.subTest(string=name), Hostile(text, True).refusing() as fake:
                for arguments in commands(text, self.place):
                    done = self.run_client(fake, *arguments)
                    self.assert_plain(done)
                    self.assert_nothing_happened()

    def test_greetings(self):
        hostile = Hostile(STRINGS["terminal"], True)
        for greeting in (hostile.greeting(protocol={"major": 9, "minor": 9}), b"\x1b[2J\xc2\x9b\xff\n", b"{\"\x9b\":1}\n",
                         line({"jsonrpc": "2.0", "method": hostile.text, "params": {}}), line([hostile.text])):
            with hostile.fake(greeting=greeting) as fake:
                self.assert_plain(self.run_client(fake, "status"))

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_gnuplot(self):
        """gnuplot itself draws the text, and runs nothing."""
        for (name, text), words, option, kind in drawn(itertools.product(
                STRINGS.items(), (True, False), ((), ("--json",)), (HostileDecay, HostileRingDown))):
            with self.subTest(string=name, words=words, option=option, kind=kind), kind(text, words).fake() as fake:
                done = self.run_client(fake, *option, "plot", "1", "--force", "-o", "a.svg")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assert_nothing_happened()
                xml.etree.ElementTree.parse(self.place / "a.svg")
                script = self.run_client(fake, *option, "plot", "1", "-o", "-").stdout
                picture = subprocess.run([GNUPLOT, "--default-settings"], input=b"set terminal svg\n" + script,
                                       capture_output=True, cwd=self.place, timeout=PATIENCE, check=False)
                self.assertEqual(picture.returncode, 0, picture.stderr)
                self.assert_nothing_happened()

    def test_commands_to_copy(self):
        """What the doctor says to type names a file, whatever that is called."""
        path = self.place / f"x'; {TOUCH}; '"
        path.write_text("other", encoding="utf-8")
        hostile = Hostile("x", True)
        with hostile.fake() as fake:
            fake.methods["config"] = lambda _: {"config_id": "x", "path": str(path), "text": "text", "reason": None}
            text = self.run_client(fake, "doctor").stdout.decode()
        (command,) = re.findall(r"-> (fricidd --check-config .*), then:", text)
        self.assertEqual(shlex.split(command), ["fricidd", "--check-config", "--config", str(path)])

    def test_a_pipe_is_no_configuration(self):
        os.mkfifo(self.place / "pipe")
        with Hostile("x", True).fake() as fake:
            fake.methods["config"] = lambda _: {"config_id": "x", "path": str(self.place / "pipe"), "text": "x", "reason": None}
            self.run_client(fake, "doctor")


class HostileFiles(unittest.TestCase):
    """Names out of recordings and configurations in what the daemon itself says."""

    NAME = "lvdt\u009b31m\u202e"

    def recording(self, directory):
        times, values = release(Decay())
        path = Path(directory) / "run.csv"
        path.write_text(csv_text(times, values, header=f"time_s,{self.NAME}_mm"), encoding="utf-8")
        return path

    def test_offline(self):
        with tempfile.TemporaryDirectory(prefix="fricid-") as directory:
            path = self.recording(directory)
            good = offline(path)
            self.assertEqual(json.loads(good.stdout)["channel"], self.NAME)
            path.write_text(f"time_s,{self.NAME}_mm\n0,x\x9b\n", encoding="utf-8")
            named = Path(directory) / "\x1b[2J\u009b.csv"
            named.write_text(f"time_s,{self.NAME}_mm\n0,1\n1,1\n2,1\n", encoding="utf-8")
            configuration = Path(directory) / "\x1b[2J\u009b.conf"
            configuration.write_text("rigs = ();\n", encoding="utf-8")
            checked = run_program(FRICIDD, "--check-config", "--config", configuration)
            self.assertEqual(checked.returncode, 0, checked.stderr)
            refused = run_program(FRICIDD, "--\x1b[2J\u009b")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("is no option", refused.stderr)
            for done in (good, offline(path), offline(named), offline(Path(directory) / "not\u009bthere.csv"), checked,
                         refused):
                self.assertNotRegex(done.stdout + done.stderr, NOT_PLAIN)

    def test_the_daemon_says(self):
        """A row is bad, and which value is said with the name of its channel."""
        with tempfile.TemporaryDirectory(prefix="fricid-") as directory:
            path = self.recording(directory)
            with open(path, "a", encoding="utf-8") as file:
                file.write("99,\u009b\n")
            with Daemon(recording_rig(path)) as daemon:
                deadline = time.monotonic() + PATIENCE
                while "is not a number" not in daemon.errors() and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertRegex(daemon.errors(), "the value of lvdt.*is not a number")
                self.assertNotRegex(daemon.errors(), NOT_PLAIN)

    def test_mistakes_in_a_configuration(self):
        with tempfile.TemporaryDirectory(prefix="fricid-") as directory:
            path = Path(directory) / "a\u009b.conf"
            path.write_text(f'service = {{ {"x" * 3} = "{self.NAME}"; socket_mode = "{self.NAME}"; }};\n', encoding="utf-8")
            done = run_program(FRICIDD, "--check-config", "--config", path)
            self.assertEqual(done.returncode, 2)
            self.assertNotRegex(done.stdout + done.stderr, NOT_PLAIN)


if __name__ == "__main__":
    main()
