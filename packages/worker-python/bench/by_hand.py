"""The same on pika alone, in one thread: claims, acknowledgements, heartbeats and reports with confirms, but no outbox, no
reconnection, no order of reports that were not confirmed, no drain, and heartbeats that a blocking handler stops."""
import json
import os
import uuid
from datetime import datetime, timezone

import pika

from usage import report_usage

PREFIX = os.environ["BROKER_PREFIX"]
WORKER_ID = str(uuid.uuid4())
REPLY_TO = "amq.rabbitmq.reply-to"
claims, unconfirmed = {}, {}
published = 0


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def report(event, body):
    global published
    properties = pika.BasicProperties(type=f"{event}.v1", message_id=str(uuid.uuid4()), delivery_mode=2)
    message = json.dumps(body)
    published += 1
    unconfirmed[published] = message
    events.basic_publish(f"{PREFIX}.events", event, message, properties)


def confirmed(frame):
    tag = frame.method.delivery_tag
    for each in range(tag, 0, -1) if frame.method.multiple else (tag,):
        if unconfirmed.pop(each, None) is None:
            break


def take(channel, method, _, body):
    start = json.loads(body)
    correlation_id = str(uuid.uuid4())
    claims[correlation_id] = (start, method.delivery_tag)
    claim = {"conversation_id": start["conversation_id"], "claim_id": str(uuid.uuid4()), "worker_id": WORKER_ID}
    properties = pika.BasicProperties(type="call.claim.v1", correlation_id=correlation_id, reply_to=REPLY_TO)
    channel.basic_publish(f"{PREFIX}.events", "claim", json.dumps(claim), properties)


def answered(channel, _, properties, body):
    start, delivery_tag = claims.pop(properties.correlation_id)
    channel.basic_ack(delivery_tag)
    if properties.type == "call.claimed.v1":
        conduct(start, json.loads(body))


def conduct(start, claimed):
    ids = {"conversation_id": claimed["conversation_id"], "token": claimed["token"]}
    connected_at = now()
    turns = 0
    over = False

    def beat():
        if not over:
            report("call.heartbeat", {**ids, "occurred_at": now()})
            loop.call_later(claimed["heartbeat_seconds"], beat)

    def speak():
        nonlocal turns, over
        if turns == 10:
            over = True
            return report("call.ended", {**ids, "occurred_at": now(), "connected_at": connected_at,
                                         "disconnect_reason": "agent_hangup", "disconnected_by": "agent",
                                         "summary": "Done.", "transcript_turns": turns})
        turns += 1
        turn = {"sequence": turns, "speaker": "agent", "text": f"{start['greeting']} {turns}", "started_at": now()}
        report("call.transcript", {**ids, "turns": [turn]})
        loop.call_later(2, speak)

    loop.call_later(claimed["heartbeat_seconds"], beat)
    report("call.connected", {**ids, "occurred_at": connected_at})
    speak()


def open_channels(_):
    connection.channel(on_open_callback=open_events)


def open_events(channel):
    global events
    events = channel
    events.confirm_delivery(confirmed)
    connection.channel(on_open_callback=open_calls)


def open_calls(channel):
    channel.basic_qos(prefetch_count=min(100, int(os.environ["PARLEY_CAPACITY"])))
    channel.basic_consume(REPLY_TO, answered, auto_ack=True)
    channel.basic_consume(f"{PREFIX}.calls.default", take)
    report_usage()


connection = pika.SelectConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]), on_open_callback=open_channels)
loop = connection.ioloop
loop.start()
