"""The worker: it takes calls from Parley and runs a handler for each."""
import collections
import json
import logging
import os
import random
import signal
import sys
import threading
import time
import urllib.parse
import uuid

from .amqp_transport import AmqpTransport
from .call import Call
from .ending import ending_of
from .errors import CallFailed, IncomingRefused, WorkerError
from .messages import UnreadableAnswer, iso, now, parse_time, read_answer, shorten
from .outbox import Journal
from .reports import Report, Reports
from .options import number_option
from .tool import Tools
from .wire import DISCONNECT_REASONS, PARTIES

#: A claim that is not answered after this many seconds is sent again, with the same claim_id.
ANSWER_SECONDS = 3
RINGING_SECONDS = 30
HELLO_SECONDS = 15
MAX_CAPACITY = 1_000_000
LONGEST_DRAIN_SECONDS = 7 * 86_400
CUT_SECONDS = 5
CONFIRM_SECONDS = 10

STATES = ("connecting", "running", "draining", "stopped")


class Worker:
    """Takes calls from Parley and runs a handler for each. The options are those of the package's README; every one
    may be left out. `transport` replaces RabbitMQ."""

    def __init__(self, url=None, prefix=None, queue=None, name=None, version="", capacity=None, drain_seconds=None,
                 outbox=None, api_url=None, api_key=None, workspace=None, worker_id=None, logger=None,
                 handle_signals=False, transport=None):
        environment = os.environ.get
        urls = [part.strip() for part in (url or environment("RABBITMQ_URL") or "amqp://localhost").split(",")]
        for one in urls:
            if urllib.parse.urlsplit(one).scheme not in ("amqp", "amqps"):
                raise WorkerError("The url of RabbitMQ begins with amqp:// or amqps://.")
        prefix = prefix or environment("BROKER_PREFIX") or "voice"
        queue = queue or environment("PARLEY_QUEUE") or f"{prefix}.calls.default"
        self.capacity = number_option("capacity", capacity, environment("PARLEY_CAPACITY"), 1, 1, MAX_CAPACITY, whole=True)
        self.drain_seconds = number_option("drain_seconds", drain_seconds, environment("PARLEY_DRAIN_SECONDS"), 3600, 0,
                                           LONGEST_DRAIN_SECONDS)
        self.name = shorten(name or os.path.basename(sys.argv[0] or "") or "worker", 100)
        self.version = shorten(str(version), 100)
        self.worker_id = worker_id or f"{self.name} {uuid.uuid4()}"
        if len(self.worker_id.encode()) > 200:
            raise WorkerError("worker_id must have at most 200 bytes.")
        self.logger = logger or logging.getLogger("parley_worker")
        # Pika logs every attempt to connect. The worker logs each state once.
        if logging.getLogger("pika").level == logging.NOTSET:
            logging.getLogger("pika").setLevel(logging.CRITICAL)
        self._workspace = workspace or environment("PARLEY_WORKSPACE")
        self.api_url, self.api_key = api_url, api_key
        self.tools = Tools(api_url)
        self._handle_signals = handle_signals
        self._handler = None
        self._listeners = collections.defaultdict(list)
        self._lock = threading.RLock()
        self._place_freed = threading.Condition(self._lock)
        self._state = "connecting"
        #: The causes of errors since calls could arrive.
        self._logged = set()
        self._calls = {}
        self._with_heartbeats = {}
        self._claiming = 0
        self._places_used = 0
        #: Incoming calls that wait for a place.
        self._waiting = 0
        self._claimed = self._refused = 0
        self._stop_result = None
        self._stopping = threading.Event()
        self._stopped = threading.Event()
        self._connected = threading.Event()
        self._failure = None
        self._hello_at = 0
        self._outbox = outbox
        self._journal = None
        self._transport = transport or AmqpTransport(urls, prefix, queue, self.worker_id, self.logger)
        self.reports = Reports(self._transport, None, self._end_confirmed, self.logger)

    # What a program uses

    def call(self, handler):
        """A decorator: the handler of each call."""
        self._handler = handler
        return handler

    def on(self, event, listener):
        """Calls the listener with the new state (`state`), the call (`call`), the call and its end (`end`), or an
        error (`error`). It runs in a thread of the worker and must not block."""
        if event not in ("state", "call", "end", "error"):
            raise ValueError(f"There is no event {event!r}; there are state, call, end and error.")
        self._listeners[event].append(listener)
        return self

    def run(self):
        """Takes calls until `stop`; none after it. Raises WorkerError on what does not pass by itself."""
        if self._handler is None:
            raise WorkerError("The worker has no handler: decorate a function with @worker.call.")
        if self._stopping.is_set():
            self._stopped.wait()
            return
        if self._outbox:
            self._journal = self.reports.journal = Journal(self._outbox, self.logger)
            self.reports.take_over()
        if self._handle_signals:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: threading.Thread(target=self.stop, daemon=True).start())
        threading.Thread(target=self._run_clock, name="parley-clock", daemon=True).start()
        self._transport.start(self)
        while not self._stopped.wait(1):
            pass
        if self._failure:
            raise self._failure

    def stop(self, seconds=None):
        """Takes no more calls, lets calls end for this many seconds (`drain_seconds`), interrupts the rest with
        "stopping", and reports what has not ended 5 seconds later. Returns `{"finished", "cut"}`."""
        seconds = number_option("seconds", seconds, None, self.drain_seconds, 0, threading.TIMEOUT_MAX)
        with self._lock:
            is_first = not self._stopping.is_set()
            self._stopping.set()
            self._place_freed.notify_all()
        if not is_first:
            self._stopped.wait()
            return self._stop_result
        self._set_state("draining")
        self._transport.set_limit(0)
        with self._lock:
            going_on = list(self._calls.values())
        self._wait_for_calls(seconds)
        for call in self._calls_now():
            call.interrupt("stopping")
        self._wait_for_calls(CUT_SECONDS)
        cut = 0
        for call in self._calls_now():
            if call.end("error", "system"):
                cut += 1
                self.logger.error("The call %s was cut: its handler has not ended.", call.id)
        self.reports.wait_until_empty(CONFIRM_SECONDS)
        unconfirmed = len(self.reports)
        if unconfirmed:
            kept = "The outbox keeps them." if self._journal else "They are lost: the worker has no outbox."
            self.logger.error("RabbitMQ has not confirmed %d reports. %s", unconfirmed, kept)
        self._finish()
        with self._lock:
            finished = max(0, len({call.id for call in going_on}) - cut)
            self._stop_result = {"finished": finished, "cut": cut}
        self._stopped.set()
        return self._stop_result

    def incoming(self, to_number, from_number="", call_type=None, dynamic_variables=None, external_id=None):
        """Runs the handler for a call that reached this program, and returns when it has ended. Waits for a free place
        for as long as a caller does. Raises IncomingRefused if it must not be answered."""
        until = time.time() + RINGING_SECONDS
        self._take_place(until)
        request = {"claim_id": str(uuid.uuid4()), "worker_id": self.worker_id, "to_number": to_number,
                   "from_number": from_number}
        options = {"call_type": call_type, "dynamic_variables": dynamic_variables, "external_id": external_id}
        request.update({key: value for key, value in options.items() if value is not None})
        answer = None
        try:
            try:
                answer = self._ask("incoming", "call.incoming.v1", request, until)
            except UnreadableAnswer as error:
                self.logger.error("An incoming call is refused: %s", error)
                raise IncomingRefused("no_answer") from error
            if answer is None:
                raise IncomingRefused("stopping" if self._stopping.is_set() else "no_answer")
            if "token" not in answer:
                self._refused += 1
                raise IncomingRefused(answer.get("reason", "no_answer"))
        finally:
            if answer is None or "token" not in answer:
                self._add_places(-1)
        call = self._begin(answer["call"], answer)
        threading.Thread(target=self._conduct, args=(call,), name=f"parley-call-{call.id}", daemon=True).start()
        call.handler_ended.wait()

    def stats(self):
        with self._lock:
            return {"state": self._state, "calls": self._count_calls(), "claimed": self._claimed,
                    "refused": self._refused, "unconfirmed": len(self.reports)}

    # What the transport reports

    def connected(self, generation):
        self._connected.set()
        self.reports.connected(generation)
        with self._lock:
            for call in self._with_heartbeats.values():
                call.heartbeat_at = 0  # The lease ran on while nothing could be sent.
        self._hello()
        self._transport.set_limit(self._limit())

    def working(self):
        self._logged.clear()
        self._set_state("running")

    def disconnected(self, error, cause="unavailable"):
        self._connected.clear()
        self.reports.disconnected()
        self.unavailable(error, cause)

    def unavailable(self, error, cause="unavailable"):
        if self._stopping.is_set():
            return
        self._set_state("connecting")
        if cause not in self._logged:
            self._logged.add(cause)
            self.logger.warning("%s The worker tries again.", error)
            self._emit("error", WorkerError(error))

    def refused(self, key, error):
        return self.reports.refused(key, error)

    def failed(self, error):
        self._failure = error
        self._emit("error", error)
        with self._lock:
            self._stopping.set()
            self._place_freed.notify_all()
        self._finish()
        self._stopped.set()

    def delivered(self, delivery):
        with self._lock:
            if self._stopping.is_set() or self._free_places() <= self._waiting:
                self._transport.reject(delivery, requeue=True)
                return
            self._claiming += 1
        threading.Thread(target=self._take, args=(delivery,), name="parley-call", daemon=True).start()

    def commanded(self, type, body):
        if type == "call.hangup.v1":
            with self._lock:
                call = self._calls.get(body["conversation_id"])
            if call:
                call.interrupt("hangup")

    def answered_late(self, type, body):
        """The server granted what this worker no longer wants: a call that nobody conducts is reported at once."""
        if type not in ("call.claimed.v1", "call.incoming-accepted.v1"):
            return
        try:
            read_answer(type, body)
        except UnreadableAnswer as error:
            self.logger.error("A late answer is left out: %s", error)
            return
        with self._lock:
            is_ours = body["conversation_id"] in self._with_heartbeats
        if not is_ours:
            fields = {"occurred_at": iso(now()), "disconnect_reason": "cancelled", "disconnected_by": "system"}
            self.reports.add(Report("call.failed.v1", {"conversation_id": body["conversation_id"],
                                                         "token": body["token"], **fields}))

    # A call from its delivery to its end

    def _take(self, delivery):
        try:
            start = json.loads(delivery.body)
            if delivery.type != "call.start.v1":
                raise ValueError(f"its type is {delivery.type}")
            conversation_id, expires_at = start["conversation_id"], parse_time(start["expires_at"]).timestamp()
        except Exception as error:  # also RecursionError: whatever its body is, it must not keep a place
            self._reject_unreadable(delivery, f"A message of the queue cannot be read and is rejected: {error}")
            return
        claim = {"conversation_id": conversation_id, "claim_id": str(uuid.uuid4()), "worker_id": self.worker_id}
        try:
            answer = self._ask("claim", "call.claim.v1", claim, expires_at)
        except UnreadableAnswer as error:
            self._reject_unreadable(delivery, f"The call {conversation_id} is rejected: {error}")
            return
        if answer is None and time.time() < expires_at:
            self._settle_claim(lambda: self._transport.reject(delivery, requeue=True))
        elif answer is None or "token" not in answer:
            self._refused += answer is not None
            self._settle_claim(lambda: self._transport.ack(delivery, self._limit()))
        else:
            with self._lock:
                self._claiming -= 1
                self._places_used += 1
                call = self._begin(start, answer)
                self._transport.ack(delivery, self._limit())
            self._conduct(call)

    def _reject_unreadable(self, delivery, sentence):
        self.logger.error("%s", sentence)
        self._settle_claim(lambda: self._transport.reject(delivery, requeue=False))

    def _settle_claim(self, settle):
        with self._lock:
            self._claiming -= 1
            self._place_freed.notify_all()
            settle()

    def _ask(self, key, type, body, until):
        """The body of the answer to a claim, or None if there was none in time or before the worker stopped.
        Raises UnreadableAnswer."""
        # A RabbitMQ user that is confined to one workspace may write to keys of that workspace only.
        key = f"{key}.{self._workspace}" if self._workspace else "claim"
        # One for all attempts: an answer to any of them is the answer.
        correlation_id = str(uuid.uuid4())
        answer = self._ask_until_answered(key, type, body, until, correlation_id)
        # It may have come after the last attempt.
        answer = self._transport.forget(correlation_id) or answer
        return read_answer(*answer) if answer else None

    def _ask_until_answered(self, key, type, body, until, correlation_id):
        while time.time() < until:
            self._connected.wait(min(1, max(0, until - time.time())))
            if self._connected.is_set():
                seconds = max(0.1, min(ANSWER_SECONDS, until - time.time()))
                answer = self._transport.request(key, type, body, seconds, correlation_id)
                if answer:
                    return answer
                # The answer of a lost connection is None at once; a pause keeps this loop from spinning.
                time.sleep(random.uniform(0.05, 0.2))
            if self._stopping.is_set():
                return None
        return None

    def _begin(self, start, claimed):
        call = Call(self, start, claimed)
        with self._lock:
            self._claimed += 1
            self._calls[call.id] = call
            self._with_heartbeats[call.id] = call
        return call

    def _conduct(self, call):
        self._emit("call", call)
        try:
            ending = ending_of(call, self._handler(call))
        except CallFailed as failure:
            if call.interrupted:
                ending = ending_of(call, None)
            elif call.connected_at is None and failure.reason in DISCONNECT_REASONS and failure.by in PARTIES:
                ending = {"reason": failure.reason, "by": failure.by}
            else:
                self.logger.exception("The handler of the call %s failed.", call.id)
                ending = {"reason": "error", "by": "system"}
        except BaseException as error:  # also SystemExit: whatever a handler raises, its call gets an end
            if call.interrupted == "hangup" and isinstance(error, Exception):
                ending = {"reason": "cancelled", "by": "system"}
            else:
                self.logger.exception("The handler of the call %s failed.", call.id)
                self._emit("error", error)
                ending = {"reason": "error", "by": "system"}
        try:
            if call.end(**ending):
                self._emit("end", call, ending)
        finally:
            with self._lock:
                self._calls.pop(call.id, None)
                self._add_places(-1 if call.takes_place else 0)
            call.handler_ended.set()

    def _end_confirmed(self, conversation_id):
        with self._lock:
            self._with_heartbeats.pop(conversation_id, None)

    def _limit(self):
        """Of deliveries that are not settled, also of those that are being claimed."""
        with self._lock:
            return 0 if self._stopping.is_set() else max(0, self.capacity - self._places_used - self._waiting)

    def _free_places(self):
        return self.capacity - self._places_used - self._claiming

    def _take_place(self, until):
        """Waits for a place before calls of the queue get one. Raises IncomingRefused."""
        with self._lock:
            self._waiting += 1
            self._transport.set_limit(self._limit())
            try:
                while not self._stopping.is_set() and self._free_places() <= 0 and time.time() < until:
                    self._place_freed.wait(until - time.time())
                if self._stopping.is_set():
                    raise IncomingRefused("stopping")
                if self._free_places() <= 0:
                    raise IncomingRefused("no_answer")
                self._places_used += 1
            finally:
                self._waiting -= 1
                self._transport.set_limit(self._limit())

    def place(self, call, is_taken):
        """The call, which goes on, takes a place from now on, or none."""
        with self._lock:
            if call.takes_place == is_taken or call.id not in self._calls:
                return
            call.takes_place = is_taken
            self._add_places(1 if is_taken else -1)

    def _add_places(self, count):
        with self._lock:
            self._places_used += count
            self._place_freed.notify_all()
            self._transport.set_limit(self._limit())

    def _count_calls(self):
        """Of those that take a place."""
        return sum(call.takes_place for call in self._calls.values())

    def _calls_now(self):
        with self._lock:
            return list(self._calls.values())

    def _wait_for_calls(self, seconds):
        with self._lock:
            self._place_freed.wait_for(lambda: not self._calls and not self._claiming and not self._places_used, seconds)

    # The clock

    def _run_clock(self):
        while not self._stopped.wait(0.1):
            clock = time.monotonic()
            with self._lock:
                calls = list(self._with_heartbeats.values())
            for call in calls:
                call.flush_due_turns(clock)
                if call.heartbeat_at <= clock:
                    call.heartbeat_at = clock + call.heartbeat_seconds
                    body = {"conversation_id": call.id, "token": call.token, "occurred_at": iso(now())}
                    self._transport.publish("call.heartbeat", "call.heartbeat.v1", body, str(uuid.uuid4()))
            self.reports.resend()
            if self._hello_at <= clock and self._connected.is_set():
                self._hello()

    def _hello(self):
        self._hello_at = time.monotonic() + HELLO_SECONDS
        with self._lock:
            body = {"worker_id": self.worker_id, "name": self.name, "version": self.version,
                    "capacity": self.capacity, "calls": self._count_calls()}
        self._transport.publish("worker.hello", "worker.hello.v1", body, str(uuid.uuid4()))

    # The rest

    def _set_state(self, state):
        with self._lock:
            # A worker that drains stays so, whatever its connection does.
            if STATES.index(state) < STATES.index("draining") and self._stopping.is_set():
                return
            if state == self._state:
                return
            self._state = state
        self.logger.info("The worker is %s.", state)
        self._emit("state", state)

    def _emit(self, event, *values):
        for listener in self._listeners[event]:
            try:
                listener(*values)
            except Exception:  # a listener's failure must not end a thread of the worker
                self.logger.exception("A listener of %r failed.", event)

    def _finish(self):
        self._transport.close()
        if self._journal:
            self._journal.close()
        self._set_state("stopped")
