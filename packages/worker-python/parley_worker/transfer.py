"""The permission to connect the person of a call with another number, over the REST API."""
import http.client
import json
import urllib.error
import urllib.request

from .search import access_of

TIMEOUT_SECONDS = 5
ATTEMPTS = 3
PAUSE_SECONDS = 1


def allow_transfer(api_url, api, conversation_id, to, wait):
    """The number to call, in its one spelling, and the longest time in seconds. A request that the server cannot answer is
    repeated after a pause: `wait(seconds)` returns True if the call was interrupted.
    Raises WorkerError without a credential of the call, urllib.error.HTTPError if the server refuses it, and what the last
    of three attempts raised."""
    url, headers = access_of(api_url, None, api, "A transfer")
    request = urllib.request.Request(f"{url}/api/calls/{conversation_id}/transfers", method="POST",
                                     data=json.dumps({"to_number": to}).encode(),
                                     headers={**headers, "Content-Type": "application/json"})
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                allowed = json.load(response)["data"]
            return allowed["to_number"], allowed["maximum_seconds"]
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as error:
            is_refused = isinstance(error, urllib.error.HTTPError) and error.code < 500 and error.code != 429
            if is_refused or attempt == ATTEMPTS or wait(PAUSE_SECONDS):
                raise
