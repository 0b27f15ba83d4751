# SPDX-License-Identifier: GPL-3.0-or-later
"""Records a session with the real daemon on standard output, for test_protocol.py to replay with later versions.

A file that was recorded is never recorded anew: it stands for clients that are out there. A new minor version of the
protocol adds a file of its own."""

import json

from fricid_harness import Daemon, simulated_rig
from test_protocol import exercise, exercise_of_1_1, exercise_of_1_2, exercise_of_1_3


def main():
    with Daemon(simulated_rig(duration_s=120)) as daemon:
        record(daemon)


def record(daemon):
    """Of a rig that has ended: a client reads too slowly for one on a virtual clock."""
    daemon.wait_until_ended()
    with daemon.client() as client:
        exercise(client)
        exercise_of_1_1(client)
        exercise_of_1_2(client)
        exercise_of_1_3(client)
        answers = {message["id"]: message for message, _ in client.received if "method" not in message}
        version = client.hello["params"]["protocol"]
        print(f"# A session of protocol {version['major']}.{version['minor']}, recorded with fricidd "
              f"{client.hello['params']['version']}: what a client sent and what it received.")
        steps = [{"received": client.hello}]
        steps += [{"sent": request, "received": answers[request["id"]]} for request in client.sent]
        for step in steps:
            print(json.dumps(step, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
