# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that says what a test wants fricidctl to hear: right answers, old ones, and wrong ones.

It knows nothing of fricid but the envelope of the protocol, and does as it is told.
"""

import json
import shutil
import socket
import tempfile
import threading
from pathlib import Path

HELLO = {
    "server": "fricidd",
    "version": "0.1.0",
    "protocol": {"major": 1, "minor": 0},
    "history_id": "h1",
    "started_at": "2026-11-21T07:00:00.000000Z",
}


class Refusal(Exception):
    """What a method raises to answer with an error."""

    def __init__(self, code, name, message, **data):
        super().__init__(message)
        self.error = {"code": code, "message": message, "data": {"name": name, **data}}


def notification(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def line(message):
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class FakeFricidd:
    """Listens on a socket of its own. `methods`: name to function of the parameters, which returns the result.

    `greeting`: bytes sent on connect, None for silence. `after`: bytes sent behind the answer of a method, by name.
    `closes`: hangs up after the greeting. `requests`: what was asked.
    """

    def __init__(self, methods=None, greeting=line(notification("hello", **HELLO)), after=None, closes=False):
        self.methods = methods or {}
        self.greeting = greeting
        self.after = after or {}
        self.closes = closes
        self.requests = []
        self.gone = threading.Event()
        self.directory = Path(tempfile.mkdtemp(prefix="fricid-", dir="/tmp"))
        self.path = str(self.directory / "socket")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(self.path)
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()
        shutil.rmtree(self.directory)

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                try:
                    self.talk(client)
                except (BrokenPipeError, ConnectionResetError):
                    pass
            self.gone.set()

    def talk(self, client):
        if self.greeting:
            client.sendall(self.greeting)
        if self.closes:
            return
        for text in client.makefile("rb"):
            request = json.loads(text)
            self.requests.append(request)
            answer = self.answer(request)
            client.sendall(answer if isinstance(answer, bytes) else line(answer))
            client.sendall(self.after.get(request["method"], b""))

    def answer(self, request):
        method = self.methods.get(request["method"])
        envelope = {"jsonrpc": "2.0", "id": request["id"]}
        if method is None:
            return envelope | {"error": {"code": -32601, "message": "no such method", "data": {}}}
        try:
            result = method(request.get("params", {}))
        except Refusal as refusal:
            return envelope | {"error": refusal.error}
        return result if isinstance(result, bytes) else envelope | {"result": result}
