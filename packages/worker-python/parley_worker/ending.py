"""The end of a call, by what its handler returned."""
from datetime import datetime

from .wire import DISCONNECT_REASONS, PARTIES


def ending_of(call, result):
    """What the handler's result says, checked."""
    if result is None:
        if call.interrupted == "hangup":
            return {"reason": "cancelled", "by": "system"}
        if call.interrupted == "stopping" or call.connected_at is None:
            return {"reason": "error", "by": "system"}
        return {"reason": "agent_hangup", "by": "agent"}
    if not isinstance(result, dict):
        raise TypeError(f"A handler returns a dict or nothing, not {type(result).__name__}.")
    unknown = set(result) - {"reason", "by", "summary", "outcome", "process_compliance", "ended_at"}
    if unknown:
        raise ValueError(f"A handler returned the unknown field {sorted(unknown)[0]!r}.")
    for name in ("summary", "outcome", "process_compliance"):
        if not isinstance(result.get(name), (str, type(None))):
            raise TypeError(f"The field {name!r} of a handler's result must be a str.")
    if not isinstance(result.get("ended_at"), (datetime, type(None))):
        raise TypeError("The field 'ended_at' of a handler's result must be a datetime.")
    default = ending_of(call, None)
    reason = result.get("reason") or default["reason"]
    by = result.get("by") or (default["by"] if reason == default["reason"] else _party_of(reason))
    if reason not in DISCONNECT_REASONS:
        raise ValueError(f"{reason!r} is no reason for an end; one of {', '.join(sorted(DISCONNECT_REASONS))} is.")
    if by not in PARTIES:
        raise ValueError(f"{by!r} is no party; one of {', '.join(sorted(PARTIES))} is.")
    return {**result, "reason": reason, "by": by}


def _party_of(reason):
    return {"user_hangup": "user", "agent_hangup": "agent", "call_transfer": "agent"}.get(reason, "system")
