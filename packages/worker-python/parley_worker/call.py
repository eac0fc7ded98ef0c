"""One call, as its handler uses it."""
import re
import threading
import time
import urllib.parse
from datetime import timedelta

from .analysis import analysis_report
from .messages import (MAX_FIELDS_BYTES, MAX_FIELDS_VALUES, MAX_MESSAGE_BYTES, MAX_TEXT, encode, fitting, iso, now,
                       parse_time, shorten, size_of, tool_value)
from .recording import record
from .reports import Report
from .search import search
from .transfer import allow_transfer
from .wire import SPEAKERS

MAX_WARNINGS = 20
#: Turns wait this long for others of the same message.
TURN_SECONDS = 0.5


class Call:
    """One call, as its handler sees it."""

    def __init__(self, worker, start, claimed):
        #: The conversation's id.
        self.id = claimed["conversation_id"]
        #: The message `call.start.v1`: number, greeting, agent, variables, knowledge bases.
        self.start = start
        self.direction = start.get("direction", "outbound")
        #: None, "hangup" (a client of the API asked for the end) or "stopping" (the worker stops).
        self.interrupted = None
        self.connected_at = None
        #: Whether it takes a place of the worker.
        self.takes_place = True
        self.token = claimed["token"]
        self._api = claimed.get("api")
        self.heartbeat_seconds = claimed["heartbeat_seconds"]
        self.heartbeat_at = time.monotonic() + self.heartbeat_seconds
        self.handler_ended = threading.Event()
        self._worker = worker
        self._interruption = threading.Event()
        self._lock = threading.RLock()
        self._waiting_turns = []
        self._turns = 0
        self._warnings = 0
        self._turns_due = None
        self._is_over = False

    def connected(self, at=None):
        """The person answered, now or at this time (a datetime)."""
        with self._lock:
            self._assert_going_on()
            if self.connected_at is None:
                self.connected_at = iso(at or now())
                self._report("call.connected.v1", {"occurred_at": self.connected_at})

    def joinable(self, url, expires_at):
        """The person of a web call can join it at this address, with a secret in it, until this datetime, at most an
        hour ahead. The latest one counts."""
        body = self._address(url, expires_at)
        if parse_time(body["expires_at"]) > now() + timedelta(hours=1):
            raise ValueError("expires_at must be at most an hour ahead.")
        is_joined = (self.start.get("rehearsal") or {}).get("mode") == "joined"
        if self.start.get("call_type") != "webcall" and not is_joined:
            raise ValueError(f"The call {self.id} is no web call.")
        with self._lock:
            self._assert_going_on()
            if self.connected_at is not None:
                raise RuntimeError(f"The call {self.id} is connected.")
            self._report("call.joinable.v1", body)

    def listenable(self, url, expires_at):
        """Users of the workspace hear both sides of the call at this address, with a secret in it, until this datetime,
        at most a day ahead. The latest one counts; one in the past says that nobody can listen any more."""
        body = self._address(url, expires_at)
        if parse_time(body["expires_at"]) > now() + timedelta(days=1):
            raise ValueError("expires_at must be at most a day ahead.")
        with self._lock:
            self._assert_going_on()
            self._report("call.joinable.v1", {"listen": body})

    @staticmethod
    def _address(url, expires_at):
        if not isinstance(url, str) or not re.fullmatch(r"(?i)(wss?|https?)://\S+", url) or len(url) > 2048:
            raise ValueError("The address of a call begins with ws://, wss://, http:// or https://, and has at most "
                             "2,048 characters.")
        return {"url": url, "expires_at": iso(expires_at)}

    def turn(self, speaker, text, started_at=None, ended_at=None, tool=None):
        """Something was said, or a tool was used: `{"name", "arguments"?, "result"?}`. Turns are numbered and sent in
        batches. A text of more than 8,000 characters ends with `…`. Returns the sequence of the turn, as the criteria of an
        analysis name it."""
        if speaker not in SPEAKERS:
            raise ValueError(f"A speaker is one of {', '.join(sorted(SPEAKERS))}, not {speaker!r}.")
        if not isinstance(text, str):
            raise TypeError(f"The text of a turn must be a str, not {type(text).__name__}.")
        times = {"started_at": iso(started_at or now())}
        if ended_at is not None:
            times["ended_at"] = iso(ended_at)

        def make(share):
            turn = {"speaker": speaker, "text": shorten(text, int(MAX_TEXT * share)), **times}
            if tool is not None:
                uses = {key: tool_value(tool[key], share) for key in ("arguments", "result") if key in tool}
                turn["tool"] = {"name": shorten(str(tool["name"]), 200), **uses}
            return turn

        turn = fitting(make)
        with self._lock:
            self._assert_going_on()
            self._turns += 1
            self._waiting_turns.append({"sequence": self._turns, **turn})
            self._turns_due = self._turns_due or time.monotonic() + TURN_SECONDS
            return self._turns

    def recorded(self, url, duration_sec=None):
        """The recording is at this address, which begins with http:// or https:// and has no password."""
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or len(url) > 2048:
            raise ValueError("The address of a recording begins with http:// or https://, names a host and no user, "
                             "and has at most 2,048 characters.")
        self._report("call.recorded.v1", {"recording_url": url, "duration_sec": duration_sec})

    def analyzed(self, fields, opt_out=False, criteria=None):
        """What was found out: at most 50 fields that are a bool, a number, a str or None, those of `start["analysis"]` under
        their names. `criteria` has the answers to its criteria, by their names: `{"pass", "turns"?, "reason"?}`. The latest
        report counts. `opt_out`: the person asked for no further calls."""
        self._report("call.analyzed.v1", analysis_report(fields, opt_out, criteria))

    def record(self, source, content_type="audio/wav"):
        """Hands the recording to the server, once: bytes, a file opened in binary mode or an iterable of bytes, in
        `audio/wav` or `audio/mpeg`. During the call, or up to an hour after its end. Returns its address."""
        return record(self._worker.api_url, self._api, self.id, source, content_type)

    def warn(self, code, text):
        """Tells operators something about the call, in its timeline: a code that programs can compare, and a sentence of
        at most 500 characters. The server stores 20 warnings of a call; further ones are not sent."""
        if not isinstance(code, str) or not isinstance(text, str):
            raise TypeError("The code and the text of a warning must be of the type str.")
        with self._lock:
            if self._warnings == MAX_WARNINGS:
                return
            self._warnings += 1
            self._report("call.warning.v1", {"code": shorten(code, 100), "text": shorten(text, 500),
                                             "occurred_at": iso(now())})

    def search(self, query, knowledge_base_id=None, limit=5):
        """The passages that the call's knowledge bases have for a query, the best first, as
        `GET /api/knowledge-base/{kb_id}/search` answers. Uses the credential of the call, or the options `api_url`
        and `api_key`."""
        return search(self._worker.api_url, self._worker.api_key, self.start, query, knowledge_base_id, limit, self._api)

    def tool(self, name, arguments=None, confirmed=False):
        """Asks the server for a tool of `start["tools"]`, and returns what came of it: `{"invocation_id", "state", "result",
        "error", "code", "repeated", "variables"}`. The state is `done`, `refused`, `failed`, `unknown` or, for a tool with
        the mode `background`, `running`. Raises WorkerError without a credential of the call, and TypeError or ValueError
        if the arguments are no JSON."""
        return self._worker.tools.ask(self.start, self._api, name, arguments or {}, confirmed)

    def wait_for_tool(self, invocation):
        """Returns a tool that was `running` when it is settled."""
        return self._worker.tools.wait(self.start, self._api, invocation)

    def allow_transfer(self, to):
        """Asks the server whether the person may be connected with another number of the agent's actions. Returns the number
        to call and the longest time in seconds. Asks three times if the server cannot answer. Raises
        urllib.error.HTTPError if the server refuses."""
        return allow_transfer(self._worker.api_url, self._api, self.id, to, self.wait)

    def release_place(self):
        """Gives back the place of the call in the capacity of the worker, such as when a carrier conducts it from now
        on."""
        self._worker.place(self, False)

    def take_place(self):
        """Takes a place for the call again that gave its place back, also if the worker is full."""
        self._worker.place(self, True)

    def wait(self, seconds):
        """Waits. Returns True at once if the call was interrupted."""
        return self._interruption.wait(seconds)

    # For the worker

    def interrupt(self, why):
        with self._lock:
            if self.interrupted is None:
                self.interrupted = why
                self._interruption.set()

    def flush_turns(self):
        with self._lock:
            self._turns_due = None
            batch, size, values = [], 0, 0
            for turn in self._waiting_turns:
                more_size, more_values = len(encode(turn)) + 1, size_of(turn)[0]
                if batch and (size + more_size > MAX_FIELDS_BYTES or values + more_values > MAX_FIELDS_VALUES):
                    self._report("call.transcript.v1", {"turns": batch})
                    batch, size, values = [], 0, 0
                batch.append(turn)
                size += more_size
                values += more_values
            if batch:
                self._report("call.transcript.v1", {"turns": batch})
            self._waiting_turns = []

    def flush_due_turns(self, now):
        with self._lock:
            if self._turns_due is not None and self._turns_due <= now:
                self.flush_turns()

    def end(self, reason, by, summary=None, outcome=None, process_compliance=None, ended_at=None):
        """Reports the end, once. Returns False if it was reported before."""
        with self._lock:
            if self._is_over:
                return False
            self.flush_turns()
            self._is_over = True
            occurred_at = iso(now())
            if ended_at is not None:
                occurred_at = min(occurred_at, max(self.connected_at or "", iso(ended_at)))
            body = {"occurred_at": occurred_at, "disconnect_reason": reason, "disconnected_by": by}
            type = "call.failed.v1"
            if self.connected_at is not None:
                type = "call.ended.v1"
                body["connected_at"] = self.connected_at
                texts = {"summary": (summary, 20_000), "outcome": (outcome, 2_000),
                         "process_compliance": (process_compliance, 2_000)}
                body.update({key: shorten(text, length) for key, (text, length) in texts.items() if text is not None})
                if self._turns:
                    body["transcript_turns"] = self._turns
                while len(encode(body)) > MAX_MESSAGE_BYTES - 1_000:
                    body["summary"] = shorten(body["summary"], len(body["summary"]) * 3 // 4)
            self._report(type, body, is_end=True)
            return True

    def _assert_going_on(self):
        if self._is_over:
            raise RuntimeError(f"The call {self.id} has ended.")

    def _report(self, type, fields, is_end=False):
        body = {"conversation_id": self.id, "token": self.token, **fields}
        self._worker.reports.add(Report(type, body, is_end=is_end))
