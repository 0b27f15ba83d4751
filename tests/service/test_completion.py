# SPDX-License-Identifier: GPL-3.0-or-later
"""What bash and zsh offer behind fricidctl and fricidd when Tab is pressed."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import sample_replies as samples
from fake_fricidd import FakeFricidd
from run_tests import main

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
COMMANDS = ["status", "results", "show", "run", "plot", "report", "export", "watch", "monitor", "identify", "simulate",
            "record", "devices", "scope", "calibrate", "zero", "reidentify", "protect", "unprotect", "backup",
            "repair", "metrics", "doctor", "config", "version"]
FRICIDCTL = os.environ.get("FRICIDCTL", str(SOURCE / "build" / "fricidctl"))
BUILT = Path(FRICIDCTL).parent
SLOWNESS = float(os.environ.get("TEST_SLOWNESS", "1"))

SCRIPT = """
set -u
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
"_$1" || true
printf '%s\\n' "${COMPREPLY[@]}"
"""


def search_path():
    """Where the shell finds the fricidctl that is tested: it is asked what it knows."""
    return str(Path(FRICIDCTL).resolve().parent) + ":" + os.environ["PATH"]


def offered(*words, directory="/", **changes):
    script = SOURCE / "etc" / "bash-completion" / words[0]
    done = subprocess.run(["bash", "-c", SCRIPT, "bash", str(script), *words], capture_output=True, text=True,
                          cwd=directory, check=True, timeout=60, env=os.environ | {"PATH": search_path()} | changes)
    assert not done.stderr, done.stderr
    return set(done.stdout.split())


def known(*words, **changes):
    """What is offered of what the daemon knows. Who presses Tab is kept waiting for a second at most: where nothing is
    offered, since the computer did something else, Tab is pressed again."""
    for _ in range(10):
        found = offered(*words, **changes)
        if found:
            break
    return found


def schema(name):
    return json.loads((BUILT / "proto" / "schema" / f"{name}.json").read_text(encoding="utf-8"))


def parameters(method):
    """What the daemon says that a method may be given."""
    return next(shape for shape in schema(f"{method}.params")["anyOf"] if shape["type"] == "object")["properties"]


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(offered("fricidctl", ""), set(COMMANDS))
        self.assertEqual(offered("fricidctl", "--json", "s"), {"status", "show", "simulate", "scope"})

    def test_options_of_a_command(self):
        self.assertEqual(offered("fricidctl", "show", "--i"), {"--intervals"})
        self.assertIn("--limit", offered("fricidctl", "results", "--rig", "bearing", "--"))
        self.assertNotIn("--whole", offered("fricidctl", "status", "--"))
        self.assertEqual(offered("fricidctl", "results", "--limit", ""), set())
        self.assertEqual(offered("fricidctl", "identify", "--time-unit", ""),
                         {"s", "ms", "us", "ns", "min", "h", "\u00b5s"})

    def test_what_can_be_asked_for(self):
        """Whatever the daemon lets decays be picked by, where no option stands for it."""
        keys = {f"{key}=" for key in parameters("reidentify")} - {"rig=", "channel=", "verdict=", "check="}
        for command in ("results", "reidentify"):
            self.assertEqual(offered("fricidctl", command, "--where", ""), keys)
        self.assertIn("zeta_min=", offered("fricidctl", "results", "--where", "z"))
        self.assertEqual(offered("fricidctl", "reidentify", "--where", "source"), {"source_kind="})

    def test_every_option_that_the_help_names(self):
        text = subprocess.run([FRICIDCTL, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
        # The options stand behind the commands, and other words, which may begin a line too, behind them.
        commands = re.findall(r"^  ([a-z]+)(.*)$", text.split("\n  --")[0], re.MULTILINE)
        self.assertEqual([name for name, _ in commands], COMMANDS)
        for name, arguments in commands:
            self.assertLessEqual(set(re.findall(r"--[a-z-]+", arguments)), offered("fricidctl", name, "--"))
        self.assertLessEqual({"--json", "--socket", "--timeout", "--help"}, offered("fricidctl", "--"))

    def test_values(self):
        """Those that are always the same need no daemon."""
        definitions = schema("definitions")["$defs"]
        for command in ("results", "reidentify"):
            self.assertEqual(offered("fricidctl", command, "--verdict", ""), set(definitions["verdict"]["enum"]))
        self.assertEqual(offered("fricidctl", "results", "--verdict", "o"), {"ok", "out_of_phase"})
        self.assertEqual(offered("fricidctl", "results", "--sort", ""), set(parameters("results.list")["sort"]["enum"]))

    def test_help_on_a_command(self):
        """It names what the list of all commands names, and what completion offers."""
        general = offered("fricidctl", "--")
        for name in COMMANDS:
            text = subprocess.run([FRICIDCTL, name, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
            self.assertTrue(text.startswith(f"usage: fricidctl [OPTION...] {name}"), text)
            self.assertEqual(set(re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE)) | general, offered("fricidctl", name, "--"))

    def test_what_the_daemon_knows(self):
        rigs = [samples.rig("bearing"), samples.rig("bench")]
        methods = {"status": lambda _: samples.status(*rigs),
                   "results.list": lambda _: {"results": [samples.summary(number) | {"run_id": run}
                                                          for number, run in ((7, 3), (12, 5), (13, 5))]}}
        with FakeFricidd(methods) as fake:
            socket = {"FRICID_SOCKET": fake.path}
            self.assertEqual(known("fricidctl", "results", "--rig", "b", **socket), {"bearing", "bench"})
            self.assertEqual(known("fricidctl", "record", "bea", **socket), {"bearing"})
            self.assertEqual(known("fricidctl", "scope", "", **socket), {"lvdt", "encoder"})
            self.assertEqual(known("fricidctl", "results", "--channel", "=", "l", **socket), {"lvdt"})
            self.assertEqual(known("fricidctl", "show", "", **socket), {"7", "12", "13"})
            self.assertEqual(known("fricidctl", "run", "", **socket), {"3", "5"})
            self.assertEqual(known("fricidctl", "config", "", **socket), {samples.summary()["config_id"]})
            self.assertEqual(known("fricidctl", "protect", "7", "1", **socket), {"12", "13"})
            self.assertEqual(known("fricidctl", "--socket", fake.path, "show", "1"), {"12", "13"})
        self.assertEqual(offered("fricidctl", "show", "", **socket), set())

    def test_names_that_a_shell_would_obey(self):
        """They are not offered: what is offered stands on the command line as it is."""
        names = ["a\nb", "$(touch owned)", "`touch owned`", "a b", "-rf", "--force", "a;b", "a'b", 'a"b', "a\x1b[2J",
                 "a\u009b", "\u202ea", "=a", "~", "a*", "", "a\\b", "a\tb", "good", "k\u00f6rper"]
        channels = [samples.channel(name) for name in names]
        rigs = [samples.rig(name) | {"channels": channels} for name in names]
        with tempfile.TemporaryDirectory() as directory, FakeFricidd({"status": lambda _: samples.status(*rigs)}) as fake:
            for words in (("results", "--rig", ""), ("scope", ""), ("zero", "--rig", "-"), ("record", "$")):
                ask = known if words[-1] == "" else offered
                found = ask("fricidctl", *words, directory=directory, FRICID_SOCKET=fake.path, LC_ALL="C.UTF-8")
                self.assertLessEqual(found, {"good", "k\u00f6rper"})
                if words[-1] == "":
                    self.assertEqual(found, {"good", "k\u00f6rper"})
            self.assertEqual(os.listdir(directory), [])

    def test_files(self):
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "monday.csv").touch()
            self.assertEqual(offered("fricidctl", "identify", "mon", directory=directory), {"monday.csv"})
            self.assertEqual(offered("fricidd", "--offline", "mon", directory=directory), {"monday.csv"})
            self.assertEqual(offered("fricidctl", "--socket", "mon", directory=directory), {"monday.csv"})

    def test_daemon(self):
        self.assertEqual(offered("fricidd", "--c"), {"--config", "--check-config", "--columns", "--calibration"})
        page = re.findall(r"^\.It Fl Fl ([a-z-]+)", (SOURCE / "daemon" / "fricidd.8").read_text(encoding="utf-8"),
                          re.MULTILINE)
        self.assertEqual(offered("fricidd", "--"), {f"--{name}" for name in page})


class Shell:
    """An interactive shell on a terminal of its own; what it shows is what a user would see."""

    def __init__(self, *command, directory, socket):
        self.process_id, self.terminal = pty.fork()
        if self.process_id == 0:
            os.chdir(directory)
            environment = {"PATH": search_path(), "TERM": "xterm", "HOME": directory, "PS1": "", "LC_ALL": "C.UTF-8",
                           "FRICID_SOCKET": socket}
            os.execvpe(command[0], command, environment)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        os.close(self.terminal)
        os.waitpid(self.process_id, 0)

    def type(self, keys, until, again="", patience=90.0 * SLOWNESS):
        """Presses keys and returns what is shown, as soon as it matches; `again`: pressed every few seconds until then."""
        os.write(self.terminal, keys.encode())
        shown, end = "", time.monotonic() + patience
        while not re.search(until, shown):
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"after {keys!r}, {until!r} was expected, not {shown!r}")
            if not select.select([self.terminal], [], [], min(left, 5.0 * SLOWNESS))[0]:
                os.write(self.terminal, again.encode())
                continue
            shown += os.read(self.terminal, 65536).decode(errors="replace")
            shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|[\r\x07]", "", shown)
            shown = re.sub(r"[^\x08]\x08", "", shown)
        return shown


class AtTheKeyboard(unittest.TestCase):
    """The same through real shells: a letter or two, and Tab."""

    METHODS = {"status": lambda _: samples.status(samples.rig())}

    def complete(self, shell):
        shell.type("fricidctl sta\t", r"fricidctl status ")
        shell.type("\x15fricidctl res\t--lim\t", r"results .*--limit ")
        shell.type("\x15fricidctl me\t\x01\x05", r"metrics ")
        shell.type("\x15fricidctl identify mon\t", r"monday\.csv")
        shell.type("\x15fricidd --off\tmon\t", r"--offline monday\.csv")
        shell.type("\x15fricidctl results --verdict not_one\t", r"--verdict not_one_decay ")
        # The daemon is asked, for a second.
        shell.type("\x15fricidctl results --rig bea\t", r"--rig bearing ", again="\t")
        shell.type("\x15fricidctl results --where zeta_mi\t", r"--where zeta_min=$")
        # The list comes line by line: it is all there when every command has been seen.
        shell.type("\x15fricidctl \t\t", "(?s)" + "".join(rf"(?=.*\b{command}\b)" for command in COMMANDS))

    def test_bash(self):
        with tempfile.TemporaryDirectory() as directory, FakeFricidd(self.METHODS) as fake:
            Path(directory, "monday.csv").touch()
            with Shell("bash", "--norc", "--noprofile", "-i", directory=directory, socket=fake.path) as shell:
                folder = SOURCE / "etc" / "bash-completion"
                shell.type(f". '{folder}/fricidctl'; . '{folder}/fricidd'; echo rea''dy\n", "\nready")
                self.complete(shell)

    @unittest.skipUnless(shutil.which("zsh"), "SKIP: zsh is not installed")
    def test_zsh(self):
        with tempfile.TemporaryDirectory() as directory, FakeFricidd(self.METHODS) as fake:
            Path(directory, "monday.csv").touch()
            with Shell("zsh", "-f", "-i", directory=directory, socket=fake.path) as shell:
                folder = SOURCE / "etc" / "zsh-completion"
                shell.type(f"unsetopt zle_bracketed_paste; bindkey -e; fpath=('{folder}' $fpath); autoload -Uz compinit; "
                           "compinit -u -D; echo rea''dy\n", "\nready")
                self.complete(shell)


if __name__ == "__main__":
    main()
