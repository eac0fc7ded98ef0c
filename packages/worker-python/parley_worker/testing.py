"""A server for unit tests of handlers, without RabbitMQ."""
import copy
import json
import threading
import uuid
from datetime import timedelta

from .messages import encode, iso, now
from .transport import Transport
from .worker import Worker

_EXAMPLE_START = {
    "workspaceId": "019b76da-a800-7000-8000-000000000001", "userId": "019b76da-a800-7000-8000-000000000002",
    "agent_id": "019b76da-a800-7000-8000-000000000003", "agent_version": 1, "campaign_id": None,
    "call_type": "phonecall", "direction": "outbound", "channel": "voice", "to_number": "+15551234567",
    "from_number": "", "customer_name": "", "greeting": "Hello!", "dynamic_variables": {}, "memory_id": "",
    "style": "", "external_id": "", "webhook_url": "", "traceparent": "", "knowledge_bases": [],
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


class _FakeServer:
    def offer(self, handler, start=None, hang_up_after_ms=None, incoming=None, timeout_seconds=30):
        """Runs the handler for one call and returns what the server would have received:
        `{"events": [{"type", "body"}], "turns": [{"sequence", "speaker", "text"}],
        "end": {"type", "reason", "by", "summary", "outcome"}}`. `start` overrides fields of the call. With `incoming`
        (`{"to_number", "from_number"}`) the call reaches the runtime."""
        transport = _FakeTransport()
        created_at = now()
        call = {**copy.deepcopy(_EXAMPLE_START), "conversation_id": str(uuid.uuid4()), "created_at": iso(created_at),
                "expires_at": iso(created_at + timedelta(seconds=60)), **(start or {})}
        if incoming:
            call = {**call, **incoming, "direction": "inbound"}
        transport.call = call
        worker = Worker(url="amqp://fake", name="test", capacity=1, drain_seconds=timeout_seconds, transport=transport)
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
    return {
        "events": [event for event in events if event["type"] != "call.heartbeat.v1"],
        "turns": turns,
        "end": end and {"type": end["type"], "reason": body["disconnect_reason"], "by": body["disconnected_by"],
                        "summary": body.get("summary"), "outcome": body.get("outcome")},
    }


def fake_server():
    """A server for unit tests of handlers, without RabbitMQ."""
    return _FakeServer()
