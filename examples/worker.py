"""An agent runtime for Parley. It handles one call at a time and has no telephony. See ../docs/runtime-contract.md

python3 examples/worker.py                                        waits for calls to place
python3 examples/worker.py --incoming +15557654321 +15551234567   answers one call of the second number to the first"""
import json, os, sys, time, uuid
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
now = lambda: datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def on_answer(_channel, _method, properties, body):
    answers[properties.correlation_id] = json.loads(body)


def on_command(_channel, _method, properties, body):
    if properties.type == "call.hangup.v1":
        hung_up.add(json.loads(body)["conversation_id"])


def ask(type, request, until):
    """Claims a call; a worker dials, or answers, only if its claim is granted. Returns None without an answer."""
    request = {"claim_id": str(uuid.uuid4()), "worker_id": WORKER_ID, **request}
    while time.time() < until:  # a repeated claim gets the same answer, so a lost answer does no harm
        correlation_id = str(uuid.uuid4())
        properties = pika.BasicProperties(type=type, content_type="application/json", expiration="5000",
                                          correlation_id=correlation_id, reply_to="amq.rabbitmq.reply-to")
        claims.basic_publish(f"{PREFIX}.events", "claim", json.dumps(request), properties)
        deadline = time.monotonic() + 5
        while correlation_id not in answers and time.monotonic() < deadline:
            rabbitmq.process_data_events(time_limit=0.1)
        if correlation_id in answers:
            return answers.pop(correlation_id)


def report(event, body):
    properties = pika.BasicProperties(type=f"{event}.v1", content_type="application/json", delivery_mode=2)
    events.basic_publish(f"{PREFIX}.events", event, json.dumps(body), properties)  # 64 KB at most


def hello(count):
    """Due every 15 seconds, so that an idle worker is seen, too."""
    report("worker.hello", {"worker_id": WORKER_ID, "name": "worker.py", "version": "1", "capacity": 1, "calls": count})


def talk(call, claimed):
    ids = {"conversation_id": claimed["conversation_id"], "token": claimed["token"]}
    hello(1)
    connected_at = now()
    report("call.connected", {**ids, "occurred_at": connected_at})
    lines = [call["greeting"], f"Is this {call['customer_name'] or 'a good moment'}?", "Thank you. Goodbye!"]
    for sequence, line in enumerate(lines, 1):
        print(f"  {line}", flush=True)
        turn = {"sequence": sequence, "speaker": "agent", "text": line[:8000], "started_at": now()}
        rabbitmq.sleep(0.2)  # the agent speaks; pika sends AMQP heartbeats meanwhile
        report("call.transcript", {**ids, "turns": [turn]})
        report("call.heartbeat", {**ids, "occurred_at": now()})  # at least every claimed["heartbeat_seconds"]
        if ids["conversation_id"] in hung_up:
            break
    reason, by = ("cancelled", "system") if ids["conversation_id"] in hung_up else ("agent_hangup", "agent")
    report("call.ended", {**ids, "occurred_at": now(), "connected_at": connected_at, "disconnect_reason": reason,
                          "disconnected_by": by, "transcript_turns": sequence, "outcome": "completed",
                          "summary": f"The agent opened with “{call['greeting'][:500]}”."})
    report("call.analyzed", {**ids, "fields": {"lines": sequence}})  # call.recorded has the address of a recording
    hello(0)


claims.basic_consume("amq.rabbitmq.reply-to", on_answer, auto_ack=True)
commands = claims.queue_declare("", exclusive=True).method.queue  # private, and deleted with this connection
claims.queue_bind(commands, f"{PREFIX}.commands", WORKER_ID)
claims.basic_consume(commands, on_command, auto_ack=True)
if "--incoming" in sys.argv:
    to_number, from_number = (sys.argv[sys.argv.index("--incoming") + 1:] + [""])[:2]
    answer = ask("call.incoming.v1", {"to_number": to_number, "from_number": from_number}, time.time() + 30)
    if answer is None or "token" not in answer:
        sys.exit(f"Refused: {answer['reason'] if answer else 'no answer'}")
    print(f"Answering {to_number} as {answer['call']['agent']['name']}", flush=True)  # your telephony goes here
    talk(answer["call"], answer)
    sys.exit()
hello(0)
calls.basic_qos(prefetch_count=1)
for delivery, _properties, message in calls.consume(QUEUE, inactivity_timeout=15):
    if delivery is None:
        hello(0)
        continue
    call = json.loads(message)
    expires_at = datetime.fromisoformat(call["expires_at"].replace("Z", "+00:00"))  # Python before 3.11 does not parse Z
    claimed = ask("call.claim.v1", {"conversation_id": call["conversation_id"]}, expires_at.timestamp())
    calls.basic_ack(delivery.delivery_tag)  # before dialling: never hold a delivery for the duration of a call
    if claimed and "token" in claimed:
        print(f"Dialling {call['to_number']} as {call['agent']['name']}", flush=True)  # your telephony goes here
        talk(call, claimed)
