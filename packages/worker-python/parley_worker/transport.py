"""The interface between a worker and its message broker."""


class Transport:
    """What a worker needs of a message broker. All methods may be called from any thread and do not block, but
    `request`. A delivery has a `body` (bytes) and a `type`. The listener has these methods:

    - `connected(generation)`, `working()`: calls can arrive
    - `unavailable(error, cause)`: they cannot; each cause is logged once until they can
    - `disconnected(error, cause)`: nothing can be sent, either
    - `refused(routing_key, error)`: the broker refuses this key. Returns whether the worker goes on without it; then
      `connected` with another generation follows
    - `failed(error)`: it will never work
    - `delivered(delivery)`, `commanded(type, body)`, `answered_late(type, body)`
    """

    def start(self, listener):
        """Connects, and connects again until `close`."""
        raise NotImplementedError

    def set_limit(self, limit):
        """Takes at most this many deliveries that are not settled; 0: none."""
        raise NotImplementedError

    def ack(self, delivery, limit):
        """Sets the limit first, so that the broker does not replace the delivery if there is no place."""
        raise NotImplementedError

    def reject(self, delivery, requeue):
        raise NotImplementedError

    def publish(self, routing_key, type, body, message_id, on_settled=None):
        """Calls `on_settled` with whether the broker has stored it, or never if the connection is lost."""
        raise NotImplementedError

    def request(self, routing_key, type, body, seconds, correlation_id):
        """The type and the body of the answer, or None. The same correlation id makes it another attempt, for which an
        answer to any attempt counts."""
        raise NotImplementedError

    def forget(self, correlation_id):
        """There is no further attempt: another answer is late, unless there was one. Returns that one, or None."""
        raise NotImplementedError

    def close(self):
        raise NotImplementedError
