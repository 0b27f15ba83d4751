# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand-written client against the daemon: every method, and what a careless or hostile client gets."""

import json
import unittest

from fricid_harness import Daemon, ProtocolError, simulated_rig
from run_tests import main

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HISTORY_GONE, NOT_FOUND, TOO_LARGE = -32000, -32002, -32003


class ProtocolTest(unittest.TestCase):
    """One daemon on a simulated rig that ends after a few decays, for all tests of the class."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(simulated_rig(duration_s=60))
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.abandon)
        cls.daemon.wait_until_ended()
        cls.summaries = cls.daemon.wait_for_results(6)

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()

    def setUp(self):
        self.client = self.daemon.client()
        self.addCleanup(self.client.socket.close)

    def refused(self, code, method, /, **parameters):
        with self.assertRaises(ProtocolError) as caught:
            self.client.call(method, **parameters)
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception


class Methods(ProtocolTest):
    def test_hello(self):
        params = self.client.hello["params"]
        self.assertEqual(params["server"], "fricidd")
        self.assertEqual(params["protocol"]["major"], 1)
        self.assertRegex(params["started_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")

    def test_version(self):
        self.assertEqual(self.client.call("version")["version"], self.client.hello["params"]["version"])

    def test_config(self):
        config = self.client.call("config")
        self.assertEqual(config["text"], self.daemon.configuration)
        self.assertRegex(config["config_id"], r"^[0-9a-f]{16}$")

    def test_status(self):
        status = self.client.call("status")
        (rig,) = status["rigs"]
        self.assertEqual(rig["source"]["kind"], "simulated")
        self.assertEqual([channel["name"] for channel in rig["channels"]], ["lvdt", "encoder"])
        for channel in rig["channels"]:
            self.assertGreater(channel["counters"]["samples"], 0)
            self.assertEqual(channel["unit"], "mm")
            self.assertEqual(channel["last"]["verdict"], "ok")
        self.assertTrue(all(thread["healthy"] for thread in status["threads"]))

    def test_list_in_pages(self):
        everything = self.client.call("results.list", limit=1000)["results"]
        paged, before = [], {}
        while True:
            page = self.client.call("results.list", limit=2, **before)
            paged += page["results"]
            if page["next_before_id"] is None:
                break
            before = {"before_id": page["next_before_id"]}
        self.assertEqual([summary["id"] for summary in paged], [summary["id"] for summary in everything])
        ids = [summary["id"] for summary in paged]
        self.assertEqual(ids, sorted(ids, reverse=True))

    def test_list_filtered(self):
        for summary in self.client.call("results.list", rig="bearing", channel="encoder", verdict="ok")["results"]:
            self.assertEqual((summary["channel"], summary["verdict"]), ("encoder", "ok"))
        self.assertEqual(self.client.call("results.list", rig="no such rig")["results"], [])

    def test_get_is_what_the_list_said(self):
        summary = self.summaries[-1]
        result = self.client.call("results.get", id=summary["id"])
        self.assertEqual(result[result["recommended"]]["zeta"], summary["zeta"])
        combined = {line["quantity"]: line["u"] for line in result["budget"]["quantities"]}
        self.assertEqual(combined["zeta"], summary["u"]["zeta"])
        self.assertEqual(self.client.call("results.get", id=summary["id"], revision=1), result)
        self.assertEqual(self.refused(NOT_FOUND, "results.get", id=10**9).name, "not_found")
        self.refused(NOT_FOUND, "results.get", id=summary["id"], revision=99)

    def test_samples_in_pieces(self):
        number = self.summaries[-1]["id"]
        record = self.client.call("results.get", id=number)["record"]
        whole = self.client.call("samples", id=number, offset=0, count=8192)
        self.assertEqual(whole["total"], record["samples"] + whole["pretrigger_samples"])
        pieces, offset = [], 0
        while offset < min(whole["total"], 8192):
            piece = self.client.call("samples", id=number, offset=offset, count=1000)
            pieces += piece["displacement"]
            offset += piece["count"]
        self.assertEqual(pieces[: whole["count"]], whole["displacement"])
        self.assertEqual(self.client.call("samples", id=number, offset=whole["total"], count=10)["count"], 0)
        self.refused(INVALID_PARAMS, "samples", id=number, offset=0, count=8193)
        self.refused(INVALID_PARAMS, "samples", id=number, offset=-1, count=1)
        self.refused(NOT_FOUND, "samples", id=10**9, offset=0, count=1)

    def test_unknown_method(self):
        self.assertEqual(self.refused(METHOD_NOT_FOUND, "results.burn").name, "method_not_found")

    def test_unknown_or_wrong_parameters(self):
        for method, parameters in (
            ("status", {"verbose": True}),
            ("results.list", {"limt": 5}),
            ("results.list", {"limit": 0}),
            ("results.list", {"limit": 1001}),
            ("results.list", {"limit": "many"}),
            ("results.get", {}),
            ("runs.get", {}),
            ("runs.get", {"run_id": 0}),
            ("results.get", {"id": "1"}),
            ("results.get", {"id": 1.5}),
            ("subscribe", {"topics": ["weather"]}),
            ("subscribe", {"topics": "result"}),
        ):
            with self.subTest(f"{method} {parameters}"):
                self.refused(INVALID_PARAMS, method, **parameters)


class Envelope(ProtocolTest):
    """Lines that are not what a well-behaved client sends."""

    def answer_to(self, line):
        self.client.send_line(line)
        return self.client.answer()

    def error_code(self, line):
        return self.answer_to(line)["error"]["code"]

    def test_not_json(self):
        for line in ("{", "hello", "{'id': 1}", '{"jsonrpc":"2.0","id":1,"method":"version"', "\x00\x01", '"\\ud800"'):
            with self.subTest(line):
                self.assertEqual(self.error_code(line), PARSE_ERROR)
        self.assertEqual(self.client.call("version")["server"], "fricidd")

    def test_not_utf8(self):
        self.assertEqual(self.error_code(b'{"jsonrpc":"2.0","id":1,"method":"\xff"}\n'), PARSE_ERROR)

    def test_duplicate_keys(self):
        answer = self.answer_to('{"jsonrpc":"2.0","id":1,"method":"version","method":"status"}')
        self.assertIn(answer["error"]["code"], (PARSE_ERROR, INVALID_REQUEST))

    def test_not_a_request(self):
        for line in ("[]", "1", '"text"', "{}", '{"jsonrpc":"1.0","id":1,"method":"version"}', '{"jsonrpc":"2.0","id":1}',
                     '{"jsonrpc":"2.0","id":{},"method":"version"}', '{"jsonrpc":"2.0","id":1,"method":7}'):
            with self.subTest(line):
                self.assertEqual(self.error_code(line), INVALID_REQUEST)

    def test_id_comes_back_as_sent(self):
        for number in (0, -7, "abc", 10**15):
            self.assertEqual(self.answer_to(json.dumps({"jsonrpc": "2.0", "id": number, "method": "version"}))["id"], number)

    def test_request_without_id_is_never_answered(self):
        self.client.send_line('{"jsonrpc":"2.0","method":"version"}')
        self.client.send_line('{"jsonrpc":"2.0","method":"no such method"}')
        self.assertEqual(self.answer_to('{"jsonrpc":"2.0","id":"after","method":"version"}')["id"], "after")

    def test_batch(self):
        requests = [{"jsonrpc": "2.0", "id": i, "method": "version"} for i in range(50)]
        requests[7] = {"jsonrpc": "2.0", "method": "version"}
        answers = self.answer_to(json.dumps(requests))
        self.assertEqual(sorted(answer["id"] for answer in answers), [i for i in range(50) if i != 7])

    def test_batch_too_long(self):
        requests = [{"jsonrpc": "2.0", "id": i, "method": "version"} for i in range(51)]
        self.assertEqual(self.error_code(json.dumps(requests)), TOO_LARGE)

    def test_nesting(self):
        self.assertIn(self.error_code("[" * 40 + "]" * 40), (PARSE_ERROR, INVALID_REQUEST))
        self.assertIn(self.error_code('{"jsonrpc":"2.0","id":1,"method":"version","params":' + "[" * 5000 + "]" * 5000 + "}"),
                      (PARSE_ERROR, INVALID_REQUEST))
        self.assertEqual(self.client.call("version")["server"], "fricidd")

    def test_many_requests_in_one_write(self):
        lines = [json.dumps({"jsonrpc": "2.0", "id": i, "method": "version"}) for i in range(200)]
        self.client.socket.sendall(("\n".join(lines) + "\n").encode())
        self.assertEqual([self.client.answer()["id"] for _ in lines], list(range(200)))

    def test_request_in_many_writes(self):
        for byte in b'{"jsonrpc":"2.0","id":5,"method":"version"}\n':
            self.client.socket.sendall(bytes([byte]))
        self.assertEqual(self.client.answer()["id"], 5)

    def test_line_beyond_one_mebibyte(self):
        other = self.daemon.client()
        self.addCleanup(other.socket.close)
        try:
            self.client.socket.sendall(b"[" + b" " * (2 << 20) + b"]\n")
            answer = self.client.answer()
            self.assertIn(answer["error"]["code"], (PARSE_ERROR, INVALID_REQUEST, TOO_LARGE))
        except (ConnectionError, BrokenPipeError):
            pass  # hanging up on such a client is an answer, too
        self.assertEqual(other.call("version")["server"], "fricidd")

    def test_client_that_hangs_up_in_the_middle(self):
        for part in (b"", b'{"jsonrpc"', b'{"jsonrpc":"2.0","id":1,"method":"status"}\n'):
            short = self.daemon.client()
            short.socket.sendall(part)
            short.socket.close()
        self.assertEqual(self.client.call("version")["server"], "fricidd")


def request(**members):
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


VERSION = request(id=1, method="version")
OF_BATCH = request(method="version")


class Letter(ProtocolTest):
    """JSON-RPC 2.0 and fricid-protocol(7), line by line: what is answered, and that the connection goes on.

    An answer is (id, "ok") or (id, code); a batch is a list of them.
    """

    LINES = (
        (b"", [(None, PARSE_ERROR)]),
        (b"   ", [(None, PARSE_ERROR)]),
        (VERSION + b"\r", [(1, "ok")]),
        (VERSION * 2, [(None, PARSE_ERROR)]),
        (VERSION + b"x", [(None, PARSE_ERROR)]),
        (b"\xef\xbb\xbf" + VERSION, [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1,"method":"v\xc3\x28"}', [(None, PARSE_ERROR)]),
        (b'"\xc0\xaf"', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1,"method":"results.get","params":{"id":1,"id":2}}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":99999999999999999999,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1e999,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"version"}', [(None, PARSE_ERROR)]),
        (b"[" + VERSION + b",{]", [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":-1E400,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":9223372036854775808,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":9223372036854775807,"method":"version"}', [(2 ** 63 - 1, "ok")]),
        (b'{"jsonrpc":"2.0","id":-9223372036854775808,"method":"version"}', [(-2 ** 63, "ok")]),
        (b'{"jsonrpc":"2.0","id":-0,"method":"version"}', [(0, "ok")]),
        (b'{"jsonrpc":"2.0","id":01,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"","method":"version"}', [("", "ok")]),
        (b'{"jsonrpc":"2.0","id":"\\u0000","method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"version"}', [("\U0001f600", "ok")]),
        (b'{"jsonrpc":"2.0","id":"\\ud83d","method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"\\ude00\\ud83d","method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"\xed\xa0\xbd","method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"\xf4\x90\x80\x80","method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"\xf0\x82\x82\xac","method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":"\x7f","method":"version"}', [("\x7f", "ok")]),
        (b'{"jsonrpc":"2.0","id":"\t","method":"version"}', [(None, PARSE_ERROR)]),
        (VERSION + b"\0", [(None, PARSE_ERROR)]),
        (VERSION[:20] + b"\0" + VERSION[20:], [(None, PARSE_ERROR)]),
        (b"\0", [(None, PARSE_ERROR)]),
        (b"\r", [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[{"a":{"b":1,"b":2}}]}}',
         [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","\\u0000":1,"id":1,"method":"version"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"1.0","id":1,"method":"version"}', [(1, INVALID_REQUEST)]),
        (b'{"jsonrpc":"2.0","id":1,"method":"version\\u0000"}', [(None, PARSE_ERROR)]),
        (b'{"jsonrpc":"2.0","id":1,"method":""}', [(1, METHOD_NOT_FOUND)]),
        (request(id=1, method="Version"), [(1, METHOD_NOT_FOUND)]),
        (request(id=1, method="results.get", params={"id": 10 ** 15 + 0.5}), [(1, INVALID_PARAMS)]),
        (request(id=1, method="results.get", params={"id": 2 ** 53 + 2}), [(1, INVALID_PARAMS)]),
        (b"[" + b",".join([VERSION, b"null", b"[]", b"1", b"{}", OF_BATCH, request(id=None, method="no"),
                           request(id=2, method="version", params={"a": 1}), b'{"jsonrpc":"1.0","id":3,"method":"version"}',
                           request(id=1, method="version")]) + b"]",
         [[(1, "ok"), (None, INVALID_REQUEST), (None, INVALID_REQUEST), (None, INVALID_REQUEST), (None, INVALID_REQUEST),
           (None, METHOD_NOT_FOUND), (2, INVALID_PARAMS), (3, INVALID_REQUEST), (1, "ok")]]),
        (b'{"jsonrpc":"2.0","id":1,"method":"version","params":' + b"[" * 31 + b"]" * 31 + b"}", [(1, INVALID_PARAMS)]),
        (b'{"jsonrpc":"2.0","id":1,"method":"version","params":' + b"[" * 32 + b"]" * 32 + b"}", [(None, PARSE_ERROR)]),
        (b'"' + b"x" * (2 ** 20 - 2) + b'"', [(None, INVALID_REQUEST)]),
        (b'"' + b"x" * (2 ** 20 - 1) + b'"', [(None, TOO_LARGE)]),
        (b"[" + b"0," * 500000 + b"0]", [(None, TOO_LARGE)]),
        (b"[]", [(None, INVALID_REQUEST)]),
        (b"[1,2]", [[(None, INVALID_REQUEST)] * 2]),
        (b"[[]]", [[(None, INVALID_REQUEST)]]),
        (b"[" + b",".join([OF_BATCH] * 50) + b"]", []),
        (b"[" + b",".join([VERSION] * 50) + b"]", [[(1, "ok")] * 50]),
        (b"[" + b",".join([VERSION] * 51) + b"]", [(None, TOO_LARGE)]),
        (b"[" + b",".join([VERSION, OF_BATCH, b'{"a":1}', request(id="x", method="no")]) + b"]",
         [[(1, "ok"), (None, INVALID_REQUEST), ("x", METHOD_NOT_FOUND)]]),
        (request(id=None, method="version"), [(None, "ok")]),
        (request(id=1.5, method="version"), [(1.5, "ok")]),
        (request(id="\u00e4\n", method="version"), [("\u00e4\n", "ok")]),
        (request(id=True, method="version"), [(None, INVALID_REQUEST)]),
        (request(id=[1], method="version"), [(None, INVALID_REQUEST)]),
        (request(id="a" * 257, method="version"), [(None, INVALID_REQUEST)]),
        (b'{"id":1,"method":"version"}', [(1, INVALID_REQUEST)]),
        (b'{"jsonrpc":2.0,"id":1,"method":"version"}', [(1, INVALID_REQUEST)]),
        (request(id=1, method=1), [(1, INVALID_REQUEST)]),
        (request(id=1, method="version", params="x"), [(1, INVALID_REQUEST)]),
        (request(id=1, method="version", params=None), [(1, INVALID_REQUEST)]),
        (request(id=1, method="version", param={}), [(1, INVALID_REQUEST)]),
        (request(id=1, method="version", params=[]), [(1, "ok")]),
        (request(id=1, method="version", params=[1]), [(1, INVALID_PARAMS)]),
        (request(id=1, method="version", params={"a": 1}), [(1, INVALID_PARAMS)]),
        (request(id=1, method="results.get", params={"id": "1"}), [(1, INVALID_PARAMS)]),
        (request(id=1, method="rpc.discover"), [(1, METHOD_NOT_FOUND)]),
        (request(method="rpc.discover"), []),
        (request(method="results.get", params={"no": 1}), []),
        (request(method="identify", params={"displacement": [1, 2], "sample_rate_hz": 1}), []),
    )

    @staticmethod
    def short(answer):
        if isinstance(answer, list):
            return [Letter.short(one) for one in answer]
        return (answer["id"], answer["error"]["code"] if "error" in answer else "ok")

    def answers_to(self, line):
        """All answers until that to a request behind it, which shows that the connection goes on."""
        self.client.socket.sendall(line + b"\n" + request(id="behind", method="version") + b"\n")
        answers = []
        while True:
            answer = self.client.answer()
            if isinstance(answer, dict) and answer["id"] == "behind":
                return [self.short(one) for one in answers]
            answers.append(answer)

    def test_every_line(self):
        for line, expected in self.LINES:
            with self.subTest(line[:100]):
                self.assertEqual(self.answers_to(line), expected)

    def test_in_two_packets_wherever_they_meet(self):
        line = request(id="\u20ac", method="results.list", params={"limit": 1}) + b"\n"
        for split in range(1, len(line)):
            self.client.socket.sendall(line[:split])
            self.client.socket.sendall(line[split:])
            self.assertEqual(self.short(self.client.answer()), ("\u20ac", "ok"), split)

    def test_what_is_wrong_is_said_in_words_of_this_program(self):
        """Not in those of the library that reads JSON: near which of its tokens it stopped helps nobody."""
        for line, expected in self.LINES:
            if expected != [(None, PARSE_ERROR)]:
                continue
            self.client.socket.sendall(line + b"\n")
            sentence = self.client.answer()["error"]["message"]
            with self.subTest(line[:100]):
                self.assertRegex(sentence, r"^the (line is not valid JSON: (it|a|an|something) .* \(byte \d+\)$|message is nested)")
                self.assertNotRegex(sentence, r"near|token|unable|expected|decod")

    def test_all_lines_in_one_packet(self):
        lines = [(line, expected) for line, expected in self.LINES if len(line) < 10000]
        everything = [answer for _, expected in lines for answer in expected]
        # The one identification in it has no id and is not answered: everything else is, in order.
        self.assertEqual(self.answers_to(b"\n".join(line for line, _ in lines)), everything)

    def test_all_lines_byte_by_byte(self):
        lines = [(line, expected) for line, expected in self.LINES if len(line) < 200]
        for byte in b"".join(line + b"\n" for line, _ in lines):
            self.client.socket.sendall(bytes([byte]))
        self.assertEqual(self.answers_to(VERSION), [answer for _, expected in lines for answer in expected] + [(1, "ok")])


class Subscriptions(ProtocolTest):
    def test_replay_from_the_first(self):
        reply = self.client.call("subscribe", topics=["result"], from_seq=1)
        self.assertEqual(reply["topics"], ["result"])
        seen = [self.client.notification("notify.result") for _ in self.summaries]
        self.assertEqual([note["seq"] for note in seen], sorted(note["seq"] for note in seen))
        self.assertEqual({note["result"]["id"] for note in seen} >= {summary["id"] for summary in self.summaries}, True)
        for note in seen:
            self.assertEqual(note["result"]["seq"], note["seq"])
            self.assertEqual(note["result"], self.client.call("results.get", id=note["result"]["id"]))

    def test_replay_from_the_middle(self):
        seqs = sorted(summary["seq"] for summary in self.summaries)
        self.client.call("subscribe", topics=["result"], from_seq=seqs[3])
        self.assertEqual(self.client.notification("notify.result")["seq"], seqs[3])

    def test_history_gone(self):
        error = self.refused(HISTORY_GONE, "subscribe", topics=["result"], from_seq=1, history_id="of another daemon")
        self.assertEqual(error.name, "history_gone")
        self.assertEqual(error.data["history_id"], self.client.hello["params"]["history_id"])
        self.refused(HISTORY_GONE, "subscribe", topics=["result"], from_seq=10**9)

    def test_unsubscribe(self):
        self.client.call("subscribe", topics=["result", "event", "progress"])
        self.assertEqual(sorted(self.client.call("unsubscribe", topics=["event"])["topics"]), ["progress", "result"])
        self.assertEqual(self.client.call("unsubscribe")["topics"], [])

    def test_after_unsubscribe_comes_nothing(self):
        """Although a whole history was about to come."""
        self.client.send_line(request(id=1, method="subscribe", params={"topics": ["result", "event"], "from_seq": 1})
                              + b"\n" + request(id=2, method="unsubscribe", params={"topics": ["result"]}) + b"\n")
        while True:
            message = self.client.read()
            if message.get("id") == 2:
                break
        self.client.send_line(request(id=3, method="version") + b"\n")
        while message.get("id") != 3:
            self.assertNotEqual(message.get("method"), "notify.result")
            message = self.client.read()


class ShortHistory(unittest.TestCase):
    def ask_again(self, client, from_seq):
        """What comes before the answer comes once more."""
        client.send_line(request(id=2, method="subscribe", params={"topics": ["result", "event"], "from_seq": from_seq}) + b"\n")
        while json.loads(client.read_line()).get("id") != 2:
            pass

    def test_a_replay_skips_nothing_that_is_on_its_way_into_the_store(self):
        """Memory holds one result, and the store learns the numbers of notifications once a second."""
        with Daemon(simulated_rig(duration_s=120), service="results_held = 1;") as daemon, daemon.client() as client:
            client.send_line(request(id=1, method="subscribe", params={"topics": ["result", "event"], "from_seq": 1}) + b"\n")
            seen, ended, asked_again = [], False, 0
            while not ended:
                message = json.loads(client.read_line())
                if message.get("method") == "notify.dropped":
                    # With much else to do this client may be behind, and where the computer stands still, or a sanitizer
                    # makes it slow, the writer by five seconds: what is told to be left out then is asked for again.
                    reason = message["params"]["reason"]
                    self.assertRegex(reason, "^this client read too slowly|the store takes nothing at the moment")
                    asked_again += 1
                    self.assertLess(asked_again, 100, message)
                    self.ask_again(client, message["params"]["from_seq"])
                elif "seq" in message.get("params", {}):
                    seen.append(message["params"]["seq"])
                    ended = message["params"].get("event", {}).get("code") == "source_ended"
            daemon.wait_until_ended()
            results = {None}
            while None in results:
                results = {result["seq"] for result in daemon.wait_for_results(10)}
            self.assertEqual(sorted({seq for seq in results if seq < seen[-1]} - set(seen)), [])
            self.assertEqual(seen, sorted(set(seen)))


class LiveNotifications(unittest.TestCase):
    def test_progress_then_result(self):
        with Daemon(simulated_rig(real_time=True)) as daemon, daemon.client() as client:
            client.call("subscribe", topics=["progress", "result", "event"])
            decays = []
            while True:
                note = client.notification("notify.progress", "notify.result")
                if "result" in note:
                    if decays:
                        break
                    continue  # who came late to this decay hears of the next one
                self.assertEqual(note["source"]["kind"], "simulated")
                half_cycle = note["state"]["half_cycle"]
                if note["channel"] != "lvdt" or note["state"]["phase"] != "decaying" or not (decays or half_cycle < 5):
                    continue
                # Behind a standstill of the computer the next decay may begin before the result of this one comes.
                if not decays or half_cycle < 5 <= decays[-1][-1]:
                    decays.append([])
                decays[-1].append(half_cycle)
            for half_cycles in decays:
                self.assertEqual(half_cycles, sorted(half_cycles))
            self.assertGreater(len(decays[0]), 5)
            self.assertEqual(note["result"]["verdict"], "ok")


if __name__ == "__main__":
    main()
