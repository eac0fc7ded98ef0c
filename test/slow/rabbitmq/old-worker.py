"""An agent runtime for Parley. It handles one call at a time and has no telephony. See ../docs/runtime-contract.md"""
import json, os, time, uuid
from datetime import datetime, timezone
import pika  # python3 -m pip install pika

PREFIX = os.environ.get("PARLEY_PREFIX") or os.environ.get("BROKER_PREFIX") or "voice"
QUEUE = os.environ.get("PARLEY_QUEUE") or f"{PREFIX}.calls.default"  # or the queue of a pool
WORKER_ID = f"worker.py {uuid.uuid4()}"
rabbitmq = pika.BlockingConnection(pika.URLParameters(os.environ.get("RABBITMQ_URL") or "amqp://localhost"))
calls, claims, events = rabbitmq.channel(), rabbitmq.channel(), rabbitmq.channel()
events.confirm_delivery()  # publishing raises if RabbitMQ has not stored the event; a real worker sends it again
answers = {}  # the server's answers to claims, by correlation id
hung_up = set()  # conversations that a client of the API asked to end


def on_answer(_channel, _method, properties, body):
    answers[properties.correlation_id] = json.loads(body)


def on_command(_channel, _method, properties, body):
    if properties.type == "call.hangup.v1":
        hung_up.add(json.loads(body)["conversation_id"])


def claim(call):
    """Claims the call; a worker dials only if its claim is granted. Returns None if it is refused or the call expires."""
    request = {"conversation_id": call["conversation_id"], "claim_id": str(uuid.uuid4()), "worker_id": WORKER_ID}
    expires_at = datetime.fromisoformat(call["expires_at"].replace("Z", "+00:00"))  # Python before 3.11 does not parse Z
    while True:  # a repeated claim gets the same answer, so a lost answer does no harm
        correlation_id = str(uuid.uuid4())
        properties = pika.BasicProperties(type="call.claim.v1", content_type="application/json", expiration="5000",
                                          correlation_id=correlation_id, reply_to="amq.rabbitmq.reply-to")
        claims.basic_publish(f"{PREFIX}.events", "claim", json.dumps(request), properties)
        deadline = time.monotonic() + 5
        while correlation_id not in answers and time.monotonic() < deadline:
            rabbitmq.process_data_events(time_limit=0.1)
        if correlation_id in answers:
            answer = answers.pop(correlation_id)
            return answer if "token" in answer else None
        if datetime.now(timezone.utc) >= expires_at:
            print(f"No answer for {call['conversation_id']} before it expired", flush=True)
            return None


def report(event, claimed, **fields):
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    body = {"conversation_id": claimed["conversation_id"], "token": claimed["token"], "occurred_at": now, **fields}
    properties = pika.BasicProperties(type=f"call.{event}.v1", content_type="application/json", delivery_mode=2)
    events.basic_publish(f"{PREFIX}.events", f"call.{event}", json.dumps(body), properties)  # 64 KB at most
    return now


claims.basic_consume("amq.rabbitmq.reply-to", on_answer, auto_ack=True)
commands = claims.queue_declare("", exclusive=True).method.queue  # private, and deleted with this connection
claims.queue_bind(commands, f"{PREFIX}.commands", WORKER_ID)
claims.basic_consume(commands, on_command, auto_ack=True)
calls.basic_qos(prefetch_count=1)
for delivery, _properties, message in calls.consume(QUEUE):
    call = json.loads(message)
    claimed = claim(call)
    calls.basic_ack(delivery.delivery_tag)  # before dialling: never hold a delivery for the duration of a call
    if claimed is None:
        continue
    print(f"Dialling {call['to_number']} as {call['agent']['name']}", flush=True)  # your telephony goes here
    connected_at = report("connected", claimed)
    for line in [call["greeting"], f"Is this {call['customer_name'] or 'a good moment'}?", "Thank you. Goodbye!"]:
        print(f"  {line}", flush=True)
        rabbitmq.sleep(0.2)  # the agent speaks; pika sends AMQP heartbeats meanwhile
        report("heartbeat", claimed)  # at least every claimed["heartbeat_seconds"]
        if call["conversation_id"] in hung_up:
            break
    reason, by = ("cancelled", "system") if call["conversation_id"] in hung_up else ("agent_hangup", "agent")
    report("ended", claimed, connected_at=connected_at, disconnect_reason=reason, disconnected_by=by,
           summary=f"The agent opened with “{call['greeting'][:500]}”.", outcome="completed")
