"""The permission to connect the person of a call with another number, over the REST API."""
import json
import urllib.request

from .api import access_of, repeat_until_answered

TIMEOUT_SECONDS = 5
ATTEMPTS = 3
PAUSE_SECONDS = 1


def allow_transfer(api_url, api, conversation_id, to, wait):
    """The number to call, in its one spelling, and the longest time in seconds. A request that the server cannot answer is
    repeated after a pause: `wait(seconds)` returns True if the call was interrupted.
    Raises WorkerError without a credential of the call, urllib.error.HTTPError if the server refuses it, and what the last
    of three attempts without an answer raised."""
    url, headers = access_of(api_url, None, api, "A transfer")
    request = urllib.request.Request(f"{url}/api/calls/{conversation_id}/transfers", method="POST",
                                     data=json.dumps({"to_number": to}).encode(),
                                     headers={**headers, "Content-Type": "application/json"})
    allowed = repeat_until_answered(lambda: urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS), wait,
                                    lambda attempt, _: attempt == ATTEMPTS, lambda _: PAUSE_SECONDS)
    return allowed["to_number"], allowed["maximum_seconds"]
