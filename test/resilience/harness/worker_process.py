"""A worker of `parley_worker` that does what worker.process.ts does. Its parent is connected as Node.js does it: by lines
of JSON on the socket of NODE_CHANNEL_FD."""
import json
import logging
import os
import queue
import random
import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from parley_worker import CallFailed, Worker

CAPACITY = 200
RINGING_SECONDS = 0.05
LONGEST_TALK_SECONDS = 0.5
TURNS = 3

logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
environment = os.environ
def open_log(name):
    return os.open(environment[name], os.O_WRONLY | os.O_APPEND | os.O_SYNC)


dial_log, end_log = open_log("DIAL_LOG"), open_log("END_LOG")
told_log = open_log("TOLD_LOG") if "TOLD_LOG" in environment else None
parent = socket.socket(fileno=int(environment["NODE_CHANNEL_FD"]))
is_busy, opts_out = re.compile(environment["IS_BUSY"]), re.compile(environment["OPTS_OUT"])
asks_for_tools = re.compile(environment.get("ASKS_FOR_TOOLS", "$."))
#: The seconds that the next handlers compute for.
computing = queue.SimpleQueue()
worker = Worker(worker_id=f"runtime {os.getpid()}", capacity=CAPACITY, outbox=environment["OUTBOX"])


def tell(message):
    parent.sendall(json.dumps(message).encode() + b"\n")


def compute_if_told():
    try:
        seconds = computing.get_nowait()
    except queue.Empty:
        return
    tell("blocked")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
    tell("free")


def ask_for_tools(call, number):
    names = [tool["name"] for tool in call.start.get("tools", [])]
    with ThreadPoolExecutor() as threads:
        asked = list(threads.map(lambda name: call.tool(name, {"number": number}), names * 2))
    for invocation in asked:
        if invocation["invocation_id"] is not None:
            os.write(told_log, f"{invocation['invocation_id']} {invocation['state']}\n".encode())


@worker.call
def talk(call):
    number = call.start["to_number"]
    os.write(dial_log, f"{call.id} {number}\n".encode())
    time.sleep(RINGING_SECONDS)
    if is_busy.search(number):
        raise CallFailed("dial_busy")
    call.connected()
    compute_if_told()
    time.sleep(random.uniform(0, LONGEST_TALK_SECONDS))
    if told_log is not None and asks_for_tools.search(number):
        ask_for_tools(call, number)
    for turn in range(1, TURNS + 1):
        call.turn("agent", f"Turn {turn}")
    return {"reason": "user_hangup", "by": "user"}


def ended(call, _):
    number = call.start["to_number"]
    os.write(end_log, f"{call.id} {number}\n".encode())
    if opts_out.search(number):
        call.analyzed({}, opt_out=True)


def obey():
    for line in parent.makefile():
        computing.put(json.loads(line)["blockMs"] / 1000)
    os._exit(1)  # the parent has ended


def ready(state, told=threading.Event()):
    if state == "running" and not told.is_set():
        told.set()
        tell("ready")


worker.on("end", ended)
worker.on("state", ready)
threading.Thread(target=obey, daemon=True).start()
worker.run()
