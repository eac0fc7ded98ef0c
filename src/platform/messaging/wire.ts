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

/**
 * Offers a call to the runtimes, to place (or accept) it. It is published once for each accepted call, and may
 * arrive more than once.
 */
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
  /** The things that the agent may do; see `POST /api/calls/{call_id}/tools/{name}`. */
  tools: ToolOfCall[];
  /** The values and answers that a runtime finds out about the call; see {@link CallAnalyzed}. */
  analysis: AnalysisOfCall;
  /** The agent when the call was accepted, with the variables of `prompt` and `greeting` filled in. */
  agent: Record<string, unknown>;
}

/** A tool as a language model is told about it. */
export interface ToolOfCall {
  name: string;
  description: string;
  /** A JSON Schema of the type object. */
  parameters: Record<string, unknown>;
  /** `background`: the agent does not wait for the end. */
  mode: 'wait' | 'background';
  /** Whether the person is asked first. */
  confirm: boolean;
  /** Spoken if the tool takes longer than a second; '': nothing. */
  say: string;
}

/** The questions about a call that a language model is asked at its end. */
export interface AnalysisOfCall {
  fields: {
    name: string;
    type: 'string' | 'number' | 'integer' | 'boolean' | 'date';
    /** The values that it can have. undefined: all of its type */
    enum?: (string | number | boolean)[];
    description: string;
  }[];
  criteria: { name: string; text: string }[];
}

/** Requests the right to place a call. */
export interface Claim {
  conversation_id: string;
  /** The runtime makes one for each delivery. A claim that is repeated with its id gets the same reply. */
  claim_id: string;
  /** Identifies the runtime in logs, and is the routing key of commands for its calls. */
  worker_id: string;
}

/** The call's own credential for the API. */
export interface ApiOfCall {
  /** The address without a slash at its end. */
  url: string;
  /** A bearer token. */
  token: string;
  /** The end of the credential. It ends an hour after the call if that is earlier. */
  expires_at: string;
}

export interface Claimed {
  conversation_id: string;
  /** Every event of this call contains it. */
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

/** Requests permission to answer a call that has reached the runtime, as a claim does. */
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
  /** The runtime whose claim made the call. Another one that sends the same claim must not answer the call. */
  worker_id: string;
  call: CallStart;
}

/** The refusal of an incoming call. Nothing was stored. */
export interface IncomingRefused {
  claim_id: string;
  reason: string;
}

interface CallEvent {
  conversation_id: string;
  token: string;
  /** The time by the clock of the runtime. */
  occurred_at: string;
}

/** An address with a secret in it. */
interface JoinAddress {
  url: string;
  expires_at: string;
}

/** The address at which the person of a web call can join it, and the one at which users can hear a call. */
export interface CallJoinable extends Partial<JoinAddress> {
  conversation_id: string;
  token: string;
  listen?: JoinAddress;
}

/** A call that was connected has ended. */
export interface CallEnded extends CallEvent {
  /** The time by the same clock as `occurred_at`: their difference is the connected time. */
  connected_at: string;
  disconnect_reason: string;
  disconnected_by: string;
  summary?: string;
  process_compliance?: string;
  outcome?: string;
  /** The number of turns of the transcript that the runtime has sent or will send. */
  transcript_turns?: number;
}

/** A call ended without being connected. */
export interface CallFailed extends CallEvent {
  disconnect_reason: string;
  disconnected_by?: string;
}

/** Turns of a call's transcript. They are sent in batches, also after the end of the call. */
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

/** The address of the recording of a call. */
export interface CallRecorded {
  conversation_id: string;
  token: string;
  recording_url: string;
  duration_sec?: number;
}

/** The answer to a criterion. */
export interface ReportedCriterion {
  /** null: it is unclear */
  pass: boolean | null;
  /** The sequences of the turns that show it. */
  turns?: number[];
  reason?: string;
}

/** The result of a runtime's analysis of a call. */
export interface CallAnalyzed {
  conversation_id: string;
  token: string;
  /** The values by name: those of the fields that the message of the call names, and others. */
  fields: Record<string, boolean | number | string | null>;
  /** The answers to the criteria that the message of the call names. */
  criteria?: Record<string, ReportedCriterion>;
  opt_out?: boolean;
}

/** A fact about a call for the operator, such as a setting that the runtime cannot follow. */
export interface CallWarning {
  conversation_id: string;
  token: string;
  code: string;
  text: string;
  occurred_at: string;
}

/** A message that a runtime sends every 15 seconds. It shows idle runtimes, too. */
export interface WorkerHello {
  worker_id: string;
  name: string;
  version: string;
  /** The number of calls that the runtime can have at once. */
  capacity: number;
  calls: number;
}

/**
 * Requests that the runtime of a call ends it now, with `call.ended` or `call.failed` and the reason `cancelled`.
 */
export interface HangUp {
  conversation_id: string;
}
