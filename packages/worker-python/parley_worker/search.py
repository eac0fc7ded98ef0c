"""Passages of the knowledge bases of a call, over the REST API."""
import json
import urllib.parse
import urllib.request

from .api import access_of

TIMEOUT_SECONDS = 10


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
