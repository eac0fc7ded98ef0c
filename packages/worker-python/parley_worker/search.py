"""Passages of the knowledge bases of a call, over the REST API."""
import json
import urllib.parse
import urllib.request

from .errors import WorkerError

TIMEOUT_SECONDS = 10


def search(api_url, api_key, start, query, knowledge_base_id=None, limit=5):
    """The best passages of one or all knowledge bases of a call start, the best first.
    Raises WorkerError without an address or a key, ValueError for a knowledge base that the agent does not have, and
    urllib.error.HTTPError if the server refuses the request."""
    if not api_url or not api_key:
        raise WorkerError("A search needs the options api_url and api_key of the worker.")
    bases = [base for base in start.get("knowledge_bases", [])
             if knowledge_base_id is None or base["kb_id"] == knowledge_base_id]
    if knowledge_base_id is not None and not bases:
        raise ValueError(f"The agent of the call does not have the knowledge base {knowledge_base_id}.")
    parameters = urllib.parse.urlencode({"query": query, "limit": limit})
    passages = []
    for base in bases:
        request = urllib.request.Request(f"{api_url.rstrip('/')}{base['search']}?{parameters}",
                                         headers={"X-API-Key": api_key})
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            passages.extend(json.load(response)["data"])
    return sorted(passages, key=lambda passage: -passage["score"])[:limit]
