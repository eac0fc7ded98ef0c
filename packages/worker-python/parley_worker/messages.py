"""The wire format of the runtime contract: times, JSON and the limits of messages."""
import json
from datetime import datetime, timezone

#: Limits of the runtime contract.
MAX_MESSAGE_BYTES = 65_536
MAX_TEXT = 8_000
#: Of the fields of a message, below the contract's 65,536 bytes and 8,000 values: leaves room for the ids of the call.
MAX_FIELDS_BYTES = 60_000
MAX_FIELDS_VALUES = 7_900
#: Arguments or a result of a tool with more values, or more levels, are sent as a text.
MAX_TOOL_VALUES = 3_500
MAX_TOOL_DEPTH = 24

GRANTS = {"call.claimed.v1", "call.incoming-accepted.v1"}


def now():
    return datetime.now(timezone.utc)


def iso(moment):
    if not isinstance(moment, datetime):
        raise TypeError(f"A time must be a datetime, not {type(moment).__name__}.")
    if moment.tzinfo is None:
        moment = moment.astimezone()
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))  # Python before 3.11 does not parse Z


class UnreadableAnswer(ValueError):
    """An answer to a claim that is not what the runtime contract says."""


def read_answer(type, body):
    """The body of the answer to a claim, checked."""
    if not isinstance(body, dict):
        raise UnreadableAnswer(f"The answer {type} is not a JSON object.")
    if "token" not in body and type not in GRANTS:
        return body
    for name in ("conversation_id", "token"):
        if not isinstance(body.get(name), str):
            raise UnreadableAnswer(f"The answer {type} has no {name} that is a text.")
    seconds = body.get("heartbeat_seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        raise UnreadableAnswer(f"The answer {type} has no heartbeat_seconds that is a number above 0.")
    if type == "call.incoming-accepted.v1" and not isinstance(body.get("call"), dict):
        raise UnreadableAnswer(f"The answer {type} has no call.")
    return body


def encode(body):
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def shorten(text, length):
    return text if len(text) <= length else text[: length - 1] + "…"


def size_of(value):
    """The number of JSON values on all levels together, and the number of levels, as the server counts them."""
    level, values, depth = [value], 1, 0
    while True:
        level = [inner for outer in level if isinstance(outer, (dict, list, tuple))
                 for inner in (outer.values() if isinstance(outer, dict) else outer)]
        if not level:
            return values, depth
        values += len(level)
        depth += 1


def fitting(make):
    """Fields that fit into a message. Characters have up to six bytes in JSON, so texts of a valid length may be too
    large together: `make` gets the share of the valid length that they may have."""
    share = 1.0
    while True:
        fields = make(share)
        if len(encode(fields)) <= MAX_FIELDS_BYTES or share < 1 / 1024:
            return fields
        share /= 2


def tool_value(value, share=1.0):
    """As JSON, or as the beginning of its text if it is larger than the server stores."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    values, depth = size_of(value)
    is_small = len(text) <= MAX_TEXT * share and values <= MAX_TOOL_VALUES and depth <= MAX_TOOL_DEPTH
    return value if is_small else shorten(text, int(MAX_TEXT * share))


def routing_key(type):
    return type.rsplit(".", 1)[0]
