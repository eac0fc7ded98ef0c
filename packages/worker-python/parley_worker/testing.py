"""A server for unit tests of handlers, without RabbitMQ."""
import copy
import json
import threading
import uuid
from concurrent.futures import Future
from datetime import timedelta

from .messages import encode, iso, now, shorten
from .tool import MAX_ERROR, NO_INVOCATION
from .transport import Transport
from .worker import Worker

_EXAMPLE_START = {
    "workspaceId": "019b76da-a800-7000-8000-000000000001", "userId": "019b76da-a800-7000-8000-000000000002",
    "agent_id": "019b76da-a800-7000-8000-000000000003", "agent_version": 1, "campaign_id": None,
    "call_type": "phonecall", "direction": "outbound", "channel": "voice", "to_number": "+15551234567",
    "from_number": "", "customer_name": "", "greeting": "Hello!", "dynamic_variables": {}, "memory_id": "",
    "style": "", "external_id": "", "webhook_url": "", "traceparent": "", "knowledge_bases": [], "tools": [],
    "analysis": {"fields": [], "criteria": []},
    "agent": {"name": "Agent", "type": "outbound", "prompt": "", "greeting": "Hello!", "dynamic_variables": [],
              "metaData": {}},
}


class _FakeDelivery:
    type = "call.start.v1"

    def __init__(self, start):
        self.body = encode(start)


class _FakeTransport(Transport):
    """The server and the broker in one process: grants every claim and stores every report."""

    def __init__(self):
        self.events = []
        self.over = threading.Event()

    def start(self, listener):
        self.listener = listener
        listener.connected("fake")
        listener.working()

    def set_limit(self, limit):
        pass

    def ack(self, delivery, limit):
        pass

    def reject(self, delivery, requeue):
        pass

    def publish(self, routing_key, type, body, message_id, on_settled=None):
        if type.startswith("call."):
            self.events.append({"type": type, "body": json.loads(encode(body))})
        if on_settled:
            threading.Thread(target=on_settled, args=(True,), daemon=True).start()

    def request(self, routing_key, type, body, seconds, correlation_id):
        claimed = {"conversation_id": self.call["conversation_id"], "token": str(uuid.uuid4()), "lease_seconds": 30,
                   "heartbeat_seconds": 10}
        if type == "call.claim.v1":
            return "call.claimed.v1", claimed
        return "call.incoming-accepted.v1", {**claimed, "call": self.call}

    def forget(self, correlation_id):
        return None

    def close(self):
        pass


class _FakeTools:
    """The tools of a test, in the place of those of the server."""

    def __init__(self, functions):
        self._functions = functions
        self._running = {}

    def described_by(self, described):
        """The tools of a call: those that the test describes, and plain ones for its other functions."""
        names = {tool["name"] for tool in described}
        return described + [{"name": name, "description": name, "parameters": {"type": "object"}, "mode": "wait",
                             "confirm": False, "say": ""} for name in self._functions if name not in names]

    def ask(self, start, api, name, arguments, confirmed):
        described = next((tool for tool in start["tools"] if tool["name"] == name), {})
        if name not in self._functions:
            return self._refuse("TOOL_NOT_FOUND", f"The call has no tool {name}.")
        if described.get("confirm") and not confirmed:
            return self._refuse("TOOL_NOT_CONFIRMED", "The person has not been asked.")
        invocation = {**NO_INVOCATION, "invocation_id": str(uuid.uuid4())}
        arguments = json.loads(json.dumps(arguments))
        if described.get("mode") != "background":
            return self._run(name, arguments, invocation)
        settled = self._running[invocation["invocation_id"]] = Future()
        threading.Thread(target=lambda: settled.set_result(self._run(name, arguments, invocation)), daemon=True).start()
        return {**invocation, "state": "running"}

    def wait(self, start, api, asked):
        return self._running[asked["invocation_id"]].result() if asked["state"] == "running" else asked

    def _run(self, name, arguments, invocation):
        try:
            return {**invocation, "state": "done", "result": json.loads(json.dumps(self._functions[name](arguments)))}
        except Exception as error:
            return {**invocation, "state": "refused", "error": shorten(str(error), MAX_ERROR)}

    @staticmethod
    def _refuse(code, error):
        return {**NO_INVOCATION, "state": "refused", "code": code, "error": error}


class _FakeServer:
    def offer(self, handler, start=None, hang_up_after_ms=None, incoming=None, timeout_seconds=30, tools=None):
        """Runs the handler for one call and returns what the server would have received:
        `{"events": [{"type", "body"}], "turns": [{"sequence", "speaker", "text"}],
        "analysis": {"fields", "opt_out", "criteria"?} or None, "end": {"type", "reason", "by", "summary", "outcome"}}`. `start` overrides fields of the call. With `incoming`
        (`{"to_number", "from_number"}`) the call reaches the runtime. `tools` has a function for each tool of the call: its
        result is the answer, and what it raises refuses."""
        transport = _FakeTransport()
        created_at = now()
        call = {**copy.deepcopy(_EXAMPLE_START), "conversation_id": str(uuid.uuid4()), "created_at": iso(created_at),
                "expires_at": iso(created_at + timedelta(seconds=60)), **(start or {})}
        if incoming:
            call = {**call, **incoming, "direction": "inbound"}
        fake_tools = _FakeTools(tools or {})
        call["tools"] = fake_tools.described_by(call["tools"])
        transport.call = call
        worker = Worker(url="amqp://fake", name="test", capacity=1, drain_seconds=timeout_seconds, transport=transport)
        worker.tools = fake_tools
        worker.call(handler)
        ended = threading.Event()
        worker.on("end", lambda *_: ended.set())
        if hang_up_after_ms is not None:
            worker.on("call", lambda one: threading.Timer(hang_up_after_ms / 1000, one.interrupt, ("hangup",)).start())
        running = threading.Thread(target=worker.run, daemon=True)
        running.start()
        worker._connected.wait(timeout_seconds)
        if incoming:
            worker.incoming(incoming["to_number"], incoming["from_number"])
        else:
            worker.delivered(_FakeDelivery(call))
        ended.wait(timeout_seconds)
        worker.stop(seconds=0)
        running.join(timeout_seconds)
        return _summary_of(transport.events)


def _summary_of(events):
    turns = [turn for event in events if event["type"] == "call.transcript.v1" for turn in event["body"]["turns"]]
    end = next((event for event in events if event["type"] in ("call.ended.v1", "call.failed.v1")), None)
    body = end["body"] if end else {}
    analyzed = [event["body"] for event in events if event["type"] == "call.analyzed.v1"]
    report = analyzed[-1] if analyzed else None
    return {
        "events": [event for event in events if event["type"] != "call.heartbeat.v1"],
        "turns": turns,
        "analysis": report and {key: report[key] for key in ("fields", "opt_out", "criteria") if key in report},
        "end": end and {"type": end["type"], "reason": body["disconnect_reason"], "by": body["disconnected_by"],
                        "summary": body.get("summary"), "outcome": body.get("outcome")},
    }


def fake_server():
    """A server for unit tests of handlers, without RabbitMQ."""
    return _FakeServer()
