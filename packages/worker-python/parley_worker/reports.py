"""The reports of all calls, on their way to RabbitMQ."""
import collections
import threading
import time
import uuid

from .messages import MAX_MESSAGE_BYTES, encode, routing_key

#: A user of RabbitMQ without the permission for these can still report the end of a call.
OPTIONAL = {routing_key(type): type for type in ("call.joinable.v1", "call.transcript.v1", "call.recorded.v1",
                                                "call.analyzed.v1", "call.warning.v1")}
REFUSED_SECONDS = 30
#: Beyond it, no optional reports are kept.
MAX_KEPT_BYTES = 64 * 1024 * 1024


class Report:
    """One event of a call, which is sent until RabbitMQ has confirmed it."""

    __slots__ = ("id", "type", "body", "is_end", "generation", "size")

    def __init__(self, type, body, id=None, is_end=False):
        self.id = id or str(uuid.uuid4())
        self.type = type
        self.body = body
        self.is_end = is_end
        #: The connection on which it was sent last.
        self.generation = None
        self.size = len(encode(body))


class Reports:
    """Sends reports in order, and again until RabbitMQ has confirmed them."""

    def __init__(self, transport, journal, on_end_confirmed, logger):
        self._transport = transport
        self.journal = journal
        self._on_end_confirmed = on_end_confirmed
        self._logger = logger
        self._changed = threading.Condition(threading.RLock())
        self._unconfirmed = collections.OrderedDict()
        #: By type: the reports that RabbitMQ refuses. One of them is sent from time to time.
        self._held = {}
        self._next_attempt = {}
        self._bytes = 0
        self._is_full = False
        self._generation = None

    def __len__(self):
        with self._changed:
            return len(self._unconfirmed) + sum(map(len, self._held.values()))

    def take_over(self):
        if self.journal:
            with self._changed:
                for report in self.journal.take_over():
                    self._keep(report)

    def add(self, report):
        if report.size > MAX_MESSAGE_BYTES:
            raise ValueError(f"A report may have {MAX_MESSAGE_BYTES} bytes; this {report.type} has more.")
        with self._changed:
            if report.type in OPTIONAL.values() and self._has_no_room(report):
                return
            if self.journal:
                self.journal.add(report)
            self._keep(report)
            if report.id in self._unconfirmed:
                self._send(report)

    def _has_no_room(self, report):
        if not self._is_full and self._bytes + report.size > MAX_KEPT_BYTES:
            self._is_full = True
            self._logger.error("%d MB of reports are not confirmed: no transcripts, recordings and analyses are kept "
                               "any more.", MAX_KEPT_BYTES // 2 ** 20)
        return self._is_full

    def _keep(self, report):
        self._bytes += report.size
        self._held.get(report.type, self._unconfirmed)[report.id] = report

    def connected(self, generation):
        with self._changed:
            self._generation = generation
            self.resend()

    def disconnected(self):
        with self._changed:
            self._generation = None

    def refused(self, key, sentence):
        """RabbitMQ refuses reports with this routing key. Returns whether the others can be sent without them, on
        another channel."""
        with self._changed:
            self._generation = None
            type = OPTIONAL.get(key)
            if type is None:
                return False
            if type not in self._held:
                self._logger.warning("%s The worker goes on without reports %s, and tries them again.", sentence, key)
            held = self._held.setdefault(type, collections.OrderedDict())
            self._next_attempt[type] = time.monotonic() + REFUSED_SECONDS
            for report in [report for report in self._unconfirmed.values() if report.type == type]:
                held[report.id] = self._unconfirmed.pop(report.id)
            self._changed.notify_all()
            return True

    def resend(self):
        """Sends what was not sent on this connection, or what RabbitMQ did not store."""
        with self._changed:
            if self._generation is None:
                return
            for type, held in self._held.items():
                if held and self._next_attempt[type] <= time.monotonic():
                    self._next_attempt[type] = time.monotonic() + REFUSED_SECONDS
                    id, report = held.popitem(last=False)
                    self._unconfirmed[id] = report
            for report in list(self._unconfirmed.values()):
                if report.generation != self._generation:
                    self._send(report)

    def _send(self, report):
        if self._generation is None:
            return
        report.generation = self._generation
        self._transport.publish(routing_key(report.type), report.type, report.body, report.id,
                                lambda is_stored: self._settled(report, is_stored))

    def _settled(self, report, is_stored):
        with self._changed:
            if not is_stored:
                report.generation = "refused"  # The clock sends it again.
                return
            if self._unconfirmed.pop(report.id, None) is None:
                return
            self._bytes -= report.size
            self._is_full = self._is_full and self._bytes > MAX_KEPT_BYTES // 2
            if self.journal:
                self.journal.confirm(report)
            # The permission was granted; the clock sends the others.
            self._unconfirmed.update(self._held.pop(report.type, {}))
            self._changed.notify_all()
        if report.is_end:
            self._on_end_confirmed(report.body["conversation_id"])

    def wait_until_empty(self, seconds):
        """Waits for what RabbitMQ does not refuse."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._unconfirmed, seconds)
