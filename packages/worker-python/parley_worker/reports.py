"""The reports of all calls, on their way to RabbitMQ."""
import collections
import threading
import uuid

from .messages import MAX_MESSAGE_BYTES, encode, routing_key


class Report:
    """One event of a call, which is sent until RabbitMQ has confirmed it."""

    __slots__ = ("id", "type", "body", "is_end", "generation")

    def __init__(self, type, body, id=None, is_end=False):
        self.id = id or str(uuid.uuid4())
        self.type = type
        self.body = body
        self.is_end = is_end
        #: The connection on which it was sent last.
        self.generation = None


class Reports:
    """Sends reports in order, and again until RabbitMQ has confirmed them."""

    RESEND_SECONDS = 1

    def __init__(self, transport, journal, on_end_confirmed):
        self._transport = transport
        self.journal = journal
        self._on_end_confirmed = on_end_confirmed
        self._changed = threading.Condition(threading.RLock())
        self._unconfirmed = collections.OrderedDict()
        self._generation = None

    def __len__(self):
        with self._changed:
            return len(self._unconfirmed)

    def take_over(self):
        if self.journal:
            with self._changed:
                for report in self.journal.take_over():
                    self._unconfirmed[report.id] = report

    def add(self, report):
        if len(encode(report.body)) > MAX_MESSAGE_BYTES:
            raise ValueError(f"A report may have {MAX_MESSAGE_BYTES} bytes; this {report.type} has more.")
        with self._changed:
            if self.journal:
                self.journal.add(report)
            self._unconfirmed[report.id] = report
            self._send(report)

    def connected(self, generation):
        with self._changed:
            self._generation = generation
            self.resend()

    def disconnected(self):
        with self._changed:
            self._generation = None

    def resend(self):
        """Sends what was not sent on this connection, or what RabbitMQ refused."""
        with self._changed:
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
            if self.journal:
                self.journal.confirm(report)
            self._changed.notify_all()
        if report.is_end:
            self._on_end_confirmed(report.body["conversation_id"])

    def wait_until_empty(self, seconds):
        with self._changed:
            return self._changed.wait_for(lambda: not self._unconfirmed, seconds)
