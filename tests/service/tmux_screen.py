# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal of any size to run a program in: tmux with a server of its own."""

import os
import re
import shutil
import subprocess
import time

from fricid_harness import PATIENCE_S, ScratchDirectory, seconds


class Screen:
    """A program in a terminal of so many columns and rows; the shell that started it says its exit status behind it.

    What stood on the screen before is the line "before"; what the settings of the terminal were, and are after the end of
    the program, stands in files.
    """

    def __init__(self, *command, columns=80, rows=24, **environment):
        self.scratch = ScratchDirectory()
        self.socket = str(self.scratch.path / "tmux")
        self.command = command
        self.size = (columns, rows)
        # A search for leaks at a program's end waits for ever where its terminal goes away meanwhile.
        sanitizer = f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"
        self.environment = {"LC_ALL": "C.UTF-8", "ASAN_OPTIONS": sanitizer} | environment

    def __enter__(self):
        columns, rows = self.size
        # The shell outlives what ends the program.
        script = ('trap : INT; stty -a >"$0/settings-before"; echo before; "$@"; echo "status $?";'
                  ' stty -a >"$0/settings-after"; exec sleep 1000')
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        self.tmux("new-session", "-d", "-x", columns, "-y", rows, "env", *settings, "sh", "-c", script, self.scratch.path,
                  *self.command)
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, capture_output=True)
        self.scratch.remove()

    def tmux(self, *arguments):
        environment = os.environ | {"LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}
        done = subprocess.run(["tmux", "-u", "-f", "/dev/null", "-S", self.socket, *map(str, arguments)], check=True,
                              capture_output=True, env=environment, timeout=seconds(PATIENCE_S))
        return done.stdout.decode()

    def text(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def lines(self):
        return self.text().splitlines()

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def press_until(self, key, pattern):
        """As often as it takes to show this: how many results there are by then is the machine's affair."""
        deadline = time.monotonic() + seconds(PATIENCE_S)
        while not re.search(pattern, self.text(), re.MULTILINE):
            if time.monotonic() > deadline:
                raise AssertionError(f"pressed {key} for {pattern}:\n{self.text()}")
            self.press(key)
            time.sleep(0.2)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def wait_for(self, *patterns, without=(), options=()):
        """The screen, as soon as it shows all of these regular expressions and none of the others."""
        deadline = time.monotonic() + seconds(PATIENCE_S)
        while True:
            text = self.text(*options)
            if all(re.search(each, text, re.MULTILINE) for each in patterns) and not any(
                    re.search(each, text, re.MULTILINE) for each in without):
                return text
            if time.monotonic() > deadline:
                raise AssertionError(f"waited for {patterns} without {without}:\n{text}")
            time.sleep(0.05)

    def wait_for_the_end(self, status=0):
        """What the screen shows when the program has ended; its settings are those from before."""
        text = self.wait_for(f"^status {status}$")
        deadline = time.monotonic() + seconds(PATIENCE_S)
        after = self.scratch.path / "settings-after"
        while (not after.exists() or not after.read_text(encoding="utf-8").endswith("\n")) and time.monotonic() < deadline:
            time.sleep(0.02)
        before = (self.scratch.path / "settings-before").read_text(encoding="utf-8")
        assert after.read_text(encoding="utf-8") == before, after.read_text(encoding="utf-8")
        return text

    @staticmethod
    def is_there():
        return shutil.which("tmux") is not None
