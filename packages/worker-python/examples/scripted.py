"""A scripted agent: it says its lines, and the keyboard plays the person."""
import logging

from parley_worker import Worker

logging.basicConfig(level=logging.INFO)
worker = Worker(name="scripted.py", version="1", handle_signals=True)


@worker.call
def say_lines(call):
    call.connected()
    for line in (call.start["greeting"], "We are open from nine to five.", "Goodbye!"):
        call.turn("agent", line)
        if call.wait(0.5):
            return None
    return {"outcome": "informed", "summary": "Told the opening hours."}


worker.run()
