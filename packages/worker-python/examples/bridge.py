"""A worker for a telephony library. `Telephony` and `Agent` are the places where yours go."""
import logging
import threading
from typing import Callable, NamedTuple, Optional, Protocol

from parley_worker import Call, CallFailed, IncomingRefused, Worker

logger = logging.getLogger("bridge")


class Recording(NamedTuple):
    url: str
    seconds: float


class Line(Protocol):
    def is_up(self) -> bool:
        """False once the person, or `hang_up`, has ended it."""

    def hang_up(self) -> None:
        """May be called again."""

    def recording(self) -> Optional[Recording]:
        """Where the telephony has put the recording; None if there is none."""


class Ringing(Protocol):
    to: str
    from_number: str  # "" where it is withheld
    id: str  # of the call in your telephony

    def answer(self) -> Line: ...

    def decline(self) -> None: ...


class Telephony(Protocol):
    """Place 1: your telephony."""

    def dial(self, to: str, from_number: str, call: Call) -> Line:
        """Returns when the person answers, or raises DialError. `from_number` is "" if your trunk chooses.
        `call.wait` is True at once when a client hangs up while it rings."""

    def on_ringing(self, ring: Callable[[Ringing], None]) -> None:
        """Calls that reach your numbers. `ring` returns when the call has ended, so each needs a thread."""


#: Place 2: your agent. Speaks until it has nothing more to say or the line is down, reports the turns, returns the end.
Agent = Callable[[Call, Line], Optional[dict]]

REASONS = {"busy": "dial_busy", "no_answer": "dial_no_answer", "invalid_number": "invalid_destination",
           "failed": "dial_failed"}


class DialError(Exception):
    def __init__(self, why: str):
        super().__init__(f"The call was not answered: {why}")
        self.why = why


def create_bridge(telephony: Telephony, agent: Agent, **options) -> Worker:
    """A worker that dials the calls of Parley, and answers those that reach your numbers."""
    worker = Worker(**{"name": "bridge", "capacity": 50, "handle_signals": True, **options})
    ringing = {}  # incoming calls that are not over, by their id

    def reach(call):
        incoming = ringing.get(call.start["external_id"]) if call.direction == "inbound" else None
        if incoming:
            return incoming.answer()
        try:
            return telephony.dial(call.start["to_number"], call.start["from_number"], call)
        except DialError as error:
            raise CallFailed(REASONS[error.why]) from error

    @worker.call
    def conduct(call):
        line = reach(call)
        call.connected()
        is_over = threading.Event()

        def hang_up_when_interrupted():
            while not is_over.is_set():
                if call.wait(0.2):
                    line.hang_up()
                    return

        threading.Thread(target=hang_up_when_interrupted, daemon=True).start()
        try:
            result = agent(call, line)
            person_left = not line.is_up()
        finally:
            is_over.set()
            line.hang_up()
        recording = line.recording()
        if recording:
            call.recorded(recording.url, recording.seconds)
        if call.interrupted:
            return None  # the library reports the call as cancelled
        return {"reason": "user_hangup", "by": "user"} if person_left else result

    def ring(call):
        ringing[call.id] = call
        try:
            worker.incoming(call.to, call.from_number, external_id=call.id)
        except IncomingRefused as refused:
            logger.info("Declined a call: %s", refused.reason)
            call.decline()
        finally:
            del ringing[call.id]

    telephony.on_ringing(ring)
    return worker
