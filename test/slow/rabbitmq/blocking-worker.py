"""A worker whose handler computes for this many seconds without a pause, as the variable `seconds` of the call says."""
import time

from parley_worker import Worker

worker = Worker(name="blocking-worker.py", handle_signals=True)


@worker.call
def compute(call):
    call.connected()
    until = time.monotonic() + float(call.start["dynamic_variables"]["seconds"])
    while time.monotonic() < until:
        pass


worker.run()
