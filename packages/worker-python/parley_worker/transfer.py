"""The permission to connect the person of a call with another number, over the REST API."""
import json
import urllib.request

from .search import access_of

TIMEOUT_SECONDS = 10


def allow_transfer(api_url, api, conversation_id, to):
    """The number to call, in its one spelling, and the longest time in seconds.
    Raises WorkerError without a credential of the call, and urllib.error.HTTPError if the server refuses it."""
    url, headers = access_of(api_url, None, api, "A transfer")
    request = urllib.request.Request(f"{url}/api/calls/{conversation_id}/transfers", method="POST",
                                     data=json.dumps({"to_number": to}).encode(),
                                     headers={**headers, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        allowed = json.load(response)["data"]
    return allowed["to_number"], allowed["maximum_seconds"]
