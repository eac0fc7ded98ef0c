"""What this process has used; asked for by its parent, packages/worker/bench/main.mjs, over the socket that Node.js opens."""
import json
import os
import socket
import threading
import time


def _memory():
    """Bytes in use now."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def report_usage():
    parent = socket.socket(fileno=int(os.environ["NODE_CHANNEL_FD"]))
    idle = {"idleRss": _memory(), "idleCpuSeconds": time.process_time()}
    most = idle["idleRss"]

    def watch():
        nonlocal most
        while True:
            most = max(most, _memory())
            time.sleep(0.25)

    def answer():
        for _ in parent.makefile():
            tell({**idle, "rss": most, "cpuSeconds": time.process_time()})

    def tell(message):
        parent.sendall(json.dumps(message).encode() + b"\n")

    for each in (watch, answer):
        threading.Thread(target=each, daemon=True).start()
    tell("ready")
