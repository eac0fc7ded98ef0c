"""Passages of the knowledge bases of a call, over the REST API."""
import json
import urllib.parse
import urllib.request

from .errors import WorkerError

TIMEOUT_SECONDS = 10


def access_of(api_url, api_key, api, what):
    """The address of the REST API and the headers of a credential: what the options say, else what the server says about
    the call. Raises WorkerError without an address or a credential, as with a server of an earlier release."""
    api = api or {}
    url = api_url or api.get("url")
    if not url or not (api_key or api.get("token")):
        raise WorkerError(f"{what} needs the options api_url and api_key of the worker.")
    return url.rstrip("/"), {"X-API-Key": api_key} if api_key else {"Authorization": f"Bearer {api['token']}"}


def search(api_url, api_key, start, query, knowledge_base_id=None, limit=5, api=None):
    """The best passages of one or all knowledge bases of a call start, the best first.
    Raises WorkerError without an address or a credential, ValueError for a knowledge base that the agent does not have, and
    urllib.error.HTTPError if the server refuses the request."""
    url, headers = access_of(api_url, api_key, api, "A search")
    bases = [base for base in start.get("knowledge_bases", [])
             if knowledge_base_id is None or base["kb_id"] == knowledge_base_id]
    if knowledge_base_id is not None and not bases:
        raise ValueError(f"The agent of the call does not have the knowledge base {knowledge_base_id}.")
    parameters = urllib.parse.urlencode({"query": query, "limit": limit})
    passages = []
    for base in bases:
        request = urllib.request.Request(f"{url}{base['search']}?{parameters}", headers=headers)
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            passages.extend(json.load(response)["data"])
    return sorted(passages, key=lambda passage: -passage["score"])[:limit]
