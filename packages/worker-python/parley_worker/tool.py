"""The tools of a call, which the server runs, over the REST API."""
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from .api import FAILURES, access_of, is_refusal, repeat_until_answered
from .messages import shorten

#: A request lets the server wait this long for the end of a tool.
WAIT_SECONDS = 10
#: The additional time that its answer may take.
ANSWER_SECONDS = 5
#: After this time without an answer it is not known what becomes of a tool.
SILENCE_SECONDS = 30
PAUSE_SECONDS = 0.1
MAX_ERROR = 2_000

NO_INVOCATION = {"invocation_id": None, "result": None, "error": None, "code": None, "repeated": False, "variables": {}}


class Tools:
    """Asks the server for tools, with the credentials of calls."""

    def __init__(self, api_url):
        self._api_url = api_url

    def ask(self, start, api, name, arguments, confirmed):
        """The invocation of a tool when it is settled; of one in the background, when it is accepted.
        Raises WorkerError without a credential of the call, TypeError and ValueError if the arguments are no JSON."""
        url, headers = self._access(start, api)
        mode = next((tool.get("mode") for tool in start.get("tools", []) if tool["name"] == name), "wait")
        wait_ms = 0 if mode == "background" else WAIT_SECONDS * 1000
        body = json.dumps({"arguments": arguments, "confirmed": confirmed, "wait_ms": wait_ms}, allow_nan=False)
        request = urllib.request.Request(f"{url}/{urllib.parse.quote(name, safe='')}", method="POST", data=body.encode(),
                                         headers={**headers, "Content-Type": "application/json",
                                                  "Idempotency-Key": str(uuid.uuid4())})
        asked = _receive(request)
        return asked if mode == "background" else self.wait(start, api, asked)

    def wait(self, start, api, asked):
        """The same invocation when it is settled."""
        url, headers = self._access(start, api)
        address = f"{url}/invocations/{asked['invocation_id']}?wait_ms={WAIT_SECONDS * 1000}"
        request = urllib.request.Request(address, headers=headers)
        last = asked
        while last["state"] == "running":
            found = _receive(request)
            # It was accepted, so that a refusal to tell its end does not say that it was not done.
            state = "unknown" if found["invocation_id"] is None else found["state"]
            last = {**found, "invocation_id": asked["invocation_id"], "repeated": asked["repeated"], "state": state}
            if state == "running":
                time.sleep(PAUSE_SECONDS)
        return last

    def _access(self, start, api):
        """An API key may not ask for tools."""
        url, headers = access_of(self._api_url, None, api, "A tool")
        return f"{url}/api/calls/{start['conversation_id']}/tools", headers


def _receive(request):
    until = time.monotonic() + SILENCE_SECONDS
    timeout = WAIT_SECONDS + ANSWER_SECONDS
    try:
        answer = repeat_until_answered(lambda: urllib.request.urlopen(request, timeout=timeout), time.sleep,
                                       lambda _, seconds: time.monotonic() + seconds > until)
        return {**NO_INVOCATION, **{key: answer[key] for key in (*NO_INVOCATION, "state") if key in answer}}
    except FAILURES as error:
        code, why = _reason_of(error)
        if is_refusal(error):
            return {**NO_INVOCATION, "state": "refused", "code": code, "error": shorten(why, MAX_ERROR)}
        words = f"The server has not said whether this was done: {why}"
        return {**NO_INVOCATION, "state": "unknown", "code": code, "error": shorten(words, MAX_ERROR)}


def _reason_of(error):
    """The `error_code` of an answer, and the reason in words."""
    if not isinstance(error, urllib.error.HTTPError):
        return None, str(getattr(error, "reason", error))
    try:
        answer = json.loads(error.read())
        said = "; ".join(each["message"] for each in answer.get("errors", []))
        details = answer.get("error", {}).get("details") or answer.get("details") or answer.get("message")
        return answer.get("error_code"), said or details or str(error)
    except (*FAILURES, AttributeError):
        return None, str(error)
