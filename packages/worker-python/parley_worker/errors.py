"""What a worker and its handlers raise."""


class WorkerError(RuntimeError):
    """The worker cannot run: a wrong password, an unknown virtual host, a missing permission or a wrong option."""


class CallFailed(Exception):
    """Raised by a handler: the call was not answered, for this reason."""

    def __init__(self, reason, by="system"):
        super().__init__(reason)
        self.reason = reason
        self.by = by


class IncomingRefused(Exception):
    """The call that reached the runtime must not be answered. `reason` is the server's, or one of `no_answer` (the
    server did not answer for 30 seconds), `stopping` and `too_many_calls` (also: this worker has no free place)."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason
