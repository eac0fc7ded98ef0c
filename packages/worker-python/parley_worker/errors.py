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
    """The call that reached the runtime must not be answered. `reason` is the server's, or one of `no_answer` (for
    30 seconds this worker had no free place, or the server did not answer) and `stopping`."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason
