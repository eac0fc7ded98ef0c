/** The messages between the server and agent runtimes, as `docs/asyncapi.yaml` describes them. Times are ISO 8601 in UTC. */

export const MESSAGE_TYPES = {
  callStart: 'call.start.v1',
  claim: 'call.claim.v1',
  claimed: 'call.claimed.v1',
  claimRefused: 'call.claim-refused.v1',
  incoming: 'call.incoming.v1',
  incomingAccepted: 'call.incoming-accepted.v1',
  incomingRefused: 'call.incoming-refused.v1',
  joinable: 'call.joinable.v1',
  connected: 'call.connected.v1',
  heartbeat: 'call.heartbeat.v1',
  ended: 'call.ended.v1',
  failed: 'call.failed.v1',
  transcript: 'call.transcript.v1',
  recorded: 'call.recorded.v1',
  analyzed: 'call.analyzed.v1',
  warning: 'call.warning.v1',
  hello: 'worker.hello.v1',
  hangUp: 'call.hangup.v1',
} as const;

/** Asks a runtime to place (or accept) a call. Published once for each accepted call. May arrive more than once. */
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
  /** E.164; '' if the runtime chooses. */
  from_number: string;
  customer_name: string;
  /** The opening line with its variables filled in: that of the call, else that of the agent. */
  greeting: string;
  dynamic_variables: Record<string, string>;
  memory_id: string;
  style: string;
  external_id: string;
  webhook_url: string;
  /** W3C Trace Context of the request that started the call; '' if it had none. */
  traceparent: string;
  created_at: string;
  /** A claim after this moment is refused. */
  expires_at: string;
  /** `search` is the path to GET with `?query=`. The call's own credential is sufficient for it. */
  knowledge_bases: { kb_id: string; search: string }[];
  /** The agent when the call was accepted, with the variables of `prompt` and `greeting` filled in. */
  agent: Record<string, unknown>;
}

/** Asks for the right to place a call. */
export interface Claim {
  conversation_id: string;
  /** The runtime makes one for each delivery. A claim that is repeated with its id gets the same reply. */
  claim_id: string;
  /** Identifies the runtime in logs, and is the routing key of commands for its calls. */
  worker_id: string;
}

/** The call's own credential for the API. */
export interface ApiOfCall {
  /** Without a slash at its end. */
  url: string;
  /** A bearer token. */
  token: string;
  /** It ends an hour after the call if that is earlier. */
  expires_at: string;
}

export interface Claimed {
  conversation_id: string;
  /** Part of every event of this call. */
  token: string;
  /** The call is considered lost when no event has arrived for this time. */
  lease_seconds: number;
  /** The interval of heartbeats. */
  heartbeat_seconds: number;
  api: ApiOfCall;
}

export interface ClaimRefused {
  conversation_id: string;
  reason: string;
}

/** Asks whether the runtime may answer a call that has reached it, like a claim. */
export interface Incoming {
  /** The runtime makes one for each call. If it is sent again, it gets the same call. */
  claim_id: string;
  worker_id: string;
  /** E.164; decides which agent answers. */
  to_number: string;
  /** E.164; '' where it is withheld. */
  from_number: string;
  call_type?: string;
  dynamic_variables?: Record<string, string>;
  external_id?: string;
}

/** The call exists, and the runtime holds it like one that it has claimed. */
export interface IncomingAccepted extends Claimed {
  call: CallStart;
}

/** Nothing was stored. */
export interface IncomingRefused {
  claim_id: string;
  reason: string;
}

interface CallEvent {
  conversation_id: string;
  token: string;
  /** By the clock of the runtime. */
  occurred_at: string;
}

/** Where the person of a web call can join it. */
export interface CallJoinable {
  conversation_id: string;
  token: string;
  /** It has a secret in it. */
  url: string;
  expires_at: string;
}

/** A call that was connected has ended. */
export interface CallEnded extends CallEvent {
  /** By the same clock as `occurred_at`: their difference is the connected time. */
  connected_at: string;
  disconnect_reason: string;
  disconnected_by: string;
  summary?: string;
  process_compliance?: string;
  outcome?: string;
  /** How many turns of the transcript the runtime has sent or will send. */
  transcript_turns?: number;
}

/** A call ended without being connected. */
export interface CallFailed extends CallEvent {
  disconnect_reason: string;
  disconnected_by?: string;
}

/** Turns of a call's transcript. Sent in batches, also after the end of the call. */
export interface CallTranscript {
  conversation_id: string;
  token: string;
  turns: {
    /** The order of the turns. A turn that is sent again is stored once. */
    sequence: number;
    speaker: string;
    text: string;
    started_at: string;
    ended_at?: string;
    tool?: { name: string; arguments?: unknown; result?: unknown };
  }[];
}

/** Where the recording of a call is. */
export interface CallRecorded {
  conversation_id: string;
  token: string;
  recording_url: string;
  duration_sec?: number;
}

/** The result of a runtime's analysis of a call. */
export interface CallAnalyzed {
  conversation_id: string;
  token: string;
  fields: Record<string, boolean | number | string | null>;
  opt_out?: boolean;
}

/** Something about a call that an operator should know, such as a setting that the runtime cannot follow. */
export interface CallWarning {
  conversation_id: string;
  token: string;
  code: string;
  text: string;
  occurred_at: string;
}

/** A sign of life, every 15 seconds. Shows idle runtimes, too. */
export interface WorkerHello {
  worker_id: string;
  name: string;
  version: string;
  /** How many calls it can have at once. */
  capacity: number;
  calls: number;
}

/** Asks the runtime of a call to end it now, with `call.ended` or `call.failed` and the reason `cancelled`. */
export interface HangUp {
  conversation_id: string;
}
