/** The messages between the server and workers, as `docs/runtime-contract.md` describes them. Times are ISO 8601. */

export const TYPES = {
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

/** A call to place, or one that has reached the worker. A later server may add fields. */
export interface CallStart {
  conversation_id: string;
  workspaceId: string;
  userId: string;
  agent_id: string;
  agent_version: number;
  campaign_id: string | null;
  call_type: 'phonecall' | 'webcall';
  direction: 'outbound' | 'inbound';
  /** The worker pool. */
  channel: string;
  /** E.164; '' for a web call. */
  to_number: string;
  /** E.164; '' if the worker's trunk decides, or the caller's number is withheld. */
  from_number: string;
  /** '' if it is not known. */
  customer_name: string;
  /** The opening line, with its variables filled in. */
  greeting: string;
  dynamic_variables: Record<string, string>;
  memory_id: string;
  style: string;
  /** The API client's own reference; '' if there is none. */
  external_id: string;
  webhook_url: string;
  /** W3C Trace Context of the request that started the call; '' if it had none. */
  traceparent: string;
  created_at: string;
  /** The server refuses claims after this time. */
  expires_at: string;
  /** `search` is a path on the server's HTTP address. */
  knowledge_bases: { kb_id: string; search: string }[];
  /** The things that the agent may do; see `call.tool`. A server before 1.3 sends none. */
  tools?: ToolOfCall[];
  /** The values and answers to find out about the call; see `call.analyzed`. A server before 1.3 sends none. */
  analysis?: AnalysisOfCall;
  agent: Agent;
}

/** The questions about a call that a language model is asked at its end. */
export interface AnalysisOfCall {
  fields: {
    name: string;
    type: 'string' | 'number' | 'integer' | 'boolean' | 'date';
    /** The values that it can have. Without them: all of its type. */
    enum?: (string | number | boolean)[];
    description: string;
  }[];
  criteria: { name: string; text: string }[];
}

/** The answer to a criterion of the analysis. */
export interface ReportedCriterion {
  /** null: it is unclear */
  pass: boolean | null;
  /** The sequences of up to 100 turns that show it. */
  turns?: number[];
  reason?: string;
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

/** The agent as it was when the call was accepted. Durations are in seconds, unless the name says ms. */
export interface Agent {
  name: string;
  type: 'inbound' | 'outbound' | 'chat' | 'hybrid';
  /** The instructions to the language model, with variables filled in. */
  prompt: string;
  /** The agent's own opening line. Use the call's `greeting` instead. */
  greeting: string;
  dynamic_variables: string[];
  metaData: Record<string, unknown>;
  voiceConfig: {
    provider: string;
    model: string;
    voiceId: string;
    language: string;
    patienceLevel: number;
    speed: number;
    pitch: number;
    latency: number;
    stability: number;
    styleExaggeration: number;
    similarity: number;
    voicePromptType: string | null;
    voicePrompt: string | null;
    numberOfWords: number;
    voiceSeconds: number;
    backOfSeconds: number;
  };
  aiModel: LanguageModel;
  llmConfig: LanguageModel;
  sttConfig: {
    provider: string;
    model: string;
    utterance_end_ms: number;
    on_punctuation_second: number;
    vadEnabled: boolean;
    ncEnabled: boolean;
    vad_detection: boolean;
    keywords: string[];
    keyterms: string[];
    waitseconds: number;
  };
  voicemailConfig: { isEnabled: boolean; message: string | null };
  backChannelConfig: { isEnabled: boolean; frequency: number; backchannelWords: string[] };
  timeoutConfig: { silenceTimeout: number; maximumDuration: number };
  callConfig: {
    timeZone: string;
    maxDuration: number;
    voicemailDetection: { enabled: boolean; type: string };
    recordingEnabled: boolean;
    transcriptionEnabled: boolean;
    speakerBoost: boolean;
    idleReminders: [boolean, number];
    limitCallDuration: [boolean, number];
    backGroundNoiseEnv: string | null;
    backGroundNoiseLevel: string | null;
    backGroundNoiseThreshold: number;
    backGroundNoiseTimeout: number;
    backGroundNoiseTimeoutThreshold: number;
    backGroundNoiseTimeoutInterval: number;
  };
  fillerWords: boolean;
  customVocabulary: string[];
  timezone: string;
  actions: string[];
  localisedPrompt: string;
  multiLingual: boolean;
  primaryLanguage: string;
  secondaryLanguages: string[];
  /** The ids of the call's `knowledge_bases`. */
  knowledgeBases: string[];
}

export interface LanguageModel {
  provider: string;
  model: string;
  temperature: number;
  maxTokens: number;
}

export const DISCONNECT_REASONS = [
  'user_hangup',
  'agent_hangup',
  'call_transfer',
  'voicemail_reached',
  'inactivity',
  'max_duration_reached',
  'dial_busy',
  'dial_no_answer',
  'dial_failed',
  'invalid_destination',
  'cancelled',
  'error',
] as const;

/** Why a call ended. */
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];

/** The parties that can end a call. */
export const PARTIES = ['user', 'agent', 'system'] as const;
export type Party = (typeof PARTIES)[number];

/** The call's own credential for the REST API. */
export interface ApiOfCall {
  /** The server's HTTP address. */
  url: string;
  /** A bearer token. */
  token: string;
  expires_at: string;
}

/** The answer to a claim that was granted, or to an incoming call that was accepted. */
export interface Claimed {
  conversation_id: string;
  /** The token, which every report of the call contains. */
  token: string;
  lease_seconds: number;
  heartbeat_seconds: number;
  /** Missing: the server is of an earlier release. */
  api?: ApiOfCall;
}

export interface IncomingAccepted extends Claimed {
  call: CallStart;
  /** The worker whose request made the call. A server of an earlier release does not name it. */
  worker_id?: string;
}

/** A call that has reached the worker. */
export interface IncomingCall {
  /** The number that was called, in E.164. */
  to_number: string;
  /** E.164; '' where it is withheld. */
  from_number: string;
  call_type?: 'phonecall' | 'webcall';
  dynamic_variables?: Record<string, string>;
  external_id?: string;
  /**
   * A UUID, by default a new one. Workers that may get the same call derive it from the carrier's id of the call: the
   * first one has the call, and the others get the refusal `taken`.
   */
  claim_id?: string;
}

/** A turn of the transcript, as it is sent. */
export interface TranscriptTurn {
  sequence: number;
  speaker: Speaker;
  text: string;
  started_at: string;
  ended_at?: string;
  tool?: ToolUse;
}

export type Speaker = 'agent' | 'user' | 'tool' | 'system';

export interface ToolUse {
  name: string;
  /** Any JSON. */
  arguments?: unknown;
  /** Any JSON. */
  result?: unknown;
}
