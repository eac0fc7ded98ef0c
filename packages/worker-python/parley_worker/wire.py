"""The closed lists of the contract. Written from docs/asyncapi.yaml by npm run generate; do not edit."""

SPEAKERS = {
    "agent",
    "user",
    "tool",
    "system",
}

REHEARSAL_END_REASONS = {
    "user_hangup",
    "agent_hangup",
    "call_transfer",
    "voicemail_reached",
    "inactivity",
    "max_duration_reached",
    "error",
    "limit",
}

STARTED_CALL_TYPES = {
    "phonecall",
    "webcall",
    "rehearsal",
}

CALL_TYPES = {
    "phonecall",
    "webcall",
}

DIRECTIONS = {
    "outbound",
    "inbound",
}

DISCONNECT_REASONS = {
    "user_hangup",
    "agent_hangup",
    "call_transfer",
    "voicemail_reached",
    "inactivity",
    "max_duration_reached",
    "dial_busy",
    "dial_no_answer",
    "dial_failed",
    "invalid_destination",
    "cancelled",
    "error",
}

PARTIES = {
    "user",
    "agent",
    "system",
}

EVENT_TYPES = {
    "call.joinable.v1",
    "call.connected.v1",
    "call.heartbeat.v1",
    "call.ended.v1",
    "call.failed.v1",
    "call.transcript.v1",
    "call.recorded.v1",
    "call.analyzed.v1",
    "call.warning.v1",
    "call.rehearsed.v1",
    "call.judged.v1",
}
