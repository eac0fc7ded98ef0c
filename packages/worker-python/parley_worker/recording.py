"""The recording of a call, handed to the server over the REST API."""
import json
import urllib.request

from .api import access_of

CONTENT_TYPES = ("audio/wav", "audio/mpeg")
TIMEOUT_SECONDS = 60


def record(api_url, api, conversation_id, source, content_type):
    """Sends bytes, a file opened in binary mode or an iterable of bytes. Returns the address of the recording.
    Raises WorkerError without a credential of the call, and urllib.error.HTTPError if the server refuses it."""
    if content_type not in CONTENT_TYPES:
        raise ValueError(f"The content type of a recording is {' or '.join(CONTENT_TYPES)}, not {content_type!r}.")
    url, headers = access_of(api_url, None, api, "A recording")
    request = urllib.request.Request(f"{url}/api/calls/{conversation_id}/recording", data=source, method="PUT",
                                     headers={**headers, "Content-Type": content_type})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        return json.load(response)["data"]["recording_url"]
