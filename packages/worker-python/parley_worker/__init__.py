"""A library for agent runtimes of Parley, on RabbitMQ.

    from parley_worker import Worker, CallFailed

    worker = Worker(capacity=20)

    @worker.call
    def handle(call):
        call.connected()
        call.turn("agent", call.start["greeting"])
        call.wait(2)
        return {"reason": "agent_hangup", "by": "agent", "summary": "Said hello."}

    worker.run()

Threads: one for RabbitMQ, one for the clock (heartbeats, hellos, turns that are due), and one for each call. A handler
may block its own thread for as long as it likes. It must not hold Python's global lock for longer than the lease.
"""
from .call import Call
from .errors import CallFailed, IncomingRefused, WorkerError
from .testing import fake_server
from .transport import Transport
from .worker import Worker

__version__ = "1.0.0"
__all__ = ["Call", "CallFailed", "IncomingRefused", "Transport", "Worker", "WorkerError", "fake_server"]
