#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: ask_again.py SOCKET < IDS: what a daemon answers when asked for each of these results, an answer a line. Before,
it waits until all decays in the store are identified."""

import json
import socket
import sys
import time


def ask(lines, method, **parameters):
    """The line that answers a request."""
    lines.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, "id": 1}) + "\n")
    lines.flush()
    return lines.readline()


with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    lines = connection.makefile("rw", encoding="utf-8")
    lines.readline()  # its hello
    while (store := json.loads(ask(lines, "status"))["result"]["store"])["results"] < store["decays"]:
        time.sleep(0.2)
    for line in sys.stdin:
        print(ask(lines, "results.get", id=int(line)), end="")
