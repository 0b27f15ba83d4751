# SPDX-License-Identifier: GPL-3.0-or-later
"""The real fricidd on a socket of its own, and a client that speaks through a bare socket."""

import json
import os
import shlex
import socket
import subprocess
import tempfile
import time
from pathlib import Path

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
FRICIDD = os.environ.get("FRICIDD", str(SOURCE / "build" / "fricidd"))
LAUNCHER = shlex.split(os.environ.get("TEST_LAUNCHER", ""))
SLOWNESS = float(os.environ.get("TEST_SLOWNESS", "1"))
PATIENCE = 20 * SLOWNESS

SIMULATED = """
service: {{ socket = "{folder}/sock"; group = "no-such-group"; }};
rigs = (
    {{
        name = "bearing";
        source = {{ kind = "simulated"; real_time = false; duration_s = {duration_s}; seed = 7; }};
        channels = ( {{ name = "lvdt"; sensor = "lvdt"; }}, {{ name = "encoder"; sensor = "encoder"; }} );
        physical = {{ mass_kg = 1.92; stiffness_n_per_m = 2310.0; }};
    }}
);
"""

IDLE = """
service: {{ socket = "{folder}/sock"; }};
rigs = ();
"""


class Daemon:
    """fricidd with a configuration, as a context: it is stopped at the end, and must then have ended well."""

    def __init__(self, configuration=IDLE, **values):
        self.folder = tempfile.TemporaryDirectory(prefix="fricid-test-")
        self.path = self.folder.name + "/sock"
        self.configuration = Path(self.folder.name) / "fricid.conf"
        self.configuration.write_text(configuration.format(folder=self.folder.name, **values), encoding="utf-8")
        self.log = open(self.folder.name + "/log", "w+", encoding="utf-8")
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen([*LAUNCHER, FRICIDD, "--config", str(self.configuration)], stderr=self.log)
        deadline = time.monotonic() + PATIENCE
        while not os.path.exists(self.path):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError("fricidd did not start: " + self.messages())
            time.sleep(0.01)
        return self

    def messages(self):
        self.log.seek(0)
        return self.log.read()

    def __exit__(self, kind, *_):
        self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        messages = self.messages()
        self.log.close()
        self.folder.cleanup()
        if kind is None and status != 0:
            raise AssertionError(f"fricidd ended with {status}: {messages}")


class Client:
    """One connection. `sent` and `received` keep every line of it, parsed."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.sent, self.received, self.notifications = [], [], []
        self.number = 0
        self.hello = self.receive()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def send(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def receive(self):
        line = self.lines.readline()
        assert line.endswith(b"\n"), "the connection was closed"
        message = json.loads(line)
        self.received.append(message)
        return message

    def answer(self):
        """The next message that is not a notification; notifications before it are kept."""
        while True:
            message = self.receive()
            if isinstance(message, list) or "method" not in message:
                return message
            self.notifications.append(message)

    def notification(self, method):
        """The next notification of this method, those already kept first."""
        while True:
            message = self.notifications.pop(0) if self.notifications else self.receive()
            if message.get("method") == method:
                return message

    def ask(self, method, **params):
        self.number += 1
        request = {"jsonrpc": "2.0", "method": method, "params": params, "id": self.number}
        self.sent.append(request)
        self.send(json.dumps(request))
        answer = self.answer()
        assert answer["id"] == self.number, answer
        return answer

    def call(self, method, **params):
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def fail(self, method, **params):
        answer = self.ask(method, **params)
        assert "error" in answer, answer
        return answer["error"]
