"""Requests to the REST API of the server."""
import http.client
import json
import random
import urllib.error

from .errors import WorkerError

LONGEST_PAUSE_SECONDS = 2
#: A request without an answer, or with one that cannot be read, raises one of these.
FAILURES = (OSError, http.client.HTTPException, ValueError, LookupError, TypeError)


def access_of(api_url, api_key, api, what):
    """The address of the REST API and the headers of a credential: what the options say, else what the server says about
    the call. Raises WorkerError without an address or a credential, as with a server of an earlier release."""
    api = api or {}
    url = api_url or api.get("url")
    if not url or not (api_key or api.get("token")):
        raise WorkerError(f"{what} needs the options api_url and api_key of the worker.")
    return url.rstrip("/"), {"X-API-Key": api_key} if api_key else {"Authorization": f"Bearer {api['token']}"}


def is_refusal(error):
    """Whether it says that the server has not done what it was asked for."""
    return isinstance(error, urllib.error.HTTPError) and error.code < 500


def backoff(attempt):
    """The pause after an attempt: it doubles from 0.1 seconds, with full jitter."""
    return random.random() * min(LONGEST_PAUSE_SECONDS, 0.1 * 2 ** min(20, attempt - 1))


def repeat_until_answered(send, pause, is_last, pause_seconds=backoff):
    """Sends a request that may be repeated, until the server accepts or refuses it, and returns the `data` of the answer. A
    status from 500 is no answer, and 429 with `Retry-After` asks to come later. `pause(seconds)` returns True if there shall
    be no further attempt, and `is_last(attempt, seconds)` decides before a pause.
    Raises urllib.error.HTTPError if the server has not done it, and what went wrong if that is not known."""
    attempt, unanswered = 0, None
    while True:
        attempt += 1
        seconds = pause_seconds(attempt)
        try:
            with send() as response:
                return dict(json.load(response)["data"])
        except FAILURES as error:
            asks_later = retry_after(error)
            if not is_refusal(error):
                unanswered = error
            elif error.code in (401, 403):
                # A credential that is refused now says nothing about an earlier attempt.
                raise unanswered or error
            elif error.code != 429 or asks_later is None:
                raise
            seconds = max(seconds, asks_later or 0)
            if is_last(attempt, seconds) or pause(seconds):
                raise unanswered or error


def retry_after(error):
    """The seconds that the server asks to wait; None: it does not ask for it."""
    value = error.headers.get("Retry-After", "") if isinstance(error, urllib.error.HTTPError) else ""
    return int(value) if value.isdecimal() else None
