# SPDX-License-Identifier: GPL-3.0-or-later
"""The protocol of the real daemon against its schemas, and against what clients of protocol 1.0 rely on."""

import copy
import json
import math
import re
import subprocess
import sys
import time
import unittest

from fricid_harness import SOURCE, THINNING, Daemon, Decay, drawn, release, seconds, simulated_rig
from schemas import BUILT, SCHEMAS, complaints, fits, schema_of, validator
from run_tests import main

SESSIONS = sorted((SOURCE / "tests" / "data").glob("session-*.jsonl"))


def decay(samples=300, rate=100.0):
    """A free decay with viscous damping, in the thousandths of a converter."""
    omega, zeta = 2 * math.pi * 5, 0.02
    return [round(10 * math.exp(-zeta * omega * i / rate) * math.cos(omega * i / rate), 3) for i in range(samples)]


def exercise(client):
    """Everything that protocol 1.0 offers, once; for a rig that has ended."""
    client.call("subscribe", topics=["progress", "event", "result"], from_seq=1)
    kinds = set()
    while len(kinds) < 2:
        kinds.add("event" in client.notification("notify.result", "notify.event"))
    number = client.call("results.list", limit=2)["results"][0]["id"]
    client.call("results.list", rig="bearing", channel="encoder", verdict="ok", limit=1, before_id=1000)
    client.call("results.get", id=number)
    client.call("results.get", id=number, revision=1)
    client.call("samples", id=number, offset=0, count=100)
    for method in ("status", "version", "config"):
        client.call(method)
    identified = client.call("identify", displacement=decay(), sample_rate_hz=100.0, start_s=2.5, unit="mm",
                             name="upload", resolution=0.001, whole=True)
    assert len(identified["results"]) == 1, identified
    upload = client.call("identify.begin", time_stamped=True, unit="mm")["upload"]
    client.call("identify.append", upload=upload, displacement=decay(),
                time_s=[round(i / 100 + 1e-4 * (i % 2), 4) for i in range(300)])
    client.call("identify.finish", upload=upload)
    times, displacements = release(Decay(zeta=0.03, x0=8.0), rate=200.0, noise=0.003)
    upload = client.call("identify.begin", sample_rate_hz=200.0, unit="mm")["upload"]
    for _ in range(3):
        client.call("identify.append", upload=upload, displacement=displacements)
    first = client.call("identify.finish", upload=upload, limit=1)
    assert first["remaining"] >= 1, first
    client.call("identify.more", upload=first["upload"], offset=1)
    client.call("unsubscribe", topics=["progress"])
    client.call("unsubscribe")


def exercise_of_1_1(client):
    """What protocol 1.1 added, once; for a rig on a virtual clock that has ended."""
    number = client.call("results.list", sort="id", ascending=True, limit=1)["results"][0]["id"]
    wanted = {"sort": "zeta", "ascending": True, "source_kind": "simulated", "f_n_hz_min": 5.0, "f_n_hz_max": 6.0,
              "zeta_min": 0.0, "x_k_max": 1.0, "x0_min": 0.0, "limit": 2}
    page = client.call("results.list", **wanted)
    client.call("results.list", **wanted, cursor=page["next_cursor"])
    client.call("results.list", id=number, verdict="ok", released_to="2199-12-31")
    client.call("devices", survey=False)
    client.call("protect", id=number)
    client.call("protect", id=number, protected=False)
    client.call("reidentify", check=True, id=number)
    backup = client.call("backup.begin")["backup"]
    client.call("backup.read", backup=backup, offset=10 ** 12)
    client.call("backup.end", backup=backup)
    (recorded,) = client.call("recorder.find", rig="bearing", last_s=1)["rigs"]
    (ring,) = recorded["rings"]
    client.call("recorder.read", ring=ring["ring"], row=ring["from_row"], count=3)
    client.call("subscribe", topics=["signal"])
    client.call("unsubscribe", topics=["signal"])
    for method, parameters in (("config", {"config_id": "0" * 16}), ("zero", {"channel": "lvdt", "rig": "bearing"}),
                               ("results.get", {"id": 10 ** 9}), ("results.list", {"sort": "weight"}),
                               ("nothing", {}), ("backup.end", {"backup": backup})):
        assert "error" in client.ask(method, **parameters), method


def exercise_of_1_2(client):
    """What protocol 1.2 added, once."""
    newest = client.call("results.list", limit=1)["results"][0]
    page = client.call("results.list", run_id=newest["run_id"], limit=2)
    assert newest["id"] in [summary["id"] for summary in page["results"]], page
    assert client.call("results.list", run_id=10 ** 9)["results"] == []
    assert newest["id"] in [trace["id"] for trace in client.call("runs.get", run_id=newest["run_id"])["traces"]]
    client.call("reidentify", check=True, run_id=newest["run_id"])


def exercise_of_1_3(client):
    """What protocol 1.3 added, once."""
    _, displacements = release(Decay(zeta=0.03, x0=8.0), rate=200.0, noise=0.003)
    identified = client.call("identify", displacement=displacements, sample_rate_hz=200.0, unit="mm", name="dated",
                             start_at="2026-11-21T07:05:31.250Z", read_as="semicolon, decimal comma, time in s")
    (result,) = identified["results"]
    assert result["record"]["read_as"] == "semicolon, decimal comma, time in s", result
    assert result["released_at"].startswith("2026-11-21T07:05:34"), result
    (recorded,) = client.call("recorder.find", rig="bearing", last_s=1)["rigs"]
    assert "zero_at" in recorded, recorded


def exercise_of_1_10(client):
    """What protocol 1.10 added, once."""
    columns = {"displacement_m": [1e-3 * math.sin(i / 10) for i in range(100)], "time_s": [i / 100 for i in range(100)]}
    dahl = {"shape": "dahl", "f_c": 2, "x_d": 1e-4}
    assert len(client.call("simulate", model=dahl, columns=columns)["force"]) == 100
    upload = client.call("simulate.begin", model=dahl, form="displacement_m,time_s")["upload"]
    for i in range(25):
        columns["time_s"] = [i + j / 100 for j in range(100)]
        client.call("simulate.append", upload=upload, columns=columns)
    first = client.call("simulate.finish", upload=upload)
    assert client.call("simulate.more", upload=upload, offset=first["offset"] + 2048)["remaining"] == 0


def exercise_errors(client):
    for line in ("nonsense", "[]", '{"jsonrpc":"2.0","method":"status","params":7,"id":1}', "x" * (2 ** 20 + 1)):
        client.send_line(line)
        client.answer()
    client.ask("nothing")
    client.ask("status", verbose=True)
    client.ask("results.get", id=10 ** 9)
    client.ask("subscribe", topics=["result"], from_seq=10 ** 9)
    client.send_line("[" + ",".join(['{"jsonrpc":"2.0","method":"version","id":1}'] * 51) + "]")
    client.answer()
    for _ in range(5):
        last = client.ask("identify.begin", sample_rate_hz=1.0)
    assert last["error"]["data"]["name"] == "busy", last


def changed(value):
    """A value of another type, which no schema may take for the first."""
    return ["mutant"] if not isinstance(value, list) else {"mutant": 1}


def mutants(message, path=()):
    """The message with one key dropped, retyped or added, in turn at every place."""
    if isinstance(message, dict):
        for key, value in message.items():
            rest = {k: v for k, v in message.items() if k != key}
            yield f"{'/'.join(path)}/{key} dropped", rest
            yield f"{'/'.join(path)}/{key} retyped", {**message, key: changed(value)}
            # A result inside another message has the same schema as the one that results.get answers with.
            inside = {} if path and "fit" in message else value
            for name, mutant in mutants(inside, (*path, key)):
                yield name, {**message, key: mutant}
        yield f"{'/'.join(path)} with one key more", {**message, "mutant": None}
    elif isinstance(message, list):
        for index, value in enumerate(message[:1]):
            for name, mutant in mutants(value, (*path, str(index))):
                yield name, [*message[:index], mutant, *message[index + 1:]]


def mutants_of_request(request):
    """A request with one member retyped or added, or one that it must have dropped."""
    for key in request:
        if key != "id":
            yield f"{key} retyped", {**request, key: changed(request[key])}
        if key in ("jsonrpc", "method"):
            yield f"{key} dropped", {name: value for name, value in request.items() if name != key}
    yield "one member more", {**request, "mutant": 1}
    for key, value in request["params"].items():
        yield f"params/{key} retyped", {**request, "params": {**request["params"], key: changed(value)}}
    yield "one parameter more", {**request, "params": {**request["params"], "mutant": 1}}


def parameters_of(method):
    """The schemas of a method's parameters by name."""
    schema = SCHEMAS[method + ".params.json"]
    return schema.get("anyOf", [schema])[0]["properties"]


def beyond(schema):
    """Values that lie just outside what a parameter's schema allows."""
    if schema.get("type") in ("integer", "number"):
        yield from (schema[end] + step for end, step in (("minimum", -1), ("maximum", 1)) if end in schema)
    elif schema.get("type") == "string":
        yield from ("x" * (schema["maxLength"] + 1), "")
    elif schema.get("type") == "array":
        yield []
        yield from [[1] * (schema["maxItems"] + 1)] if "maxItems" in schema else []
    elif "enum" in schema:
        yield "no such word"


# Only a client that reads too slowly gets it.
DROPPED = {"jsonrpc": "2.0", "method": "notify.dropped",
           "params": {"from_seq": 3, "to_seq": 17, "reason": "this client read too slowly"}}


def shape_lacks(new, old, path=""):
    """What a client of an older minor version would miss in a newer message: keys, or another type."""
    if old is None or new is None:
        return []
    kinds = [(int, float) if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value)
             for value in (new, old)]
    if kinds[0] != kinds[1]:
        return [f"{path}: {type(old).__name__} became {type(new).__name__}"]
    if isinstance(old, dict):
        return [lack for key in old for lack in
                ([f"{path}/{key} is gone"] if key not in new else shape_lacks(new[key], old[key], f"{path}/{key}"))]
    if isinstance(old, list) and old and new:
        return shape_lacks(new[0], old[0], path + "/0")
    return []


class Schemas(unittest.TestCase):
    def test_every_schema_is_a_schema(self):
        for name in SCHEMAS:
            validator(name)

    def test_server_messages_have_no_loose_ends(self):
        """Every object that the server sends has only known keys, all of them always."""
        def objects(schema):
            if isinstance(schema, dict):
                if "properties" in schema and schema.get("type") == "object":
                    yield schema
                for value in schema.values():
                    yield from objects(value)
            elif isinstance(schema, list):
                for value in schema:
                    yield from objects(value)
        for name, schema in SCHEMAS.items():
            if name == "request.json" or name.endswith(".params.json"):
                continue
            for found in objects(schema):
                self.assertIs(found["additionalProperties"], False, name)
                self.assertEqual(set(found["required"]), set(found["properties"]), name)


class LiveTraffic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Daemon(simulated_rig(duration_s=120)) as daemon:
            # A client that a busy machine lets wait reads too slowly for a rig on a virtual clock.
            daemon.wait_until_ended()
            with daemon.client() as client:
                exercise(client)
                exercise_of_1_1(client)
                exercise_of_1_2(client)
                exercise_of_1_10(client)
                cls.sent = [request for request, answered in zip(client.sent, client.granted) if answered]
                cls.traffic = client.received
            with daemon.client() as client:
                exercise_errors(client)
                cls.errors = client.received

        with Daemon(simulated_rig(real_time=True, duration_s=0.0)) as daemon, daemon.client() as client:
            while "error" in client.ask("zero", channel="lvdt"):
                time.sleep(0.05)
            client.call("devices")
            cls.sent += [request for request in client.sent if request["method"] == "zero"][-1:]
            decay_id = daemon.wait_for_results(1)[0]["id"]
            client.call("protect", id=decay_id)
            client.call("reidentify", check=True, id=decay_id)
            backup = client.call("backup.begin")["backup"]
            client.call("backup.read", backup=backup, offset=0)
            client.call("backup.end", backup=backup)
            # The virtual clock may be at its end before somebody looks at how it comes along.
            client.call("subscribe", topics=["signal", "progress"])
            client.notification("notify.signal")
            client.notification("notify.progress")
            cls.of_a_rig = client.received

    def test_every_message_satisfies_its_schema(self):
        seen = set()
        for message, method in self.traffic + self.errors + self.of_a_rig:
            for name, part in schema_of(message, method):
                seen.add(name)
                self.assertEqual(complaints(name, part), [])
        unseen = {name for name in SCHEMAS if name.endswith(".result.json") or name.startswith("notify")} - seen
        self.assertEqual(unseen, {"notify.dropped.json"})
        self.assertIn("error.json", seen)

    def test_every_request_satisfies_its_schema(self):
        for request in self.sent:
            self.assertEqual(complaints("request.json", request), [])

    def test_every_mutant_fails(self):
        """Schemas that let a missing or retyped key pass would prove nothing."""
        tried, done = 0, set()
        for message, method in self.traffic + self.errors + self.of_a_rig + [(DROPPED, None)]:
            for name, part in schema_of(message, method) if isinstance(message, dict) else ():
                # An error has other members with every name.
                what = (name, part["error"]["data"]["name"]) if name == "error.json" else name
                if what in done or name == "response.json":
                    continue
                done.add(what)
                self.assertEqual(complaints(name, part), [])
                for what, mutant in drawn(mutants(copy.deepcopy(part))):
                    tried += 1
                    self.assertFalse(fits(name, mutant), f"{name}: {what} passes")
        self.assertGreater(tried * THINNING, 1000)
        unseen = {name for name in SCHEMAS
                  if name.endswith(".result.json") or name.startswith("notify") or name == "hello.json"} - done
        self.assertEqual(unseen, set())

    def test_every_mutant_of_a_request_is_refused(self):
        """By its schema, and by the daemon as well."""
        tried, done = 0, set()
        with Daemon(simulated_rig(duration_s=20)) as daemon, daemon.client() as client:
            for request in self.sent:
                if request["method"] in done:
                    continue
                done.add(request["method"])
                self.assertEqual(complaints("request.json", request), [])
                for what, mutant in mutants_of_request(request):
                    tried += 1
                    with self.subTest(f"{request['method']}: {what}"):
                        self.assertFalse(fits("request.json", mutant))
                        client.send_line(json.dumps(mutant))
                        self.assertIn("error", client.answer())
        self.assertGreater(tried, 100)
        named = {name[:-len(".params.json")] for name in SCHEMAS if name.endswith(".params.json")}
        self.assertEqual(named - done, set())

    def test_the_ends_of_every_parameter_are_those_of_the_schema(self):
        requests, tried = {request["method"]: request for request in self.sent}, 0
        largest = 2 ** 53 - 1
        with Daemon(simulated_rig(duration_s=20)) as daemon, daemon.client() as client:
            for method, request in requests.items():
                values = [(name, value) for name, schema in parameters_of(method).items() for value in beyond(schema)]
                # Where the schema names no largest integer, the daemon knows none either.
                values += [(name, largest) for name, schema in parameters_of(method).items()
                           if schema.get("type") == "integer" and "maximum" not in schema]
                for name, value in values:
                    tried += 1
                    with self.subTest(method=method, parameter=name, value=str(value)[:40]):
                        # The id of a result stands in the place of a model.
                        others = {key: other for key, other in request["params"].items() if (key, name) != ("model", "id")}
                        mutant = {**request, "params": {**others, name: value}}
                        self.assertEqual(fits("request.json", mutant), value == largest)
                        client.send_line(json.dumps(mutant))
                        error = client.answer().get("error", {"message": "", "data": {"name": "none"}})
                        if value == largest:
                            self.assertNotIn("must be an integer", error["message"])
                            continue
                        self.assertIn(error["data"]["name"], ("invalid_params", "too_large"))
                        if value != "no such word":
                            self.assertIn(name, error["message"])
        self.assertGreater(tried, 50)

    def test_nothing_is_null_without_a_reason(self):
        exempt = {"rig", "channel", "source", "count", "problem", "set_aside", "last", "id"}

        def check(value, where):
            if isinstance(value, dict):
                nulls = [key for key, member in value.items()
                         if member is None and key != "reason" and key not in exempt]
                if nulls:
                    self.assertIsInstance(value.get("reason"), str, f"{where}: {nulls}")
                for key, member in value.items():
                    check(member, f"{where}/{key}")
            elif isinstance(value, list):
                for member in value:
                    check(member, where)
        for message, method in self.traffic:
            check(message, method or message.get("method"))

    def test_seq_counts_up(self):
        numbers = [message["params"]["seq"] for message, _ in self.traffic
                   if message.get("method", "").startswith("notify")]
        self.assertEqual(numbers, sorted(set(numbers)))


class OldClient(unittest.TestCase):
    """Sessions as they were recorded: their requests must still work, their answers hold what they held."""

    def test_recorded_sessions(self):
        self.assertIn("session-1.0.jsonl", [session.name for session in SESSIONS])
        for session in SESSIONS:
            self.replay(session)

    def replay(self, path):
        with open(path, encoding="utf-8") as session:
            recorded = [json.loads(line) for line in session if not line.startswith("#")]
        with Daemon(simulated_rig(duration_s=120)) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            self.assertEqual(shape_lacks(client.hello, recorded[0]["received"]), [])
            for step in recorded[1:]:
                with self.subTest(f"{path.name}: {step['sent']}"):
                    client.send_line(json.dumps(step["sent"]))
                    answer = client.answer()
                    self.assertEqual(shape_lacks(answer, step["received"]), [])
                    if "error" in step["received"]:
                        self.assertEqual(answer["error"]["code"], step["received"]["error"]["code"])


class ByHand(unittest.TestCase):
    """What a person types into a pipe."""

    def test_one_line_and_the_end(self):
        with Daemon() as daemon, daemon.client() as client:
            client.socket.sendall(b'{"jsonrpc":"2.0","method":"version","id":1}')
            client.socket.shutdown(1)
            self.assertEqual(client.read()["result"]["server"], "fricidd")
            self.assertIsNone(client.read_line())


class Manual(unittest.TestCase):
    """fricid-protocol(7) promises these."""

    PAGE = (BUILT / "proto" / "fricid-protocol.7").read_text(encoding="utf-8")

    def test_every_key_is_documented(self):
        def keys(schema):
            if isinstance(schema, dict):
                yield from schema.get("properties", {})
                for value in schema.values():
                    yield from keys(value)
            elif isinstance(schema, list):
                for value in schema:
                    yield from keys(value)
        words = set(re.findall(r"[a-z0-9_]+", self.PAGE))
        missing = {key for schema in SCHEMAS.values() for key in keys(schema)} - words
        self.assertEqual(missing, set())

    def test_every_name_is_documented(self):
        words = set(re.findall(r"[a-z0-9_]+", self.PAGE))
        for name, schema in SCHEMAS["definitions.json"]["$defs"].items():
            for value in schema.get("enum", []):
                self.assertTrue(value is None or set(value.split("+")) <= words, f"{name}: {value}")

    def example(self, number, daemon):
        """A program of the page, to be run against this daemon."""
        shown = self.PAGE.split(".Sh EXAMPLES")[1].split(".Bd -literal -offset indent\n")[1:]
        program = shown[number].split(".Ed")[0].replace("\\en", "\\n")
        program = program.replace("/run/fricid/fricid.sock", daemon.socket_path)
        return subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, text=True)

    def test_the_example_of_watching_works(self):
        with Daemon(simulated_rig()) as daemon, self.example(0, daemon) as running:
            try:
                self.assertRegex(running.stdout.readline(), r"^SIMULATED 1: zeta 0\.0\d+, x_k 0\.\d+ mm$")
            finally:
                running.kill()

    def test_the_example_of_identifying_works(self):
        """It makes a decay of 34.6 rad/s that loses 1.1 nepers a second."""
        with Daemon() as daemon, self.example(1, daemon) as running:
            told = dict(line.split(" ", 1) for line in running.communicate(timeout=seconds(60))[0].splitlines())
        self.assertEqual(running.returncode, 0)
        self.assertAlmostEqual(float(told["f_n_hz"].split()[0]), math.hypot(34.6, 1.1) / (2 * math.pi), places=3)
        self.assertAlmostEqual(float(told["zeta"].split()[0]), 1.1 / math.hypot(34.6, 1.1), places=4)

    def test_the_page_has_no_stray_quotes(self):
        """One that begins inside another ends with it, and quotes what was not meant."""
        for line in self.PAGE.splitlines():
            self.assertNotRegex(line, r"^\.(Pq|Ql|Sq|Dq) .*\b(Ql|Sq|Dq) \S+ [;,]?\s*\w", line)


if __name__ == "__main__":
    main()
