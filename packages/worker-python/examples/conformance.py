"""A runtime without telephony that does what the conformance kit of Parley says.

The variable `callee` of a call says what the person does: `answers 3` (rings for a second, hangs up after 3 seconds),
`busy` or `no_answer`. `answers 5 asks NAME {JSON}` uses a tool; with ` interrupts`, the person speaks meanwhile. A line
`incoming +15557654321 +15551234567 answers 3` on standard input is a call that reaches this runtime."""
import json
import logging
import os
import re
import sys
import threading

from parley_worker import CallFailed, IncomingRefused, Worker

logging.basicConfig(level=logging.WARNING)
worker = Worker(name="conformance.py", version="1", outbox=os.environ.get("PARLEY_OUTBOX"), handle_signals=True)


@worker.call
def obey(call):
    words = call.start["dynamic_variables"].get("callee", "answers 1").split()
    if words[0] == "busy":
        call.wait(1)
        raise CallFailed("dial_busy")
    if words[0] == "no_answer":
        call.wait(5)
        raise CallFailed("dial_no_answer")
    if call.wait(1):
        return None  # hung up while it rang
    call.connected()
    call.turn("agent", call.start["greeting"] or "Hello.")
    use_tool(call)
    if call.wait(float(words[1])):
        return None
    call.turn("user", "Goodbye.")
    return {"reason": "user_hangup", "by": "user", "outcome": "completed", "summary": "The person hung up."}


def use_tool(call):
    asks = re.search(r" asks (\S+) (\{.*\})( interrupts)?$", call.start["dynamic_variables"].get("callee", ""))
    if asks:
        name, arguments, interrupts = asks.group(1), json.loads(asks.group(2)), asks.group(3)
        if interrupts:
            threading.Timer(0.5, call.turn, ("user", "Wait a moment.")).start()
        asked = call.tool(name, arguments)
        call.turn("tool", asked["state"], tool={"name": name, "arguments": arguments, "result": asked["result"]})


def answer(to_number, from_number, callee):
    try:
        worker.incoming(to_number, from_number, dynamic_variables={"callee": callee})
    except IncomingRefused as refused:
        print(f"refused {refused.reason}", flush=True)


def read_commands():
    for line in sys.stdin:
        words = line.split()
        if words and words[0] == "incoming":
            threading.Thread(target=answer, args=(words[1], words[2], " ".join(words[3:])), daemon=True).start()


threading.Thread(target=read_commands, daemon=True).start()
worker.run()
