/** The messages between the server and agent runtimes, as `docs/asyncapi.yaml` describes them. Times are ISO 8601 in UTC. */

export const MESSAGE_TYPES = {
  callStart: 'call.start.v1',
  claim: 'call.claim.v1',
  claimed: 'call.claimed.v1',
  claimRefused: 'call.claim-refused.v1',
  connected: 'call.connected.v1',
  heartbeat: 'call.heartbeat.v1',
  ended: 'call.ended.v1',
  failed: 'call.failed.v1',
  hangUp: 'call.hangup.v1',
} as const;

/** Asks a runtime to place (or take) a call. Published once for each accepted call; may arrive more than once. */
export interface CallStart {
  conversation_id: string;
  workspaceId: string;
  userId: string;
  agent_id: string;
  agent_version: number;
  campaign_id: string | null;
  call_type: string;
  direction: string;
  channel: string;
  /** E.164; '' for a web call without a number. */
  to_number: string;
  /** E.164; '' where the worker's trunk decides. */
  from_number: string;
  customer_name: string;
  /** The opening line, its variables filled in: the call's own, else the agent's. */
  greeting: string;
  dynamic_variables: Record<string, string>;
  memory_id: string;
  style: string;
  external_id: string;
  webhook_url: string;
  created_at: string;
  /** A claim after this moment is refused. */
  expires_at: string;
  /** The agent's knowledge bases; `search` is the path to GET with `?query=`, for which the scope `agent:<agent_id>` is enough. */
  knowledge_bases: { kb_id: string; search: string }[];
  /** The agent as it was when the call was accepted; `prompt` and `greeting` have their variables filled in. */
  agent: Record<string, unknown>;
}

/** Asks for the right to place a call. */
export interface Claim {
  conversation_id: string;
  /** Made by the worker for each delivery: asking again with the same id gets the same answer. */
  claim_id: string;
  /** Names the worker in logs, and is where commands for its calls go. */
  worker_id: string;
}

export interface Claimed {
  conversation_id: string;
  /** Goes into every event of this call. */
  token: string;
  /** The call is taken for lost when no event came for this long. */
  lease_seconds: number;
  /** How often to send a heartbeat. */
  heartbeat_seconds: number;
}

export interface ClaimRefused {
  conversation_id: string;
  reason: string;
}

interface CallEvent {
  conversation_id: string;
  token: string;
  /** When it happened, by the worker's clock. */
  occurred_at: string;
}

/** A call that was connected is over. */
export interface CallEnded extends CallEvent {
  /** By the same clock as `occurred_at`: the connected time is their difference. */
  connected_at: string;
  disconnect_reason: string;
  disconnected_by: string;
  summary?: string;
  process_compliance?: string;
  outcome?: string;
}

/** A call ended without ever being connected. */
export interface CallFailed extends CallEvent {
  disconnect_reason: string;
  disconnected_by?: string;
}

/** Asks the worker that holds a call to end it now, with `call.ended` or `call.failed` and the reason `cancelled`. */
export interface HangUp {
  conversation_id: string;
}
