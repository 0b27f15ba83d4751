# SPDX-License-Identifier: GPL-3.0-or-later
"""What the end-to-end tests share: a daemon in a directory of its own, a hand-written client, closed-form decays.

The client is written against the protocol's text and shares no code with fricidctl; every message that the daemon
sends to it is held against proto/schema.
"""

import contextlib
import json
import math
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from schemas import complaints, schema_of

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
FRICIDD = os.environ.get("FRICIDD", str(SOURCE / "build" / "fricidd"))
FRICID_REPAIR = str(Path(FRICIDD).with_name("fricid-repair"))
FRICIDCTL = os.environ.get("FRICIDCTL", str(SOURCE / "build" / "fricidctl"))
WITHOUT_LADDER = SOURCE / "tests" / "service" / "without_ladder.conf"
EXAMPLE_RECORDING = SOURCE / "tests" / "data" / "bearing_three_releases.csv"

# How many times slower the programs are than usual (sanitizers).
SLOWNESS = float(os.environ.get("TEST_SLOWNESS", "1"))
SANITIZER_REPORTS = ("Sanitizer", "runtime error:")


# A wait for something that must come, s. Another test's writing can hold a disk for long: no verdict hangs on how long.
PATIENCE_S = 90.0
# How often a daemon is looked at that is about to end.
LOOK_S = 0.01


def seconds(usual):
    """A time limit that also holds under a sanitizer on a loaded machine."""
    return usual * SLOWNESS


# A test that tries one thing with many cases may try one in so many, others in every run: see tests/unit/thinning.h.
THINNING = int(os.environ.get("TEST_THINNING", "1"))


def rounds(usual):
    """How often something is tried that chance makes another thing each time."""
    return max(1, usual // THINNING)


# What this run draws; FRICID_SEED draws the same again.
SEED = os.environ.get("FRICID_SEED") or str(random.SystemRandom().randrange(1 << 30))


def drawn(cases):
    """Those of the cases that this run tries."""
    cases = list(cases)
    if THINNING == 1:
        return cases
    print(f"{rounds(len(cases))} of {len(cases)} cases, FRICID_SEED={SEED}")
    return random.Random(SEED).sample(cases, rounds(len(cases)))


def drawn_if_slow(cases):
    """Those that this run tries of cases of which each starts a program, which takes long under a sanitizer alone."""
    return drawn(cases) if SLOWNESS > 1 else list(cases)


# Of its own: which programs are looked at hangs on the order of their starts alone.
LOOKS_FOR_LEAKS = random.Random(SEED)


def options_of_sanitizer():
    """The environment of the next program that comes to an end by itself. With TEST_THINNING = n, AddressSanitizer looks
    for leaks at the end of one in n, others in every run: it takes as long as such a program's start. Daemons that answer
    and unit tests are all looked at."""
    given = os.environ.get("ASAN_OPTIONS")
    if not given or LOOKS_FOR_LEAKS.randrange(THINNING) == 0:
        return {}
    return {"ASAN_OPTIONS": given + ":detect_leaks=0"}


def configuration_text(socket_path, rigs="", service="", store=""):
    """A configuration file; `rigs`, `service` and `store` are what stands inside these settings. Decays have one answer
    each, without the ladder of models, and as long for it as a sanitizer takes, unless `service` says otherwise."""
    service += "" if "ladder_deadline_s" in service else " ladder_deadline_s = 0;"
    service += "" if "job_deadline_s" in service else f" job_deadline_s = {seconds(60)};"
    return (
        f'service = {{ socket = "{socket_path}"; {service} }};\n'
        f'store = {{ directory = "{socket_path}.store"; {store} }};\nrigs = (\n{rigs}\n);\n'
    )


def simulated_rig(seed=1, real_time=False, duration_s=60.0, source="", channels="", name="bearing"):
    """The default carriage on its bearings, on both sensors; a virtual clock unless `real_time`."""
    channels = channels or '{ name = "lvdt"; sensor = "lvdt"; }, { name = "encoder"; sensor = "encoder"; }'
    clock = "true" if real_time else "false"
    return f"""{{ name = "{name}";
  source = {{ kind = "simulated"; seed = {seed}; real_time = {clock}; duration_s = {float(duration_s)}; {source} }};
  channels = ( {channels} );
  physical = {{ mass_kg = 1.92; stiffness_n_per_m = 2310.0; }}; }}"""


def recording_rig(path, name="bench", keys=""):
    """A recording, as fast as it goes, every column a channel; `keys` are more of its source's."""
    return f'{{ name = "{name}"; source = {{ kind = "recording"; file = "{path}"; real_time = false; {keys} }}; }}'


class ScratchDirectory:
    """A directory that goes away again, with a path short enough for a socket in it."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="fricid-"))
        if len(str(self.path)) > 80:
            self.path.rmdir()
            self.path = Path(tempfile.mkdtemp(prefix="fricid-", dir="/tmp"))

    def write(self, name, content):
        path = self.path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Waiting:
    """How long a thread has been ready to run while the computer did something else, s (proc(5), schedstat)."""

    def __init__(self, path):
        self.file, self.waited_s = open(path, "rb", buffering=0), 0.0

    def seconds(self):
        """Until now, or until it ended."""
        with contextlib.suppress(ProcessLookupError):
            self.file.seek(0)
            self.waited_s = int(self.file.read().split()[1]) * 1e-9
        return self.waited_s


class ScanClock:
    """Whether a rig takes in all of the time that goes by. How long its daemon takes to get to that, and to an answer, is
    another matter, which the computer's other work decides."""

    def __init__(self, scans, rate):
        """scans: a function that asks how many there are."""
        self.scans, self.rate = scans, rate
        self.first = self.look()

    def look(self):
        asked = time.monotonic()
        return asked, self.scans(), time.monotonic()

    def wait_until_all_is_in(self, but_s):
        """All of it but so much: what was lost for good never comes."""
        deadline = time.monotonic() + seconds(PATIENCE_S)
        while True:
            asked, scans, answered = self.look()
            taken_s = (scans - self.first[1]) / self.rate
            if asked - self.first[2] - but_s < taken_s < answered - self.first[0] + but_s:
                return
            if time.monotonic() > deadline:
                raise AssertionError(f"{taken_s} s were taken in of {asked - self.first[2]} s")
            time.sleep(0.05)


class Daemon:
    """fricidd on a configuration, from its first answer to its clean end.

    `rigs` is what stands in the configuration's list of rigs. Leaving the `with` block without an exception checks that
    SIGTERM ends the daemon with status 0, the socket is gone, and no sanitizer had anything to say.
    """

    def __init__(self, rigs="", service="", directory=None, launcher=(), store=""):
        self.launcher = list(launcher)
        self.scratch = directory or ScratchDirectory()
        self.owns_scratch = directory is None
        self.socket_path = str(self.scratch.path / "s")
        self.configuration = configuration_text(self.socket_path, rigs, service, store)
        self.configuration_path = self.scratch.write("fricid.conf", self.configuration)
        self.errors_path = self.scratch.path / "stderr"
        self.process = None

    def __enter__(self):
        with open(self.errors_path, "wb") as errors, open(self.scratch.path / "stdout", "wb") as output:
            self.process = subprocess.Popen(
                [*self.launcher, FRICIDD, "--config", str(self.configuration_path)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
            )
        try:
            self.wait_until_it_answers()
        except BaseException:
            self.abandon()
            raise
        return self

    def __exit__(self, kind, value, traceback):
        try:
            if kind is None:
                self.stop()
            else:
                sys.stderr.write(self.errors())
        finally:
            self.abandon()

    def wait_until_it_answers(self):
        deadline = time.monotonic() + seconds(PATIENCE_S)
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"fricidd ended at once, status {self.process.returncode}:\n{self.errors()}")
            try:
                with Client(self.socket_path):
                    return
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.02)
        raise AssertionError(f"fricidd does not answer:\n{self.errors()}")

    def errors(self):
        return self.errors_path.read_text(encoding="utf-8", errors="replace")

    def stop(self, with_signal=signal.SIGTERM):
        """Ends the daemon and checks how it went."""
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        status = self.process.wait(timeout=seconds(PATIENCE_S))
        assert_no_report(self.errors())
        if status != 0:
            raise AssertionError(f"fricidd ended with status {status}:\n{self.errors()}")
        if os.path.exists(self.socket_path):
            raise AssertionError("fricidd left its socket behind")

    def end_in_s(self):
        """Ends the daemon; how long that took, s, without what the computer's other work took from it, nor the time in
        which the computer stood still: then nobody looked, either."""
        begun, waits, unseen_s = time.monotonic(), [], 0.0
        waiting = [Waiting(path) for path in Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")]
        before = [thread.seconds() for thread in waiting]
        self.process.send_signal(signal.SIGTERM)
        looked = begun
        while self.process.poll() is None:
            # They may have waited at the same time: only the longest wait is sure to have passed.
            waits.append(max(thread.seconds() - at_first for thread, at_first in zip(waiting, before)))
            time.sleep(LOOK_S)
            looked, before_that = time.monotonic(), looked
            unseen_s += max(0.0, looked - before_that - 2 * LOOK_S)
        return time.monotonic() - begun - max(*waits, unseen_s, 0.0)

    def stop_in_s(self):
        """The same, with a look at how it went."""
        took = self.end_in_s()
        self.stop()
        return took

    def abandon(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.owns_scratch:
            self.scratch.remove()

    def client(self):
        return Client(self.socket_path)

    def fricidctl(self, *arguments, **options):
        return fricidctl("--socket", self.socket_path, "--timeout", seconds(PATIENCE_S), *arguments, **options)

    def wait_for_results(self, count, limit=PATIENCE_S, **filters):
        """Summaries, newest first, as soon as there are `count` of them."""
        deadline = time.monotonic() + seconds(limit)
        with self.client() as client:
            while True:
                results = client.call("results.list", limit=1000, **filters)["results"]
                if len(results) >= count:
                    return results
                if time.monotonic() > deadline:
                    status = json.dumps(client.call("status"), indent=1)
                    raise AssertionError(f"{len(results)} of {count} results\n{status}\n{self.errors()}")
                time.sleep(0.05)

    def wait_until_ended(self, limit=PATIENCE_S):
        """Until every rig's source has ended, and every decay is identified and its result told."""
        deadline = time.monotonic() + seconds(limit)
        with self.client() as client:
            while time.monotonic() < deadline:
                status = client.call("status")
                channels = [channel for rig in status["rigs"] for channel in rig["channels"]]
                decays = sum(channel["counters"]["decays"] for channel in channels)
                ended = all(rig["condition"] == "ended" for rig in status["rigs"])
                (writer,) = [thread for thread in status["threads"] if thread["name"] == "writer"]
                # What it has stored it hands on for publishing a moment later.
                if ended and status["store"]["results"] == decays and not writer["running_s"]:
                    return
                time.sleep(0.05)
        raise AssertionError(f"not at the end:\n{json.dumps(status, indent=1)}\n{self.errors()}")

    def wait_until_source_ended(self, limit=PATIENCE_S):
        """Until every rig's source has ended."""
        deadline = time.monotonic() + seconds(limit)
        with self.client() as client:
            while time.monotonic() < deadline:
                if all(rig["condition"] == "ended" for rig in client.call("status")["rigs"]):
                    return
                time.sleep(0.05)
        raise AssertionError(f"a source did not end:\n{self.errors()}")


class ProtocolError(Exception):
    """An error response."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.name = (error.get("data") or {}).get("name")
        self.data = error.get("data")


class Client:
    """One connection. Requests wait for their answer; notifications that come meanwhile are kept in order.

    `sent` has the requests of ask() and call(), `granted` whether each was, `received` pairs of a message and the method that it answers, if any.
    """

    def __init__(self, path, limit=PATIENCE_S):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # One with a limit would not wait for a place among those that the daemon has not come to yet.
        self.socket.connect(path)
        self.socket.settimeout(seconds(limit))
        self.buffer = b""
        self.notifications, self.sent, self.granted, self.received = [], [], [], []
        self.waiting = {}
        self.hello = self.read()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.socket.close()

    def send_line(self, line):
        self.socket.sendall(line if isinstance(line, bytes) else line.encode() + b"\n")

    def read_line(self):
        """The next line, or None when the daemon has closed the connection."""
        while b"\n" not in self.buffer:
            chunk = self.socket.recv(1 << 20)
            if not chunk:
                return None
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def read(self):
        """The next message as an object, notifications included."""
        line = self.read_line()
        if line is None:
            raise ConnectionError("the daemon closed the connection")
        message = json.loads(line, parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)
        method = self.waiting.pop(message.get("id"), None) if isinstance(message, dict) else None
        self.received.append((message, method))
        for part in message if isinstance(message, list) else [message]:
            assert_valid(part, method)
        return message

    def answer(self):
        """The next message that is not a notification."""
        while True:
            message = self.read()
            if isinstance(message, list) or "method" not in message:
                return message
            self.notifications.append(message)

    def ask(self, method, /, **parameters):
        """The whole answer to a request."""
        request = {"jsonrpc": "2.0", "method": method, "params": parameters, "id": len(self.sent) + 1}
        self.sent.append(request)
        self.waiting[request["id"]] = method
        self.send_line(json.dumps(request))
        answer = self.answer()
        if answer.get("id") != request["id"]:
            raise AssertionError(f"answer to {request['id']} expected, not {answer}")
        self.granted.append("error" not in answer)
        return answer

    def call(self, method, /, **parameters):
        """The result of a request; ProtocolError when it is refused."""
        answer = self.ask(method, **parameters)
        if "error" in answer:
            raise ProtocolError(answer["error"])
        assert_asked_validly(self.sent[-1])
        return answer["result"]

    def notification(self, *methods):
        """The next notification of one of these methods; others before it are thrown away."""
        while True:
            message = self.notifications.pop(0) if self.notifications else self.read()
            if message.get("method") in methods:
                return message["params"]


def refuse_constant(constant):
    raise AssertionError(f"{constant} is not JSON")


def refuse_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise AssertionError(f"an object with a key twice: {keys}")
    return dict(pairs)


def assert_valid(message, method=None):
    """Holds a message of the daemon against its schema; `method` is what an answer answers."""
    for name, part in schema_of(message, method):
        found = complaints(name, part)
        if found:
            raise AssertionError("\n".join(found))


def assert_asked_validly(request):
    """A request that the daemon granted must satisfy the schemas that clients read."""
    found = complaints("request.json", request)
    if found:
        raise AssertionError("granted against the schema: " + "\n".join(found))


def assert_no_report(text):
    """Fails when a sanitizer wrote into this text."""
    for mark in SANITIZER_REPORTS:
        if mark in text:
            raise AssertionError(f"a sanitizer's report (FRICID_SEED={SEED} looks for leaks in the same programs):\n{text}")


def run_program(*command, limit=PATIENCE_S, **options):
    """Runs a program to its end; its outputs as text."""
    environment = {"LC_CTYPE": "C.UTF-8", **os.environ, **options_of_sanitizer(), **options.pop("environment", {})}
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        timeout=seconds(limit),
        encoding="utf-8",
        env=environment,
        check=False,
        **options,
    )
    assert_no_report(done.stderr)
    return done


def fricidctl(*arguments, **options):
    return run_program(FRICIDCTL, *arguments, **options)


def offline(*arguments, ladder=False, **options):
    """fricidd --offline, without the ladder of models unless asked; the results that it printed, parsed, as `results`."""
    configuration = () if ladder or "--config" in arguments else ("--config", WITHOUT_LADDER)
    done = run_program(FRICIDD, *configuration, "--offline", *arguments, **options)
    done.results = [json.loads(line, parse_constant=refuse_constant) for line in done.stdout.splitlines()]
    return done


class Decay:
    """The exact motion of a mass with viscous damping and Coulomb friction, released at rest from x0 at t = 0."""

    def __init__(self, f_n=5.52045, zeta=0.0177, x_k=0.17879, x_s=None, x0=12.0, bias=0.0):
        self.f_n, self.zeta, self.x_k, self.x0, self.bias = f_n, zeta, x_k, x0, bias
        self.x_s = x_k if x_s is None else x_s
        self.beta = zeta / math.sqrt(1 - zeta * zeta)
        self.omega_d = 2 * math.pi * f_n * math.sqrt(1 - zeta * zeta)
        self.extrema = [x0]
        while abs(self.extrema[-1]) > self.x_s:
            self.extrema.append(self.next_extremum())

    def side(self, half_cycle):
        return math.copysign(1.0, self.x0) * (-1) ** half_cycle

    def next_extremum(self):
        shift = self.side(len(self.extrema) - 1) * self.x_k
        return -(self.extrema[-1] - shift) * math.exp(-self.beta * math.pi) + shift

    def at(self, t):
        """Displacement at t seconds after the release."""
        if t <= 0:
            return self.bias + self.x0
        half_cycle, theta = divmod(self.omega_d * t, math.pi)
        half_cycle = int(half_cycle)
        if half_cycle >= len(self.extrema) - 1:
            return self.bias + self.extrema[-1]
        shift = self.side(half_cycle) * self.x_k
        shape = math.exp(-self.beta * theta) * (math.cos(theta) + self.beta * math.sin(theta))
        return self.bias + (self.extrema[half_cycle] - shift) * shape + shift

    def duration(self):
        return (len(self.extrema) - 1) * math.pi / self.omega_d


def release(decay, rate=1000.0, noise=0.0, step=0.0, seed=1, lead=1.5, pull=1.0, hold=0.5, tail=1.0):
    """Times and displacements of one whole run: rest, a smooth pull, a hold, the release, rest."""
    dice = random.Random(seed)
    released = lead + pull + hold
    count = int((released + decay.duration() + tail) * rate)
    times = [i / rate for i in range(count)]
    displacements = []
    for t in times:
        if t < lead:
            x = decay.bias
        elif t < released:
            way = min((t - lead) / pull, 1.0)
            x = decay.bias + decay.x0 * way * way * (3 - 2 * way)
        else:
            x = decay.at(t - released)
        x += dice.gauss(0, noise) if noise > 0 else 0.0
        displacements.append(step * round(x / step) if step > 0 else x)
    return times, displacements


def csv_text(times, *columns, header="time_s,lvdt_mm"):
    """A recording as text."""
    rows = [header] if header else []
    rows += [",".join([f"{t:.6f}", *(f"{x:.12g}" for x in values)]) for t, *values in zip(times, *columns)]
    return "\n".join(rows) + "\n"


def deviation(estimate, truth):
    """How many standard errors an estimate of the protocol lies from the truth."""
    return (estimate["value"] - truth) / estimate["se"]
