"""RabbitMQ as the transport of a worker."""
import collections
import json
import random
import re
import threading
import urllib.parse
import uuid

import pika
from pika.exceptions import AMQPConnectionError

from .amqp_errors import describe, permanent_refusal
from .errors import WorkerError
from .messages import encode
from .transport import Transport

LONGEST_PAUSE_SECONDS = 15
MAX_PREFETCH = 10
#: A node that confirms nothing for this long, while a message waits, is left.
CONFIRM_SECONDS = 5
#: Further answers to a claim that was sent several times come within seconds.
MAX_ANSWERED = 10_000


class _AmqpDelivery:
    __slots__ = ("channel", "tag", "type", "body")

    def __init__(self, channel, tag, type, body):
        self.channel, self.tag, self.type, self.body = channel, tag, type, body


class AmqpTransport(Transport):
    """RabbitMQ by `pika.SelectConnection`, in a thread of its own. Every attribute that begins with `_io_` is used by
    that thread alone."""

    def __init__(self, urls, prefix, queue, worker_id, logger):
        self._urls = urls
        self._prefix = prefix
        self._queue = queue
        self._worker_id = worker_id
        self._logger = logger
        self._closing = threading.Event()
        self._thread = None
        self._lock = threading.Lock()
        self._connection = None  # while its loop runs
        self._answers = {}
        self._answered = collections.OrderedDict()  # the last correlation ids
        self._io_generation = None
        self._io_limit = 0
        self._io_lost = None
        self._was_proven = False

    def start(self, listener):
        self._listener = listener
        self._thread = threading.Thread(target=self._connect_for_ever, name="parley-rabbitmq", daemon=True)
        self._thread.start()

    # Connections

    def _connect_for_ever(self):
        address = 0  # a node that was left accepts connections, so that the one after it is tried
        attempt = 0
        failures = []  # of the attempts since the last pause
        refusals = {}
        while not self._closing.is_set():
            url = self._urls[address % len(self._urls)]
            address += 1
            try:
                error = self._connect_once(url)
            except Exception as unexpected:  # the thread must not end: the worker would be silent for ever
                self._logger.exception("The connection to RabbitMQ failed.")
                error = unexpected
            was_connected = self._io_generation is not None
            self._io_generation = None
            self._fail_requests()
            if self._closing.is_set():
                break
            sentence = permanent_refusal(error, url)
            refusals[url] = sentence
            if not self._was_proven and all(refusals.get(other) for other in self._urls):
                self._listener.failed(WorkerError(sentence))
                return
            if was_connected:
                attempt, failures = 0, []
                self._listener.disconnected(describe(error, url), cause=sentence or "unavailable")
            else:
                failures.append((describe(error, url), sentence))
            attempt += 1
            if attempt % len(self._urls) == 0:
                if failures:
                    # All addresses together: each of them alone would differ from the one before.
                    errors, sentences = (" ".join(dict.fromkeys(filter(None, texts))) for texts in zip(*failures))
                    self._listener.unavailable(errors, cause=sentences or "unavailable")
                failures = []
                longest = min(LONGEST_PAUSE_SECONDS, 0.5 * 2 ** min(attempt, 6))
                self._closing.wait(random.uniform(0.1, longest))

    def _connect_once(self, url):
        """Returns why the connection has ended."""
        self._url = url
        parameters = pika.URLParameters(url)
        if "heartbeat" not in url:
            parameters.heartbeat = 20
        parameters.client_properties = {"connection_name": self._worker_id}
        self._io_lost = None
        self._io_channels = {}
        self._io_consumer = None  # (consumer tag, prefetch)
        self._io_is_cancelling = False
        self._io_unsettled = {}  # the consumer tag of each delivery
        self._io_after_cancel = []
        self._io_confirms = {"events": {}, "hellos": {}}
        self._io_published = {"events": 0, "hellos": 0}
        self._io_stored = 0
        self._io_is_blocked = False
        self._io_missing = {"commands", "events"}
        self._io_unproven = {"calls", "hellos"}

        def set_blocked(is_blocked):
            self._io_is_blocked = is_blocked

        def opened(connection):
            connection.add_on_connection_blocked_callback(lambda _connection, _frame: set_blocked(True))
            connection.add_on_connection_unblocked_callback(lambda _connection, _frame: set_blocked(False))
            self._leave_when_nothing_is_confirmed(connection)
            for name, setup in (("claims", self._set_up_claims), ("events", self._set_up_events),
                                ("hellos", self._set_up_hellos), ("calls", self._adjust)):
                self._open(connection, name, setup)

        def stopped(connection, error):
            self._io_lost = self._io_lost or error
            connection.ioloop.stop()

        connection = pika.SelectConnection(parameters, on_open_callback=opened, on_open_error_callback=stopped,
                                           on_close_callback=stopped)
        with self._lock:
            self._connection = connection
        if self._closing.is_set():
            return None
        try:
            connection.ioloop.start()
        finally:
            with self._lock:
                self._connection = None
            connection.ioloop.close()
        return self._io_lost

    def _leave_when_nothing_is_confirmed(self, connection, last=0, stalled_seconds=0):
        """A node that was cut off from the others keeps its connections, confirms nothing and delivers no calls."""
        if not connection.is_open:
            return
        waits = any(self._io_confirms.values()) and not self._io_is_blocked
        stored = self._io_stored
        stalled_seconds = stalled_seconds + 1 if waits and stored == last else 0
        if stalled_seconds < CONFIRM_SECONDS:
            connection.ioloop.call_later(
                1, lambda: self._leave_when_nothing_is_confirmed(connection, stored, stalled_seconds))
            return
        # A public close() waits for the node, which may not answer, and an open socket could be delivered calls later.
        connection._terminate_stream(AMQPConnectionError(f"it confirmed nothing for {CONFIRM_SECONDS} s"))

    def _open(self, connection, name, setup):
        def opened(channel):
            channel.add_on_close_callback(lambda _closed, reason: self._channel_closed(connection, name, reason))
            channel.add_on_cancel_callback(lambda _frame: channel.close(404, "the queue was deleted"))
            self._io_channels[name] = channel
            setup()

        connection.channel(on_open_callback=opened)

    def _channel_closed(self, connection, name, reason):
        self._io_channels.pop(name, None)
        code, text = getattr(reason, "reply_code", None), getattr(reason, "reply_text", "")
        if not connection.is_open:
            return
        topic = re.search(r"access to topic '([^']*)'", text) if code == 403 else None
        if name == "hellos" and topic:
            # A hello is optional, so a missing permission for it must not stop the worker.
            self._logger.warning("RabbitMQ refuses this worker's hellos, so it is seen only while it has calls.")
            self._io_confirms["hellos"] = {}
            self._proven("hellos")
        elif name == "events" and topic and self._listener.refused(topic.group(1), describe(reason, self._url)):
            # Calls that go on need the connection, so only the channel is opened again, for the other reports.
            self._io_missing.add("events")
            self._io_confirms["events"], self._io_published["events"] = {}, 0
            self._open(connection, name, self._set_up_events)
        elif name == "calls" and (code == 404 or (code == 403 and self._was_proven)):
            # Calls that go on need the connection, so only the channel is opened again.
            self._listener.unavailable(describe(reason, self._url), cause="calls")
            self._io_consumer, self._io_is_cancelling = None, False
            self._io_unsettled.clear()
            connection.ioloop.call_later(2, lambda: connection.is_open and self._open(connection, name, self._adjust))
        else:
            self._io_lost = self._io_lost or reason
            connection.close()

    def _set_up_claims(self):
        channel = self._io_channels["claims"]
        channel.basic_consume("amq.rabbitmq.reply-to", self._on_answer, auto_ack=True)

        def declared(frame):
            queue = frame.method.queue
            channel.queue_bind(queue, f"{self._prefix}.commands", self._worker_id,
                               callback=lambda _frame: channel.basic_consume(
                                   queue, self._on_command, auto_ack=True,
                                   callback=lambda _ok: self._available("commands")))

        channel.queue_declare("", exclusive=True, auto_delete=True, callback=declared)

    def _set_up_events(self):
        self._io_channels["events"].confirm_delivery(lambda frame: self._on_confirm("events", frame),
                                                     callback=lambda _ok: self._available("events"))

    def _set_up_hellos(self):
        self._io_channels["hellos"].confirm_delivery(lambda frame: self._on_confirm("hellos", frame))

    def _available(self, part):
        self._io_missing.discard(part)
        if not self._io_missing:
            self._io_generation = str(uuid.uuid4())
            self._listener.connected(self._io_generation)
            self._adjust()

    def _proven(self, part):
        """The first success: calls can be read, and a message was written."""
        if part in self._io_unproven:
            self._io_unproven.discard(part)
            self._was_proven = self._was_proven or not self._io_unproven
        if not self._io_unproven:
            self._listener.working()

    def _in_loop(self, action):
        """Runs this in the thread of the connection. Without a connection it does nothing."""
        with self._lock:
            if self._connection is not None:
                self._connection.ioloop.add_callback_threadsafe(action)

    def close(self):
        self._closing.set()

        def close():
            if self._connection.is_open:
                self._connection.close()
            elif not self._connection.is_closing:
                self._connection.ioloop.stop()

        self._in_loop(close)
        if self._thread not in (None, threading.current_thread()):
            self._thread.join(5)

    # Deliveries

    def set_limit(self, limit):
        def apply():
            self._io_limit = limit
            self._adjust()

        self._in_loop(apply)

    def ack(self, delivery, limit):
        def apply():
            self._io_limit = limit
            self._io_unsettled.pop((delivery.channel, delivery.tag), None)
            self._adjust()
            if self._io_is_cancelling:
                self._io_after_cancel.append(lambda: self._settle(delivery, delivery.channel.basic_ack))
            else:
                self._settle(delivery, delivery.channel.basic_ack)

        self._in_loop(apply)

    def reject(self, delivery, requeue):
        def apply():
            self._io_unsettled.pop((delivery.channel, delivery.tag), None)
            self._settle(delivery, lambda tag: delivery.channel.basic_reject(tag, requeue=requeue))
            self._adjust()

        self._in_loop(apply)

    @staticmethod
    def _settle(delivery, settle):
        if delivery.channel.is_open:
            settle(delivery.tag)

    def _adjust(self):
        """Consumes with a prefetch for which there are places, and not at all without one."""
        channel = self._io_channels.get("calls")
        if self._io_is_cancelling or channel is None or not channel.is_open or self._io_generation is None:
            return
        if self._io_consumer:
            consumer, prefetch = self._io_consumer
            older = sum(1 for tag in self._io_unsettled.values() if tag != consumer)
            free = self._io_limit - older
            if prefetch > free or (prefetch < MAX_PREFETCH and free >= 2 * prefetch):
                self._cancel()
            return
        prefetch = min(MAX_PREFETCH, self._io_limit - len(self._io_unsettled))
        if prefetch > 0:
            channel.basic_qos(prefetch_count=prefetch)
            tag = channel.basic_consume(self._queue, self._on_delivery, callback=lambda _ok: self._proven("calls"))
            self._io_consumer = (tag, prefetch)

    def _cancel(self):
        channel = self._io_channels["calls"]
        tag, _prefetch = self._io_consumer
        self._io_consumer = None
        self._io_is_cancelling = True

        def cancelled(_frame):
            self._io_is_cancelling = False
            for action in self._io_after_cancel:
                action()
            self._io_after_cancel.clear()
            self._adjust()

        channel.basic_cancel(tag, callback=cancelled)

    def _on_delivery(self, channel, method, properties, body):
        self._io_unsettled[(channel, method.delivery_tag)] = method.consumer_tag
        self._listener.delivered(_AmqpDelivery(channel, method.delivery_tag, properties.type, body))

    # Messages of the worker

    def publish(self, routing_key, type, body, message_id, on_settled=None):
        properties = pika.BasicProperties(type=type, content_type="application/json", delivery_mode=2,
                                          message_id=message_id)
        data = encode(body)

        name = "hellos" if type == "worker.hello.v1" else "events"

        def send():
            channel = self._io_channels.get(name)
            if channel is None or not channel.is_open or self._io_generation is None:
                return
            channel.basic_publish(f"{self._prefix}.events", routing_key, data, properties)
            self._io_published[name] += 1
            self._io_confirms[name][self._io_published[name]] = on_settled

        self._in_loop(send)

    def _on_confirm(self, name, frame):
        method = frame.method
        is_stored = isinstance(method, pika.spec.Basic.Ack)
        confirms = self._io_confirms[name]
        tags = [method.delivery_tag]
        if method.multiple:
            tags = [tag for tag in confirms if tag <= method.delivery_tag]
        if is_stored:
            self._io_stored += len(tags)
        for tag in tags:
            on_settled = confirms.pop(tag, None)
            if on_settled:
                on_settled(is_stored)
        if name == "hellos":
            self._proven("hellos")

    def request(self, routing_key, type, body, seconds, correlation_id):
        with self._lock:
            answer = self._answers.setdefault(correlation_id, [threading.Event(), None])
            is_open = answer[1] is None
            if is_open:
                answer[0].clear()
        if is_open:
            properties = pika.BasicProperties(type=type, content_type="application/json", correlation_id=correlation_id,
                                              reply_to="amq.rabbitmq.reply-to", expiration=str(int(seconds * 1000)))
            data = encode(body)

            def send():
                channel = self._io_channels.get("claims")
                if channel is not None and channel.is_open and self._io_generation is not None:
                    channel.basic_publish(f"{self._prefix}.events", routing_key, data, properties)

            self._in_loop(send)
            answer[0].wait(seconds)
        return answer[1]

    def forget(self, correlation_id):
        with self._lock:
            return self._answers.pop(correlation_id, [None, None])[1]

    def _on_answer(self, _channel, _method, properties, body):
        try:
            found = (properties.type, json.loads(body))
        except (ValueError, RecursionError):
            self._logger.error("An answer of the server is not JSON.")
            return
        with self._lock:
            answer = self._answers.get(properties.correlation_id)
            was_answered = properties.correlation_id in self._answered
            if answer:
                answer[1] = found
                answer[0].set()
                self._answered[properties.correlation_id] = True
                if len(self._answered) > MAX_ANSWERED:
                    self._answered.popitem(last=False)
        if not answer and not was_answered:
            self._listener.answered_late(*found)

    def _fail_requests(self):
        """A lost connection has lost the answers too: the claims are sent again at once."""
        with self._lock:
            waiting = list(self._answers.values())
        for answer in waiting:
            answer[0].set()

    def _on_command(self, _channel, _method, properties, body):
        try:
            self._listener.commanded(properties.type, json.loads(body))
        except (ValueError, KeyError, TypeError, RecursionError):
            self._logger.error("A command of the server cannot be read.")
