"""python3 -m unittest discover packages/worker-python/test: what a worker does with the results of handlers."""
import contextlib
import io
import json
import os
import queue
import re
import resource
import socket
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import urllib.error
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import logging

from parley_worker import CallFailed, IncomingRefused, Worker, WorkerError, fake_server, outbox
from parley_worker import amqp_transport, reports, tool, worker as worker_module
from parley_worker.outbox import Journal
from parley_worker.recording import record
from parley_worker.tool import Tools
from parley_worker.transfer import allow_transfer
from parley_worker.reports import Report
from parley_worker.search import search
from parley_worker.testing import _EXAMPLE_START, _FakeDelivery, _FakeTransport as FakeTransport

logging.disable(logging.CRITICAL)  # handlers fail on purpose


def connected(result=None):
    def handle(call):
        call.connected()
        return result

    return handle


def failing(error):
    raise error


class ScriptedTransport(FakeTransport):
    """A server whose answers a test decides, which remembers how deliveries were settled."""

    def __init__(self):
        super().__init__()
        self.changed = threading.Condition()
        self.settled = []
        self.answer = None
        self.limit = None

    def offer(self, worker, body=None):
        self.call = {**_EXAMPLE_START, "conversation_id": str(uuid.uuid4()), "expires_at": "2100-01-01T00:00:00.000Z"}
        delivery = _FakeDelivery(self.call)
        if body is not None:
            delivery.body = body
        worker.delivered(delivery)

    def publish(self, *report, **options):
        with self.changed:
            super().publish(*report, **options)
            self.changed.notify_all()

    def request(self, *question):
        type, body = super().request(*question)
        return type, body if self.answer is None else self.answer(body)

    def ack(self, delivery, limit):
        self._settle("ack")

    def reject(self, delivery, requeue):
        self._settle("requeue" if requeue else "reject")

    def _settle(self, settlement):
        with self.changed:
            self.settled.append(settlement)
            self.changed.notify_all()

    def of(self, type):
        return [event["body"] for event in list(self.events) if event["type"] == type]

    def wait_for(self, type, count=1):
        with self.changed:
            return self.changed.wait_for(lambda: len(self.of(type)) >= count, 10)

    def wait_until_limited_to(self, limit):
        with self.changed:
            return self.changed.wait_for(lambda: self.limit == limit, 10)

    def set_limit(self, limit):
        with self.changed:
            self.limit = limit
            self.changed.notify_all()

    def wait_until_settled(self, count):
        with self.changed:
            return self.changed.wait_for(lambda: len(self.settled) >= count, 10)


def wait_until_free(worker):
    with worker._place_freed:
        return worker._place_freed.wait_for(lambda: worker._places_used + worker._claiming == 0, 10)


def running_worker(test, **options):
    """A worker with one place on a scripted transport, until the end of the test."""
    transport = ScriptedTransport()
    worker = Worker(url="amqp://fake", transport=transport, **options)
    worker.call(lambda call: None)
    started = threading.Event()
    worker.on("state", lambda state: started.set())
    running = threading.Thread(target=worker.run, daemon=True)
    running.start()
    test.assertTrue(started.wait(10))
    test.addCleanup(running.join, 10)
    test.addCleanup(worker.stop, seconds=0)
    return worker, transport


class Ends(unittest.TestCase):
    def assert_end(self, handler, type, reason, by, **offer):
        end = fake_server().offer(handler, **offer)["end"]
        self.assertEqual((end["type"], end["reason"], end["by"]), (type, reason, by))
        return end

    def test_what_a_handler_returns_is_the_end(self):
        end = self.assert_end(connected({"reason": "voicemail_reached", "by": "agent", "summary": "Beep."}),
                              "call.ended.v1", "voicemail_reached", "agent")
        self.assertEqual(end["summary"], "Beep.")

    def test_a_handler_can_name_an_earlier_end(self):
        def handle(ended_at):
            def converse(call):
                call.connected(datetime(2026, 1, 31, 9, 30, tzinfo=timezone.utc))
                return {"ended_at": ended_at}

            return converse

        for ended_at, reported in [
            (datetime(2026, 1, 31, 9, 31, tzinfo=timezone.utc), "2026-01-31T09:31:00.000Z"),
            (datetime(2026, 1, 31, 9, 0, tzinfo=timezone.utc), "2026-01-31T09:30:00.000Z"),
        ]:
            events = fake_server().offer(handle(ended_at))["events"]
            self.assertEqual(events[-1]["body"]["occurred_at"], reported)

    def test_nothing_is_a_hang_up_by_the_agent(self):
        self.assert_end(connected(), "call.ended.v1", "agent_hangup", "agent")

    def test_nothing_without_a_connection_is_an_error(self):
        self.assert_end(lambda call: None, "call.failed.v1", "error", "system")

    def test_nothing_after_the_worker_stopped_it_is_an_error(self):
        def cut_short(call):
            call.connected()
            call.interrupt("stopping")

        self.assert_end(cut_short, "call.ended.v1", "error", "system")

    def test_call_failed_is_its_reason(self):
        def fail(call):
            raise CallFailed("dial_busy")

        self.assert_end(fail, "call.failed.v1", "dial_busy", "system")

    def test_call_failed_after_the_connection_is_an_error(self):
        def fail(call):
            call.connected()
            raise CallFailed("dial_busy")

        self.assert_end(fail, "call.ended.v1", "error", "system")

    def test_another_exception_is_an_error(self):
        self.assert_end(lambda call: 1 / 0, "call.failed.v1", "error", "system")

    def test_a_program_exit_in_a_handler_is_an_error_and_frees_the_place(self):
        for exit in (SystemExit(1), KeyboardInterrupt()):
            with self.subTest(exit=exit):
                worker, transport = running_worker(self)
                failures = []
                worker.call(lambda call: failing(exit))
                worker.on("error", failures.append)
                with unittest.mock.patch.object(worker.logger, "exception") as logged:
                    for count in (1, 2):
                        transport.offer(worker)
                        self.assertTrue(transport.wait_for("call.failed.v1", count))
                        self.assertTrue(wait_until_free(worker))
                self.assertEqual([(end["disconnect_reason"], end["disconnected_by"])
                                  for end in transport.of("call.failed.v1")], [("error", "system")] * 2)
                self.assertEqual((failures, logged.call_count), ([exit, exit], 2))

    def test_a_wrong_result_is_an_error(self):
        for result in ("done", {"reason": "bored"}, {"raeson": "error"}, {"summary": 7}):
            self.assert_end(connected(result), "call.ended.v1", "error", "system")

    def test_a_hang_up_interrupts_and_cancels(self):
        def talk(call):
            call.connected()
            self.assertTrue(call.wait(20))
            self.assertEqual(call.interrupted, "hangup")

        self.assert_end(talk, "call.ended.v1", "cancelled", "system", hang_up_after_ms=10)

    def test_a_hang_up_cancels_a_call_that_then_fails(self):
        def ring(call):
            self.assertTrue(call.wait(20))
            raise CallFailed("dial_no_answer")

        self.assert_end(ring, "call.failed.v1", "cancelled", "system", hang_up_after_ms=10)

    def test_a_hang_up_keeps_the_reason_of_the_handler(self):
        def talk(call):
            call.connected()
            call.wait(20)
            return {"reason": "user_hangup"}

        self.assert_end(talk, "call.ended.v1", "user_hangup", "user", hang_up_after_ms=10)

    def test_a_call_that_reaches_the_worker_has_its_numbers(self):
        seen = []
        self.assert_end(lambda call: seen.append((call.direction, call.start["to_number"])) or call.connected(),
                        "call.ended.v1", "agent_hangup", "agent",
                        incoming={"to_number": "+15557654321", "from_number": "+15551234567"})
        self.assertEqual(seen, [("inbound", "+15557654321")])


class Reports(unittest.TestCase):
    def test_the_person_of_a_web_call_can_join_it_until_it_is_connected(self):
        url, until = "wss://voice.example.com/voice/4711?secret=Zm9v", datetime.now(timezone.utc) + timedelta(minutes=1)

        def handle(call):
            for wrong in [("ftp://voice.example.com", until), ("wss://a b", until), ("wss://a/" + "x" * 2048, until),
                          (url, until + timedelta(hours=1)), (url, "now")]:
                with self.assertRaises((TypeError, ValueError)):
                    call.joinable(*wrong)
            call.joinable(url, until)
            call.connected()
            with self.assertRaises(RuntimeError):
                call.joinable(url, until)

        seen = fake_server().offer(handle, start={"call_type": "webcall", "to_number": ""})
        self.assertEqual([event["type"] for event in seen["events"]],
                         ["call.joinable.v1", "call.connected.v1", "call.ended.v1"])
        body = seen["events"][0]["body"]
        self.assertEqual(body["url"], url)
        self.assertRegex(body["expires_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_users_can_listen_to_a_call_of_any_type(self):
        url, until = "wss://voice.example.com/voice/listen/4711", datetime.now(timezone.utc) + timedelta(hours=2)

        def handle(call):
            for wrong in [("ftp://voice.example.com", until), (url, until + timedelta(days=1))]:
                with self.assertRaises(ValueError):
                    call.listenable(*wrong)
            call.connected()
            call.listenable(url, until)

        seen = fake_server().offer(handle)
        self.assertEqual(seen["events"][1]["type"], "call.joinable.v1")
        self.assertEqual(seen["events"][1]["body"]["listen"]["url"], url)

    def test_a_phone_call_cannot_be_joined(self):
        def handle(call):
            with self.assertRaises(ValueError):
                call.joinable("wss://a.example", datetime.now(timezone.utc))

        seen = fake_server().offer(handle)
        self.assertEqual([event["type"] for event in seen["events"]], ["call.failed.v1"])

    def test_warnings_are_shortened_and_limited(self):
        def handle(call):
            for number in range(25):
                call.warn("voice_fallback", f"{number} " + "x" * 600)
            with self.assertRaises(TypeError):
                call.warn("voice_fallback", None)

        bodies = [event["body"] for event in fake_server().offer(handle)["events"] if event["type"] == "call.warning.v1"]
        self.assertEqual(len(bodies), 20)
        self.assertEqual((bodies[0]["code"], len(bodies[0]["text"]), bodies[0]["text"][-1]),
                         ("voice_fallback", 500, "…"))

    def test_turns_are_numbered_and_counted(self):
        def talk(call):
            call.connected(datetime(2026, 1, 31, 9, 30, tzinfo=timezone.utc))
            for number in range(250):
                call.turn("user", f"{number}")

        seen = fake_server().offer(talk)
        self.assertEqual([turn["sequence"] for turn in seen["turns"]], list(range(1, 251)))
        self.assertEqual(seen["events"][0]["body"]["occurred_at"], "2026-01-31T09:30:00.000Z")
        self.assertEqual(seen["events"][-1]["body"]["transcript_turns"], 250)

    def test_no_message_has_more_than_64_kb(self):
        def talk(call):
            call.connected()
            for _ in range(20):
                call.turn("user", "ß" * 9_000, tool={"name": "look", "result": "ß" * 90_000, "arguments": {"a": [1] * 900}})
            return {"summary": "ß" * 90_000}

        sizes = [len(json.dumps(event["body"], ensure_ascii=False).encode()) for event in
                 fake_server().offer(talk)["events"]]
        self.assertLess(max(sizes), 65_536)

    def test_a_turn_of_large_characters_fits_into_a_message(self):
        def talk(call):
            call.connected()
            call.turn("user", "\x01" * 8_000, tool={"name": "look", "result": "語" * 7_000, "arguments": ["語" * 7_000]})
            call.analyzed({f"note {number}": "語" * 2_000 for number in range(50)})

        seen = fake_server().offer(talk)
        sizes = [len(json.dumps(event["body"], ensure_ascii=False).encode()) for event in seen["events"]]
        self.assertLess(max(sizes), 65_536)
        self.assertEqual((len(seen["turns"]), seen["end"]["reason"]), (1, "agent_hangup"))

    def test_the_answers_to_criteria_are_reported_with_the_turns_that_show_them(self):
        def talk(call):
            call.connected()
            call.turn("agent", "May I record this call?")
            said = call.turn("user", "Yes.")
            call.analyzed({"rating": 4}, criteria={"consent": {"pass": True, "turns": [said], "reason": "x" * 3_000},
                                                   "price": {"pass": None}})

        analysis = fake_server().offer(talk)["analysis"]
        self.assertEqual(analysis, {"fields": {"rating": 4}, "opt_out": False, "criteria": {
            "consent": {"pass": True, "turns": [2], "reason": "x" * 1_999 + "…"}, "price": {"pass": None}}})

    def test_answers_to_criteria_fit_into_a_message(self):
        criteria = {f"{number}": {"pass": False, "turns": [2**53 - 1] * 100, "reason": "語" * 2_000} for number in range(50)}

        def talk(call):
            call.connected()
            call.analyzed({}, criteria=criteria)

        [body] = [event["body"] for event in fake_server().offer(talk)["events"] if event["type"] == "call.analyzed.v1"]
        self.assertLess(len(json.dumps(body, ensure_ascii=False).encode()), 65_536)
        self.assertEqual(list(body["criteria"]), list(criteria))

    def test_no_message_has_more_values_than_the_server_reads(self):
        def values(body):
            inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
            return 1 + sum(map(values, inner))

        def talk(call):
            call.connected()
            for _ in range(40):
                call.turn("tool", "", tool={"name": "look", "arguments": [1] * 3_000, "result": {"a": [[]] * 450}})
            for number in range(2_000):
                call.turn("user", f"{number}")

        seen = fake_server().offer(talk)
        transcripts = [event["body"] for event in seen["events"] if event["type"] == "call.transcript.v1"]
        self.assertLessEqual(max(map(values, transcripts)), 8_000)
        self.assertEqual([turn["sequence"] for turn in seen["turns"]], list(range(1, 2_041)))
        self.assertEqual(len(seen["turns"][0]["tool"]["arguments"]), 3_000)
        self.assertLess(len(transcripts), 30)

    def test_arguments_with_more_values_than_fit_are_sent_as_their_text(self):
        def talk(call):
            call.connected()
            call.turn("tool", "", tool={"name": "look", "arguments": [1] * 3_999})

        [event] = [event for event in fake_server().offer(talk)["events"] if event["type"] == "call.transcript.v1"]
        arguments = event["body"]["turns"][0]["tool"]["arguments"]
        self.assertEqual((arguments[:4], len(arguments)), ("[1,1", 7_999))

    def test_what_the_server_would_refuse_is_refused_at_once(self):
        def talk(call):
            call.connected()
            for wrong in (lambda: call.turn("robot", "Hi"), lambda: call.turn("agent", None),
                          lambda: call.turn("agent", "x", tool={"name": "t", "result": float("nan")}),
                          lambda: call.recorded("file:///etc/passwd"), lambda: call.recorded("https://user:pw@host/a"),
                          lambda: call.analyzed({"a": []}), lambda: call.analyzed({str(n): n for n in range(51)}),
                          lambda: call.analyzed({}, criteria=[]), lambda: call.analyzed({}, criteria={"a": True}),
                          lambda: call.analyzed({}, criteria={"a": {"turns": []}}),
                          lambda: call.analyzed({}, criteria={"a": {"pass": "yes"}}),
                          lambda: call.analyzed({}, criteria={"a": {"pass": True, "turns": [True]}}),
                          lambda: call.analyzed({}, criteria={"a": {"pass": True, "turns": [-1]}}),
                          lambda: call.analyzed({}, criteria={"a": {"pass": True, "turns": [1] * 101}}),
                          lambda: call.analyzed({}, criteria={"a": {"pass": True, "reason": None}}),
                          lambda: call.analyzed({}, criteria={"a" * 101: {"pass": True}}),
                          lambda: call.analyzed({}, criteria={str(n): {"pass": True} for n in range(51)}),
                          lambda: call.connected("now") if call.connected_at is None else call.turn("agent", "x", "now")):
                with self.assertRaises((TypeError, ValueError)):
                    wrong()

        self.assertEqual(fake_server().offer(talk)["end"]["reason"], "agent_hangup")

    def test_a_search_needs_an_address(self):
        def talk(call):
            with self.assertRaisesRegex(WorkerError, "api_url"):
                call.search("hours")

        fake_server().offer(talk)

    def test_a_recording_and_an_analysis_are_reported_also_after_the_end(self):
        calls = []

        def talk(call):
            calls.append(call)
            call.connected()
            call.recorded("https://example.com/a.wav", duration_sec=12.5)
            call.analyzed({"satisfied": True, "note": None}, opt_out=True)

        events = fake_server().offer(talk)["events"]
        bodies = {event["type"]: event["body"] for event in events}
        self.assertEqual((bodies["call.recorded.v1"]["recording_url"], bodies["call.recorded.v1"]["duration_sec"]),
                         ("https://example.com/a.wav", 12.5))
        self.assertEqual((bodies["call.analyzed.v1"]["fields"], bodies["call.analyzed.v1"]["opt_out"]),
                         ({"satisfied": True, "note": None}, True))
        calls[0].recorded("https://example.com/b.wav")
        with self.assertRaises(RuntimeError):
            calls[0].turn("agent", "Hello?")


class Incoming(unittest.TestCase):
    """Calls that reach a worker whose only place is taken."""

    def setUp(self):
        self.worker, self.transport = running_worker(self)
        self.finish = threading.Event()
        self.addCleanup(self.finish.set)
        self.directions = []

        def talk(call):
            self.directions.append(call.direction)
            call.connected()
            self.finish.wait(10)

        self.worker.call(talk)
        self.transport.offer(self.worker)
        self.assertTrue(self.transport.wait_for("call.connected.v1"))

    def ring(self):
        """Returns the list of what became of it, and its thread, when it waits for a place."""
        results = []

        def incoming():
            try:
                results.append(self.worker.incoming("+15557654321", "+15551234567"))
            except IncomingRefused as refused:
                results.append(refused.reason)

        thread = threading.Thread(target=incoming, daemon=True)
        thread.start()
        return results, thread

    def test_wait_for_a_place_and_get_it_before_those_of_the_queue(self):
        results, thread = self.ring()
        self.assertTrue(self.transport.wait_until_limited_to(0))
        self.assertEqual(results, [])
        self.transport.call = {**self.transport.call, "conversation_id": str(uuid.uuid4()), "direction": "inbound"}
        self.finish.set()
        thread.join(10)
        self.assertEqual((results, self.directions), ([None], ["outbound", "inbound"]))
        self.assertTrue(self.transport.wait_until_limited_to(1))

    def test_are_not_answered_without_a_place_for_as_long_as_a_caller_waits(self):
        with unittest.mock.patch.object(worker_module, "RINGING_SECONDS", 0.2):
            results, thread = self.ring()
            thread.join(10)
        self.assertEqual(results, ["no_answer"])

    def test_are_refused_when_the_worker_stops(self):
        results, thread = self.ring()
        self.assertTrue(self.transport.wait_until_limited_to(0))
        stopping = threading.Thread(target=self.worker.stop, daemon=True)
        stopping.start()
        thread.join(10)
        self.assertEqual(results, ["stopping"])
        self.finish.set()
        stopping.join(10)


class Refusals(unittest.TestCase):
    """A user of RabbitMQ without the permission for transcripts."""

    def test_an_end_is_reported_without_the_transcript_which_follows_when_it_may(self):
        worker, transport = running_worker(self)
        transport.call = None
        worker.call(lambda call: call.connected() or call.turn("agent", "Hello!"))
        generations = iter(range(1_000))
        attempts, is_permitted = [], threading.Event()
        publish = transport.publish

        def refusing(routing_key, type, *others):
            """As a channel of RabbitMQ does."""
            if type != "call.transcript.v1" or is_permitted.is_set():
                return publish(routing_key, type, *others)
            attempts.append(type)
            if worker.refused(routing_key, "The permission is missing."):
                threading.Thread(target=worker.connected, args=(f"{next(generations)}",), daemon=True).start()

        transport.publish = refusing
        with unittest.mock.patch.object(worker.logger, "warning") as logged, \
                unittest.mock.patch.object(reports, "REFUSED_SECONDS", 0.2):
            for count in (1, 2, 3):
                transport.offer(worker)
                self.assertTrue(transport.wait_for("call.ended.v1", count))
                self.assertTrue(wait_until_free(worker))
            self.assertTrue(worker.reports.wait_until_empty(10))
            self.assertEqual((transport.of("call.transcript.v1"), worker.stats()["unconfirmed"]), ([], 3))
            is_permitted.set()
            self.assertTrue(transport.wait_for("call.transcript.v1", 3))
        self.assertEqual((logged.call_count, worker.stats()["state"]), (1, "running"))

    def test_other_reports_need_their_permission(self):
        worker, _transport = running_worker(self)
        self.assertFalse(worker.refused("call.ended", "The permission is missing."))

    def test_reports_that_nobody_takes_do_not_fill_the_memory(self):
        worker, transport = running_worker(self)
        worker.refused("call.transcript", "The permission is missing.")
        worker.connected("next")

        def talk(call):
            call.connected()
            for _ in range(20):
                call.turn("agent", "x" * 8_000)

        worker.call(talk)
        with unittest.mock.patch.object(worker.logger, "error") as logged, \
                unittest.mock.patch.object(reports, "MAX_KEPT_BYTES", 100_000):
            for count in (1, 2):
                transport.offer(worker)
                self.assertTrue(transport.wait_for("call.ended.v1", count))
                self.assertTrue(wait_until_free(worker))
        self.assertEqual(logged.call_count, 1)
        self.assertLessEqual(worker.reports._bytes, 100_000)


class Connections(unittest.TestCase):
    def test_a_state_is_logged_once_although_each_address_fails_in_its_own_way(self):
        attempts = []
        closing, closed = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
        ports = [one.getsockname()[1] for one in (closing, closed)]
        closed.close()
        enough = threading.Event()

        def accept():
            with contextlib.suppress(OSError):  # the end of the test
                while True:
                    closing.accept()[0].close()
                    attempts.append(1)
                    if len(attempts) == 4:
                        enough.set()

        threading.Thread(target=accept, daemon=True).start()
        worker = Worker(url=",".join(f"amqp://127.0.0.1:{port}" for port in ports))
        worker.call(lambda call: None)
        running = threading.Thread(target=worker.run, daemon=True)
        with unittest.mock.patch.object(worker.logger, "warning") as logged, \
                unittest.mock.patch.object(amqp_transport, "LONGEST_PAUSE_SECONDS", 0.1):
            running.start()
            self.assertTrue(enough.wait(30))
            worker.stop(seconds=0)
        running.join(10)
        closing.close()
        self.assertEqual(logged.call_count, 1)


class Unreadable(unittest.TestCase):
    def assert_rejected(self, worker, transport, body=None):
        before = len(transport.settled)
        with unittest.mock.patch.object(worker.logger, "error") as logged:
            transport.offer(worker, body)
            self.assertTrue(transport.wait_until_settled(before + 1))
            self.assertTrue(wait_until_free(worker))
        self.assertEqual((transport.settled[before:], logged.call_count), (["reject"], 1))

    def test_a_message_that_cannot_be_read_is_rejected_once_and_takes_no_place(self):
        worker, transport = running_worker(self)
        for body in (b"[" * 100_000, b"[]", b"null", b"5", b"{}", b"{", b"\xff\xfe"):
            with self.subTest(body=body[:10]):
                self.assert_rejected(worker, transport, body)
        transport.offer(worker)
        self.assertTrue(transport.wait_for("call.failed.v1"))

    def test_a_grant_that_cannot_be_read_rejects_the_call_and_takes_no_place(self):
        worker, transport = running_worker(self)
        for answer in (lambda body: {**body, "heartbeat_seconds": "a"}, lambda body: {**body, "heartbeat_seconds": 0},
                       lambda body: {**body, "token": None}, lambda body: {"conversation_id": "a"}, lambda body: "token",
                       lambda body: 5):
            transport.answer = answer
            with self.subTest(answer=answer({})):
                self.assert_rejected(worker, transport)
                with self.assertRaises(IncomingRefused):
                    worker.incoming("+15557654321", "+15551234567")
                self.assertTrue(wait_until_free(worker))
            with unittest.mock.patch.object(worker.logger, "error") as logged:
                worker.answered_late("call.claimed.v1", answer({"conversation_id": "late"}))
            self.assertEqual((logged.call_count, len(worker.reports)), (1, 0))
        transport.answer = None
        transport.offer(worker)
        self.assertTrue(transport.wait_for("call.failed.v1"))


ALLOWED = json.dumps({"data": {"to_number": "+442079460958", "maximum_seconds": 3600}})


class Passages(BaseHTTPRequestHandler):
    """The search of a server: what it was asked, and two passages of each knowledge base."""
    asked = []
    #: The answers to transfers; None: the connection is lost.
    answers = []

    def do_GET(self):
        self.asked.append((self.path, self.headers["X-API-Key"] or self.headers["Authorization"]))
        base = self.path.split("/")[3]
        data = [{"text": f"{base} {score}", "score": score} for score in ((0.9, 0.2) if base == "one" else (0.5, 0.1))]
        answer = json.dumps({"status": 200, "message": "Passages", "data": data}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def do_PUT(self):
        body = b""
        if self.headers["Transfer-Encoding"] == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, self.headers["Authorization"], self.headers["Content-Type"], body))
        answer = json.dumps({"data": {"recording_url": "https://a.example/1"}}).encode()
        self.send_response(201)
        self.end_headers()
        self.wfile.write(answer)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, self.headers["Authorization"], body))
        status, answer = self.answers.pop(0)
        if status is None:
            return
        self.send_response(status)
        if status == 429 and "TOOL_LIMIT_REACHED" not in answer:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_):
        pass


class Search(unittest.TestCase):
    def setUp(self):
        self.server = HTTPServer(("127.0.0.1", 0), Passages)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.api_url = f"http://127.0.0.1:{self.server.server_port}/"
        Passages.asked.clear()
        self.start = {"knowledge_bases": [{"kb_id": kb_id, "search": f"/api/knowledge-base/{kb_id}/search"}
                                          for kb_id in ("one", "two")]}

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def search(self, *args, **options):
        return [passage["text"] for passage in search(self.api_url, "key", self.start, *args, **options)]

    def test_gives_the_best_passages_of_all_knowledge_bases(self):
        self.assertEqual(self.search("opening hours", limit=3), ["one 0.9", "two 0.5", "one 0.2"])
        self.assertEqual(Passages.asked[0], ("/api/knowledge-base/one/search?query=opening+hours&limit=3", "key"))

    def test_a_recording_is_handed_in_with_the_credential_of_the_call(self):
        api = {"url": self.api_url, "token": "parley_call_1"}
        for source in (b"RIFF1234", [b"RIFF", b"1234"], io.BytesIO(b"RIFF1234")):
            self.assertEqual(record(None, api, "c0de", source, "audio/wav"), "https://a.example/1")
        asked = ("/api/calls/c0de/recording", "Bearer parley_call_1", "audio/wav", b"RIFF1234")
        self.assertEqual(Passages.asked, [asked] * 3)
        with self.assertRaises(ValueError):
            record(None, api, "c0de", b"", "audio/ogg")
        with self.assertRaises(WorkerError):
            record(self.api_url, None, "c0de", b"", "audio/wav")

    def ask(self, *answers, api=None, wait=None):
        Passages.answers[:] = answers
        self.waited = []
        api = api or {"url": self.api_url, "token": "parley_call_1"}
        return allow_transfer(None, api, "c0de", "+4402079460958", wait or self.waited.append)

    def test_a_transfer_is_asked_for_with_the_credential_of_the_call(self):
        self.assertEqual(self.ask((200, ALLOWED)), ("+442079460958", 3600))
        self.assertEqual(Passages.asked, [("/api/calls/c0de/transfers", "Bearer parley_call_1",
                                           {"to_number": "+4402079460958"})])
        with self.assertRaises(WorkerError):
            allow_transfer(self.api_url, None, "c0de", "+442079460958", self.waited.append)

    def test_a_transfer_is_asked_for_again_if_the_server_cannot_answer_at_most_three_times(self):
        for failure in ((503, "{}"), (200, '{"data": {"to_num'), (200, '{"data": null}'), (None, "")):
            self.assertEqual(self.ask(failure, (429, "{}"), (200, ALLOWED)), ("+442079460958", 3600))
            self.assertEqual(self.waited, [1, 1])
        Passages.asked.clear()
        with self.assertRaisesRegex(urllib.error.HTTPError, "502"):
            self.ask((503, "{}"), (429, "{}"), (502, "{}"), (200, ALLOWED))
        self.assertEqual(len(Passages.asked), 3)

    def test_a_transfer_that_the_server_refuses_or_whose_call_was_hung_up_is_asked_for_once(self):
        with self.assertRaisesRegex(urllib.error.HTTPError, "400"):
            self.ask((400, "{}"), (200, ALLOWED))
        with self.assertRaisesRegex(urllib.error.HTTPError, "503"):
            self.ask((503, "{}"), (200, ALLOWED), wait=lambda seconds: True)
        self.assertEqual(len(Passages.asked), 2)

    def test_uses_the_credential_of_the_call_without_options(self):
        api = {"url": self.api_url, "token": "parley_call_1"}
        self.assertEqual(len(search(None, None, self.start, "hours", limit=1, api=api)), 1)
        self.assertEqual(Passages.asked[0], ("/api/knowledge-base/one/search?query=hours&limit=1",
                                             "Bearer parley_call_1"))

    def test_gives_those_of_one_knowledge_base(self):
        self.assertEqual(self.search("hours", knowledge_base_id="two"), ["two 0.5", "two 0.1"])
        with self.assertRaisesRegex(ValueError, "three"):
            self.search("hours", knowledge_base_id="three")


DONE = {"invocation_id": "i-1", "state": "done", "result": {"id": "b-17"}, "error": None, "arguments": {"day": "3"},
        "variables": {"booking_id": "b-17"}}
INVOCATION = {**{key: value for key, value in DONE.items() if key != "arguments"}, "code": None, "repeated": False}
RUNNING = {**DONE, "state": "running", "result": None, "variables": {}}
NOTHING = {"invocation_id": None, "result": None, "variables": {}}


class ToolServer(BaseHTTPRequestHandler):
    """The tools of a server: what it was asked, and the answers of a test; None: the connection is lost."""
    asked = []
    answers = []

    def do_GET(self):
        length = int(self.headers["Content-Length"] or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        self.asked.append((self.command, self.path, self.headers["Authorization"], self.headers["Idempotency-Key"], body))
        status, answer, *headers = self.answers.pop(0)
        if status is None:
            return
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write((answer if isinstance(answer, str) else json.dumps(answer)).encode())

    do_POST = do_GET

    def log_message(self, *_):
        pass


class AskedTools(unittest.TestCase):
    CUT = (None, "")
    LATER = ("Retry-After", "0")

    def setUp(self):
        self.server = HTTPServer(("127.0.0.1", 0), ToolServer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.tools = Tools(None)
        self.api = {"url": f"http://127.0.0.1:{self.server.server_port}/", "token": "parley_call_1"}
        self.start = {"conversation_id": "c0de", "tools": [{"name": "book_table", "mode": "wait"}]}
        ToolServer.asked.clear()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def ask(self, *answers, arguments=None, confirmed=False):
        ToolServer.answers[:] = answers
        return self.tools.ask(self.start, self.api, "book_table", arguments or {"day": "3"}, confirmed)

    def keys(self):
        return {key for _, _, _, key, _ in ToolServer.asked}

    def test_a_tool_is_asked_for_with_the_credential_of_the_call_and_a_key_of_its_own(self):
        self.assertEqual(self.ask((200, {"data": {**DONE, "repeated": False}})), INVOCATION)
        self.assertEqual(self.ask((200, {"data": {**DONE, "repeated": True}}), confirmed=True),
                         {**INVOCATION, "repeated": True})
        method, path, credential, _, body = ToolServer.asked[1]
        self.assertEqual((method, path, credential), ("POST", "/api/calls/c0de/tools/book_table", "Bearer parley_call_1"))
        self.assertEqual((body["arguments"], body["confirmed"]), ({"day": "3"}, True))
        self.assertEqual(len(self.keys()), 2)
        with self.assertRaises(WorkerError):
            self.tools.ask(self.start, None, "book_table", {}, False)
        with self.assertRaises(TypeError):
            self.ask(arguments={"day": object()})

    def test_a_tool_is_asked_for_again_with_the_same_key_until_there_is_an_answer(self):
        busy = {"error_code": "TOOLS_BUSY"}
        answers = [self.CUT, (503, "{}", self.LATER), (429, busy, self.LATER), (200, '{"data": {"invo'), (500, "")]
        self.assertEqual(self.ask(*answers, (200, {"data": DONE})), INVOCATION)
        self.assertEqual((len(ToolServer.asked), len(self.keys())), (6, 1))

    def test_a_tool_that_takes_long_is_waited_for(self):
        self.assertEqual(self.ask((200, {"data": RUNNING}), (200, {"data": RUNNING}), self.CUT, (200, {"data": DONE})),
                         INVOCATION)
        waits = [(method, path.split("?")[0]) for method, path, *_ in ToolServer.asked[1:]]
        self.assertEqual(waits, [("GET", "/api/calls/c0de/tools/invocations/i-1")] * 3)

    def test_a_tool_in_the_background_runs_and_its_end_can_be_waited_for(self):
        self.start["tools"][0]["mode"] = "background"
        asked = self.ask((200, {"data": RUNNING}), (200, {"data": DONE}))
        self.assertEqual((asked["state"], len(ToolServer.asked)), ("running", 1))
        self.assertEqual(self.tools.wait(self.start, self.api, asked), INVOCATION)

    def test_a_refusal_says_why_and_is_asked_for_once(self):
        errors = [{"message": "day is missing"}, {"message": "persons must be at most 12"}]
        for status, body, error in (
                (404, {"error_code": "TOOL_NOT_FOUND", "error": {"details": "No tool x."}}, "No tool x."),
                (409, {"error_code": "CALL_ENDED", "message": "The call has ended"}, "The call has ended"),
                (422, {"error_code": "TOOL_ARGUMENTS_INVALID", "message": "Validation failed", "errors": errors},
                 "day is missing; persons must be at most 12"),
                (429, {"error_code": "TOOL_LIMIT_REACHED", "details": "At most 100."}, "At most 100.")):
            with self.subTest(status=status):
                self.assertEqual(self.ask((status, body)), {**INVOCATION, **NOTHING, "state": "refused", "error": error,
                                                            "code": body["error_code"]})
        self.assertEqual(len(ToolServer.asked), 4)

    def test_without_an_answer_it_is_not_known_what_was_done(self):
        busy = (429, {"error_code": "TOOLS_BUSY", "message": "Too many"}, self.LATER)
        unauthorized = (401, {"error_code": "INVALID_CREDENTIAL"})
        gone = (404, {"error_code": "INVOCATION_NOT_FOUND"})
        moments = iter(range(0, 1_000, 31))
        with unittest.mock.patch.object(tool.time, "monotonic", lambda: next(moments)):
            lost, refused = self.ask(self.CUT), self.ask(busy)
        self.assertEqual((lost["state"], lost["invocation_id"]), ("unknown", None))
        self.assertRegex(lost["error"], "^The server has not said whether this was done: ")
        self.assertEqual((refused["state"], refused["code"]), ("refused", "TOOLS_BUSY"))
        self.assertEqual(self.ask(self.CUT, unauthorized)["state"], "unknown")
        forgotten = self.ask((200, {"data": RUNNING}), gone)
        self.assertEqual((forgotten["state"], forgotten["invocation_id"]), ("unknown", "i-1"))


class OfferedTools(unittest.TestCase):
    FUNCTIONS = {"book_table": lambda given: {"booking": f"on {given['day']}"},
                 "cancel": lambda _: failing(ValueError("There is no booking"))}

    def use(self, handle, described=(), **tools):
        seen = []
        fake_server().offer(lambda call: seen.append(handle(call)), start={"tools": list(described)}, **tools)
        return seen[0]

    def test_a_handler_gets_what_the_functions_of_a_test_return(self):
        used = self.use(lambda call: call.tool("book_table", {"day": "3"}), tools=self.FUNCTIONS)
        self.assertEqual((used["state"], used["result"], set(used)), ("done", {"booking": "on 3"}, set(INVOCATION)))
        names = self.use(lambda call: [tool["name"] for tool in call.start["tools"]], tools=self.FUNCTIONS)
        self.assertEqual(names, ["book_table", "cancel"])

    def test_a_function_that_raises_an_unknown_tool_and_one_without_consent_are_refused(self):
        for name, reason, tools in (("cancel", {"error": "There is no booking"}, self.FUNCTIONS),
                                    ("other", {"code": "TOOL_NOT_FOUND"}, self.FUNCTIONS),
                                    ("other", {"code": "TOOL_NOT_FOUND"}, None)):
            used = self.use(lambda call: call.tool(name), tools=tools)
            self.assertEqual(used, {**used, "state": "refused", **reason})
        asks_first = {"name": "book_table", "mode": "wait", "confirm": True}
        used = self.use(lambda call: call.tool("book_table"), [asks_first], tools=self.FUNCTIONS)
        self.assertEqual(used["code"], "TOOL_NOT_CONFIRMED")

    def test_a_tool_in_the_background_runs_while_the_handler_goes_on(self):
        go_on = threading.Event()

        def handle(call):
            asked = call.tool("slow")
            go_on.set()
            return asked["state"], call.wait_for_tool(asked)["result"]

        used = self.use(handle, [{"name": "slow", "mode": "background"}], tools={"slow": lambda _: go_on.wait(10)})
        self.assertEqual(used, ("running", True))


class Places(unittest.TestCase):
    def test_another_call_takes_the_place_that_a_call_gives_back_which_goes_on_and_takes_it_again(self):
        worker, transport = running_worker(self)
        begun, finish = queue.Queue(), threading.Event()

        def converse(call):
            begun.put(call)
            finish.wait(10)

        worker.call(converse)
        transport.offer(worker)
        first = begun.get(timeout=10)
        for _ in range(2):
            first.release_place()
        self.assertEqual((transport.limit, worker.stats()["calls"]), (1, 0))
        transport.offer(worker)
        begun.get(timeout=10)
        self.assertEqual(worker.stats()["calls"], 1)
        for _ in range(2):
            first.take_place()
        self.assertEqual((transport.limit, worker.stats()["calls"]), (0, 2))
        transport.offer(worker)
        self.assertTrue(transport.wait_until_settled(3))
        self.assertEqual(transport.settled, ["ack", "ack", "requeue"])
        finish.set()
        self.assertTrue(wait_until_free(worker))
        self.assertEqual((transport.limit, worker.stats()["calls"]), (1, 0))


class Observation(unittest.TestCase):
    def test_a_worker_tells_its_listeners_and_counts(self):
        seen, transport = [], FakeTransport()
        transport.call = {**_EXAMPLE_START, "conversation_id": str(uuid.uuid4()),
                          "expires_at": "2100-01-01T00:00:00.000Z"}
        worker = Worker(url="amqp://fake", transport=transport)
        worker.call(lambda call: 1 / 0)
        started, ended = threading.Event(), threading.Event()
        worker.on("state", lambda state: seen.append(state) or started.set()).on("call", lambda call: seen.append(call.id))
        worker.on("end", lambda call, end: seen.append(end["reason"]) or ended.set())
        worker.on("error", lambda error: seen.append(type(error).__name__))
        with self.assertRaises(ValueError):
            worker.on("ring", seen.append)
        self.assertEqual(worker.stats(), {"state": "connecting", "calls": 0, "claimed": 0, "refused": 0,
                                          "unconfirmed": 0})
        running = threading.Thread(target=worker.run, daemon=True)
        running.start()
        self.assertTrue(started.wait(10))
        worker.delivered(_FakeDelivery(transport.call))
        self.assertTrue(ended.wait(10))
        results = [worker.stop(), worker.stop()]
        running.join(10)

        self.assertEqual(seen, ["running", transport.call["conversation_id"], "ZeroDivisionError", "error",
                                "draining", "stopped"])
        self.assertEqual(results[0], results[1])
        self.assertEqual((worker.stats()["state"], worker.stats()["claimed"]), ("stopped", 1))


class Stop(unittest.TestCase):
    def test_a_worker_that_has_not_run_stops_and_takes_no_calls(self):
        with tempfile.TemporaryDirectory() as folder:
            worker = Worker(url="amqp://localhost:1", outbox=folder)
            worker.call(lambda call: None)
            self.assertEqual(worker.stop(), {"finished": 0, "cut": 0})
            self.assertEqual(worker.stats()["state"], "stopped")
            worker.run()
            self.assertEqual(os.listdir(folder), [])


class Readme(unittest.TestCase):
    """The code of the README, as it is written there."""

    def blocks(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "README.md")
        with open(path, encoding="utf-8") as file:
            return re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)

    def test_its_handler_and_its_test_run(self):
        program, test = self.blocks()
        names = {}
        exec(program.replace("worker.run()\n", ""), names)
        exec(test, names)
        seen = names["fake_server"]().offer(names["handle"], start={"greeting": "Good day!"})
        self.assertEqual((seen["turns"][0]["text"], seen["end"]["summary"]), ("Good day!", "Said hello."))
        names["test_greets"]()


class Options(unittest.TestCase):
    def test_come_from_the_environment_and_have_defaults(self):
        with unittest.mock.patch.dict(os.environ, {"PARLEY_CAPACITY": "7", "PARLEY_DRAIN_SECONDS": "9"}):
            worker = Worker()
            self.assertEqual((worker.capacity, worker.drain_seconds), (7, 9))
        with unittest.mock.patch.dict(os.environ, clear=True):
            worker = Worker()
            self.assertEqual((worker.capacity, worker.drain_seconds, worker.version), (1, 3600, ""))

    def test_a_wrong_option_is_said_at_once(self):
        wrong = [({"capacity": capacity}, "capacity must be a whole number from 1 to")
                 for capacity in (0, 1.5, "1.5", float("nan"), float("inf"), True, [], 2_000_000)]
        wrong += [({"drain_seconds": seconds}, "drain_seconds must be a number from 0 to")
                  for seconds in (-1, "long", float("nan"), "nan", float("inf"), False)]
        for options, says in [({"url": "http://localhost"}, "amqp://"), *wrong]:
            with self.subTest(options=options), self.assertRaisesRegex(WorkerError, says):
                Worker(**options)
        with self.assertRaisesRegex(WorkerError, "seconds"):
            Worker().stop(seconds=float("nan"))
        with self.assertRaisesRegex(WorkerError, "handler"):
            Worker().run()


class Outbox(unittest.TestCase):
    def journal(self, folder):
        return Journal(folder, logging.getLogger("test"))

    def test_what_was_not_confirmed_is_found_by_the_next_process(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.journal(folder)
            reports = [Report("call.ended.v1", {"conversation_id": str(number)}) for number in range(3)]
            for report in reports:
                first.add(report)
            first.confirm(reports[1])
            second = self.journal(folder)
            self.assertEqual(second.take_over(), [])  # the first process still runs
            first._lock_file.close()  # as the end of a process does
            self.assertEqual([report.body["conversation_id"] for report in second.take_over()], ["0", "2"])
            self.assertEqual(second.take_over(), [])
            second.close()

    def test_a_report_that_was_cut_by_a_kill_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.journal(folder)
            first.add(Report("call.ended.v1", {"conversation_id": "whole"}))
            first._file.write(b"0badc0de {\"id\": \"cut")
            first._file.flush()
            first._lock_file.close()
            second = self.journal(folder)
            self.assertEqual([report.body["conversation_id"] for report in second.take_over()], ["whole"])
            second.close()

    def test_its_file_stays_small_while_some_reports_are_never_confirmed(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(outbox, "COMPACT_BYTES", 10_000):
            first = self.journal(folder)
            first.add(Report("call.transcript.v1", {"conversation_id": "refused"}))
            for number in range(500):
                report = Report("call.ended.v1", {"conversation_id": str(number)})
                first.add(report)
                first.confirm(report)
            self.assertLess(os.path.getsize(first._file.name), 11_000)
            last = Report("call.ended.v1", {"conversation_id": "last"})
            first.add(last)
            first._lock_file.close()
            second = self.journal(folder)
            self.assertEqual([report.body["conversation_id"] for report in second.take_over()], ["refused", "last"])
            second.close()
            first._file.close()

    @contextlib.contextmanager
    def full_disk(self, room):
        """No file gets larger than this."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    def test_a_full_disk_is_logged_once_and_cuts_no_other_report(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.journal(folder)
            reports = [Report("call.ended.v1", {"conversation_id": str(number)}) for number in range(4)]
            self.assertTrue(first.add(reports[0]))
            size = os.path.getsize(first._file.name)
            with unittest.mock.patch.object(first._logger, "error") as logged, self.full_disk(size + 20):
                self.assertEqual([first.add(report) for report in reports[1:3]], [False, False])
                self.assertEqual(os.path.getsize(first._file.name), size)
            self.assertEqual(logged.call_count, 1)
            self.assertTrue(first.add(reports[3]))
            first._lock_file.close()
            second = self.journal(folder)
            with self.full_disk(10):
                self.assertEqual([report.body["conversation_id"] for report in second.take_over()], ["0", "3"])
            second.close()
            third = self.journal(folder)  # what the second process could not copy is still there
            self.assertEqual([report.body["conversation_id"] for report in third.take_over()], ["0", "3"])
            third.close()
            first._file.close()

    def test_a_worker_with_a_full_disk_sends_reports_and_heartbeats_and_stops(self):
        with tempfile.TemporaryDirectory() as folder:
            worker, transport = running_worker(self, outbox=folder)
            transport.answer = lambda body: {**body, "heartbeat_seconds": 0.05}
            finish = threading.Event()

            def talk(call):
                call.connected()
                call.turn("agent", "Hello!")
                finish.wait(10)

            worker.call(talk)
            with unittest.mock.patch.object(worker.logger, "error") as logged, self.full_disk(10):
                transport.offer(worker)
                self.assertTrue(transport.wait_for("call.transcript.v1"))
                self.assertTrue(transport.wait_for("call.heartbeat.v1", len(transport.of("call.heartbeat.v1")) + 2))
                finish.set()
                self.assertTrue(transport.wait_for("call.ended.v1"))
                self.assertEqual(worker.stop(seconds=5)["cut"], 0)
            self.assertEqual(logged.call_count, 1)


if __name__ == "__main__":
    unittest.main()
