// The messages of the contract. Times are ISO 8601 in UTC.
// Written from docs/asyncapi.yaml by npm run generate; do not edit.

export const MESSAGE_TYPES = {
  callStart: 'call.start.v1',
  claim: 'call.claim.v1',
  claimed: 'call.claimed.v1',
  claimRefused: 'call.claim-refused.v1',
  incoming: 'call.incoming.v1',
  incomingAccepted: 'call.incoming-accepted.v1',
  incomingRefused: 'call.incoming-refused.v1',
  hello: 'worker.hello.v1',
  connected: 'call.connected.v1',
  heartbeat: 'call.heartbeat.v1',
  ended: 'call.ended.v1',
  failed: 'call.failed.v1',
  joinable: 'call.joinable.v1',
  transcript: 'call.transcript.v1',
  recorded: 'call.recorded.v1',
  analyzed: 'call.analyzed.v1',
  warning: 'call.warning.v1',
  rehearsed: 'call.rehearsed.v1',
  judged: 'call.judged.v1',
  hangUp: 'call.hangup.v1',
} as const;

export const SPEAKERS = ['agent', 'user', 'tool', 'system'] as const;

/** The party that said the turn. `tool` is the use of a tool. */
export type Speaker = (typeof SPEAKERS)[number];

export const REHEARSAL_END_REASONS = [
  'user_hangup',
  'agent_hangup',
  'call_transfer',
  'voicemail_reached',
  'inactivity',
  'max_duration_reached',
  'error',
  'limit',
] as const;

/** As of a call. `limit`: it took longer than 10 minutes, 60 turns of the agent, or 65,536 bytes. */
export type RehearsalEndReason = (typeof REHEARSAL_END_REASONS)[number];

export const STARTED_CALL_TYPES = ['phonecall', 'webcall', 'rehearsal'] as const;

/** `phonecall` over the telephone network; `webcall` in a browser; `rehearsal` with a simulated person. */
export type StartedCallType = (typeof STARTED_CALL_TYPES)[number];

export const CALL_TYPES = ['phonecall', 'webcall'] as const;

/** `phonecall` over the telephone network; `webcall` in a browser. */
export type CallType = (typeof CALL_TYPES)[number];

export const DIRECTIONS = ['outbound', 'inbound'] as const;

/** Whether the worker places the call (outbound) or answers it (inbound). */
export type Direction = (typeof DIRECTIONS)[number];

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

/** Why the call ended. */
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];

export const PARTIES = ['user', 'agent', 'system'] as const;

/** The party that ended the call. */
export type Party = (typeof PARTIES)[number];

export const EVENT_TYPES = [
  'call.joinable.v1',
  'call.connected.v1',
  'call.heartbeat.v1',
  'call.ended.v1',
  'call.failed.v1',
  'call.transcript.v1',
  'call.recorded.v1',
  'call.analyzed.v1',
  'call.warning.v1',
  'call.rehearsed.v1',
  'call.judged.v1',
] as const;

/** The type of a report about a call. It determines how the server reads the body. */
export type EventType = (typeof EVENT_TYPES)[number];

/** A call to place (or to answer). */
export interface CallStart {
  conversation_id: ConversationId;
  /** The workspace that the call belongs to. */
  workspaceId: string;
  /** The user whose credential started the call. */
  userId: string;
  /** The agent to speak as. */
  agent_id: string;
  /** The version of the agent in `agent` below. */
  agent_version: number;
  /** The campaign that the call belongs to, or null. */
  campaign_id: string | null;
  call_type: StartedCallType;
  direction: Direction;
  /** The worker pool. It is part of the routing key. The default is `chat` for chat agents and `voice` for all others. */
  channel: string;
  /** The number to call, in E.164; '' for a web call without one. */
  to_number: string;
  /** The number to call from, in E.164; '' if the worker's trunk decides. */
  from_number: string;
  /** The name of the person who is called; '' if it is not known. */
  customer_name: string;
  /** The opening line, with its variables filled in. It is the call's greeting or, if the call has none, the agent's; '' if both are empty. */
  greeting: string;
  /**
   * The values for placeholders such as `{{name}}`, as the request that started the call gave them. If they do not
   * contain `customer_name`, the field `customer_name` is the value of `{{customer_name}}`. `agent.prompt` and
   * `greeting` already have the values filled in.
   */
  dynamic_variables: Record<string, string>;
  /** Identifies the memory of earlier calls that the worker may use; '' if there is none. */
  memory_id: string;
  /** The way to speak, such as "cheerful"; '' if it was not set. */
  style: string;
  /** The API client's own reference, which Parley does not interpret; '' if there is none. */
  external_id: string;
  /** The URL to which Parley sends the webhooks of this call; '' if there is none. The worker does not need to call it. */
  webhook_url: string;
  /**
   * The header `traceparent` (W3C Trace Context) of the request that started the call, or that of the server's span
   * if the server records traces; `''` if there is none. Use it as the parent of the worker's own spans.
   */
  traceparent: string;
  /** When the call was accepted, by the server's clock. */
  created_at: string;
  /** The server refuses claims after this time, by the server's clock. */
  expires_at: string;
  /** The knowledge bases that the agent may search. */
  knowledge_bases: {
    kb_id: string;
    /**
     * The path on the server's HTTP address. Send a GET request with `?query=` (and optionally `&limit=`) and
     * an API key of the workspace. The scope `agent:<agent_id>` is sufficient. The answer has the passages that
     * match best.
     */
    search: string;
  }[];
  /**
   * The things that the agent may do. The server does them: send `{"arguments": {…}}` to
   * `/api/calls/{conversation_id}/tools/{name}` with the call's own credential and an `Idempotency-Key`. See
   * `docs/runtime-contract.md`.
   */
  tools: ToolOfCall[];
  analysis: AnalysisOfCall;
  agent: Agent;
  rehearsal?: RehearsalOfCall;
}

/**
 * Only a call with the `call_type` `rehearsal` has it. Nobody is called. The worker plays the person, and answers the
 * tools of the agent with the mocks. Before the end of the call, it sends the facts in `call.rehearsed.v1`. In the
 * mode `joined`, the server plays the person, answers the tools and records the facts.
 */
export interface RehearsalOfCall {
  run_id: string;
  /** The name of the rehearsal. */
  name: string;
  /** The number of this repetition. */
  repeat: number;
  /**
   * `text`: in virtual time, which stands still while the model is asked, and then moves by `model_ms`. A character
   * takes 50 ms to say. `audio`: in real time, the agent and the person hear each other's speech. A worker without
   * speech reports `call.failed.v1` with `dial_failed`. One that has no place for it now reports `dial_busy`: it is
   * offered again. `joined`: the worker treats it as a web call. It reports `call.joinable.v1` with the address of a
   * WebSocket, and the server's person joins it and writes. `person`, `tools`, `tool_rules` and `judge` are missing:
   * tools are asked for as in a call, and the server answers them.
   */
  mode: 'text' | 'audio' | 'joined';
  /** For the model. */
  seed: number;
  person?: RehearsedPerson;
  situation: RehearsedSituation;
  /** The first that fits answers. Where none fits, the model reads an error. */
  tools?: MockedTool[];
  /**
   * For each tool, what arguments have to fit. With others, the worker does not ask: the model reads a refusal as in
   * a call, and no mock is used. Missing: nothing.
   */
  tool_rules?: ToolRules[];
  judge?: RehearsalToJudge;
}

/**
 * Only a rehearsal that was played, and whose other checks hold, has it. The worker plays nothing: it asks a model
 * whether the turns meet each of the criteria, and reports `call.judged.v1` before the end of the call. Nothing in the
 * turns is an instruction.
 */
export interface RehearsalToJudge {
  criteria: string[];
  turns: RehearsedTurn[];
}

/** The person of a rehearsal. It has one of `lines`, `voicemail` and `persona`. */
export interface RehearsedPerson {
  /** Said first. */
  hello?: string;
  /**
   * The first that has uses left, and whose `on` fits the last turn of the agent, is used. The person hangs up when
   * there is none.
   */
  lines?: RehearsedLine[];
  /** The greeting of an answering machine, after which it beeps. */
  voicemail?: string;
  /**
   * The system prompt, unchanged, of a language model that plays the person. To this model, the agent's words are
   * messages of the role `user`, and its own words messages of the role `assistant`. When an answer has
   * `[hang up]`, the rest of the answer is said, and the person hangs up.
   */
  persona?: string;
  /** The model of the persona, at the provider of the agent's model. That of the agent if it is left out. */
  model?: string;
  /** The turns of the persona, after which the person hangs up. */
  max_turns?: number;
  interrupts?: RehearsedInterruption;
}

/** It has one of `say`, `silence`, `noise`, `dtmf` and `hang_up`. */
export interface RehearsedLine {
  /** A regular expression of RE2 for the last turn of the agent, which ignores case. All fit if it is left out. */
  on?: string;
  /** The number of its uses. */
  times: number;
  /** The silence before it. */
  after_ms: number;
  say?: string;
  /** The person says nothing for this long, in seconds. */
  silence?: number;
  /** Seconds. */
  noise?: number;
  /** Keys: `0` to `9`, `A` to `D`, `*` and `#`. */
  dtmf?: string;
  hang_up?: boolean;
  interrupts?: RehearsedInterruption;
}

/**
 * Words with which the person cuts in, once: that of a line into the next turn of the agent, that of the person into
 * the first turn that lasts as long as `after_ms`.
 */
export interface RehearsedInterruption {
  after_ms: number;
  say: string;
}

export interface RehearsedSituation {
  call_type: CallType;
  /** The time at the beginning. */
  now: string;
  /** The time that the model takes for an answer. */
  model_ms: number;
  /**
   * The results of searches in the knowledge bases: the passages of the first item whose `on` fits the question. null:
   * the knowledge bases of the agent are searched.
   */
  knowledge:
    | null
    | {
        /** A regular expression of RE2, which ignores case. */
        on?: string;
        passages: string[];
      }[];
}

/** The answer of a tool. It has one of `answer`, `fail` and `never`. */
export interface MockedTool {
  name: string;
  /** A part of the arguments. */
  match?: Record<string, unknown>;
  /** The number of its uses. Any number if it is left out. */
  times?: number;
  /** Any value of JSON. */
  answer?: unknown;
  /** Values of the answer, which are variables of the call then. None if it is left out. */
  variables?: Record<string, string>;
  /** Why the tool fails. */
  fail?: string;
  /** The tool does not answer within `timeout_ms`. */
  never?: boolean;
  after_ms: number;
  timeout_ms: number;
  /** The worker asks again with the same key, as after a lost answer. It has the same answer, and it is one use. */
  twice?: boolean;
}

/** Arguments that do not fit are refused by the server in a call, so that the tool is not asked for. */
export interface ToolRules {
  name: string;
  /**
   * Whether the arguments have to fit the `parameters` of the tool. false for a tool of a server of the Model Context
   * Protocol: that server checks them.
   */
  compares: boolean;
  /** The names of values that the server adds. They are no parameters. */
  fixed: string[];
  /** The segments of the path of its address, such as `{id}`, that the arguments must not make empty, `.` or `..`. */
  path: string[];
}

/** A tool with what a language model needs to use it. */
export interface ToolOfCall {
  name: string;
  description: string;
  /** A JSON Schema of the type object. */
  parameters: Record<string, unknown>;
  /** With `background` the agent does not wait for the end. */
  mode: 'wait' | 'background';
  /** Whether the person is asked first. Send `confirmed` then. */
  confirm: boolean;
  /** Spoken if the tool takes longer than a second; '' for nothing. */
  say: string;
}

/**
 * The values and answers that the call is to yield. Report them in `call.analyzed.v1`: the values of `fields` under
 * their names, and an answer to each of the `criteria`. The server checks and converts them. Fields that the server
 * computes itself are left out.
 */
export interface AnalysisOfCall {
  fields: {
    name: string;
    /** A date is a text such as 2026-01-31. */
    type: 'string' | 'number' | 'integer' | 'boolean' | 'date';
    /** The values that it can have. All of its type if left out. */
    enum?: (string | number)[];
    description: string;
  }[];
  criteria: {
    name: string;
    /** The statement that must be true of the call. */
    text: string;
  }[];
}

/**
 * The agent as it was when the call was accepted. Later changes of the agent do not affect this call. The worker
 * decides how to apply these settings. Durations are in seconds, unless the field's name says ms.
 */
export interface Agent {
  /** The agent's name. */
  name: string;
  type: 'inbound' | 'outbound' | 'chat' | 'hybrid';
  /** The instructions to the language model, with variables filled in. */
  prompt: string;
  /** The agent's own opening line. Use the call's `greeting` instead. */
  greeting: string;
  /** The names of the variables that the agent expects. */
  dynamic_variables: string[];
  /** Data from the agent's owner for the worker. Parley does not interpret it. */
  metaData: Record<string, unknown>;
  /** Text to speech, and when the user can interrupt the agent. */
  voiceConfig: {
    provider: string;
    /** '' if the provider chooses. */
    model: string;
    /** The provider's identifier of the voice. */
    voiceId: string;
    /** Such as `en`. */
    language: string;
    patienceLevel: number;
    /** 1 is the voice's normal value. */
    speed: number;
    /** 1 is the voice's normal value. */
    pitch: number;
    latency: number;
    stability: number;
    styleExaggeration: number;
    similarity: number;
    voicePromptType: string | null;
    voicePrompt: string | null;
    /** The number of words that interrupt the agent. */
    numberOfWords: number;
    /** The seconds of the user's speech that interrupt the agent. */
    voiceSeconds: number;
    /** Seconds that the agent waits after an interruption. */
    backOfSeconds: number;
  };
  aiModel: LanguageModel;
  llmConfig: LanguageModel;
  /** Speech to text. */
  sttConfig: {
    provider: string;
    model: string;
    /** Milliseconds of silence that end an utterance. */
    utterance_end_ms: number;
    /** Seconds to wait after punctuation. */
    on_punctuation_second: number;
    /** Voice activity detection. */
    vadEnabled: boolean;
    /** Noise cancellation. */
    ncEnabled: boolean;
    vad_detection: boolean;
    keywords: string[];
    keyterms: string[];
    /** Seconds to wait before answering. */
    waitseconds: number;
  };
  voicemailConfig: {
    /** Whether to leave a message on voicemail. */
    isEnabled: boolean;
    /** The message; its variables are not filled in. */
    message: string | null;
  };
  /** Short confirmations that the agent says while the user speaks. */
  backChannelConfig: {
    isEnabled: boolean;
    frequency: number;
    backchannelWords: string[];
  };
  timeoutConfig: {
    /** Seconds of silence after which the call ends (`inactivity`). */
    silenceTimeout: number;
    /** Seconds after which the call ends (`max_duration_reached`). */
    maximumDuration: number;
  };
  callConfig: {
    timeZone: string;
    /** Seconds. */
    maxDuration: number;
    voicemailDetection: {
      enabled: boolean;
      /** The action when voicemail answers, such as `hangup`. */
      type: string;
    };
    recordingEnabled: boolean;
    transcriptionEnabled: boolean;
    speakerBoost: boolean;
    /** Whether to remind a silent user, and after how many seconds. */
    idleReminders: SwitchPair;
    /** Whether to limit the call, and to how many seconds. */
    limitCallDuration: SwitchPair;
    backGroundNoiseEnv: string | null;
    backGroundNoiseLevel: string | null;
    backGroundNoiseThreshold: number;
    /** Seconds. */
    backGroundNoiseTimeout: number;
    backGroundNoiseTimeoutThreshold: number;
    /** Seconds. */
    backGroundNoiseTimeoutInterval: number;
  };
  fillerWords: boolean;
  customVocabulary: string[];
  /** The agent's time zone, such as `Europe/Berlin`. */
  timezone: string;
  actions: string[];
  localisedPrompt: string;
  multiLingual: boolean;
  primaryLanguage: string;
  secondaryLanguages: string[];
  /** The ids of the call's `knowledge_bases`. */
  knowledgeBases?: string[];
}

export interface LanguageModel {
  provider: string;
  model: string;
  temperature: number;
  /** The maximum number of tokens of one answer. */
  maxTokens: number;
}

export type SwitchPair = [boolean | number, boolean | number];

/** The request for a call. */
export interface Claim {
  conversation_id: ConversationId;
  /** The worker creates a new one for each delivery, and repeats it when it claims the same delivery again. */
  claim_id: string;
  /**
   * Identifies the worker to operators, and is the routing key of commands for its calls. Use a different one
   * for each process.
   */
  worker_id: string;
}

/** The answer to a claim: granted. */
export interface Claimed {
  conversation_id: ConversationId;
  token: Token;
  /** The server ends the call as lost after this many seconds without an event. */
  lease_seconds: number;
  /** The interval of heartbeats, in seconds. It tolerates two lost heartbeats in a row and may have a fraction. */
  heartbeat_seconds: number;
  api: ApiOfCall;
}

/**
 * The call's own credential for the REST API. It reads what belongs to the agent of the call, such as its knowledge
 * bases, changes nothing, and may hand in the recording of this call. It ends an hour after the call, and it is refused
 * while the workspace is suspended.
 */
export interface ApiOfCall {
  /** The server's HTTP address, without a slash at its end. */
  url: string;
  /** Send it as `Authorization: Bearer <token>`. */
  token: string;
  /** Six hours after the claim. It ends earlier, an hour after the call. */
  expires_at: string;
}

/** The answer to a claim: refused. */
export interface ClaimRefused {
  /** The `conversation_id` of the claim; '' if it had none. */
  conversation_id: string;
  /** An explanation for people. Programs must not depend on its text. */
  reason: string;
}

/** The request to answer a call. */
export interface Incoming {
  /**
   * The worker creates a new one for each call, and repeats it when it asks again for the same call. Workers that
   * may get the same call derive it from the carrier's id of the call and a secret of theirs: it is one call then.
   */
  claim_id: string;
  /** As in `call.claim.v1`. */
  worker_id: string;
  /** The number that was called, in E.164 form. The agent that has it answers. */
  to_number: string;
  /** The caller's number in E.164 form; `''` where it is withheld or has another form. */
  from_number: string;
  call_type?: CallType;
  /** The values that the worker knows about the caller. They fill in the prompt and the greeting of the agent. */
  dynamic_variables?: Record<string, string>;
  /** Your own id or text, such as the id of the call in your telephony. */
  external_id?: string;
}

/** The answer to an incoming call: the worker answers it. */
export interface IncomingAccepted {
  conversation_id: ConversationId;
  token: Token;
  /** The server ends the call as lost after this many seconds without an event. */
  lease_seconds: number;
  /** The interval of heartbeats, as in `call.claimed.v1`. */
  heartbeat_seconds: number;
  api: ApiOfCall;
  /**
   * The worker whose request made the call. If it is another one, which sent the same `claim_id` first, that one
   * has the call: do not answer it, and report nothing about it.
   */
  worker_id: string;
  /** The body that a `call.start.v1` of the call would have. The message has up to 8,388,608 bytes. */
  call: CallStart;
}

/** The answer to an incoming call: the worker does not answer it. */
export interface IncomingRefused {
  /** The `claim_id` of the request; '' if it had none. */
  claim_id: string;
  /**
   * `unknown_number`: no agent has the number. `agent_off`: its agent is switched off, or its workspace is
   * suspended. `insufficient_credits`: the credits, or those of this day, are spent. `too_many_calls`: the
   * workspace has as many calls in progress as it may have. `do_not_call`: the workspace does not speak with this
   * caller. A text that begins with "The claim is malformed" says what is wrong with the request.
   */
  reason: string;
}

/**
 * A sign of life every 15 seconds, also while the worker is idle. Optional: without it, a worker is seen while it has calls.
 * A worker that sent none for 45 seconds is no longer shown. Idle workers are shown to every workspace, so put no
 * secret into these fields.
 */
export interface WorkerHello {
  /** As in the worker's claims. */
  worker_id: string;
  name: string;
  version: string;
  /** The number of calls that the worker can have at once. */
  capacity: number;
  /** The number of calls that it has now, without those that take no place, such as transferred ones. */
  calls: number;
  /** The providers of recognition, language and synthesis that its process has asked. */
  providers?: ProviderOfWorker[];
}

export interface ProviderOfWorker {
  part: 'recognition' | 'language' | 'synthesis';
  name: string;
  /** `failing`: its last request failed. `open`: several failed in a row, and other calls skip it for some time where another one follows. */
  state: 'ok' | 'failing' | 'open';
  /** The beginning of the state. */
  since: string;
  /** The time to the first result, in milliseconds, which 95 of the last 100 requests did not exceed. null - there was none. */
  p95_ms: number | null;
  /** Since the process began, without requests whose answer was not needed any more. */
  requests: number;
  failures: number;
}

/** The call was answered. */
export interface CallConnected {
  conversation_id: ConversationId;
  token: Token;
  /** When the event happened, by the worker's clock. */
  occurred_at: string;
}

/** The call is still going on. */
export interface CallHeartbeat {
  conversation_id: ConversationId;
  token: Token;
  /** When the event happened, by the worker's clock. */
  occurred_at: string;
}

/**
 * The end of a call that was answered. The server accepts it even if it did not receive `call.connected.v1`. The
 * connected time is `occurred_at` minus `connected_at`, but at most the time since the claim. The charge is one
 * credit for each started minute, and at least one.
 */
export interface CallEnded {
  conversation_id: ConversationId;
  token: Token;
  /** When the call ended, by the worker's clock. */
  occurred_at: string;
  /** When the call was answered, by the same clock. */
  connected_at: string;
  disconnect_reason: DisconnectReason;
  disconnected_by: Party;
  /** A summary of the call in a few sentences. */
  summary?: string;
  /** A judgement of how the agent followed its instructions. */
  process_compliance?: string;
  /** The result of the call, preferably a value from a list that you define. */
  outcome?: string;
  /** The number of turns that `call.transcript.v1` has or will have. The transcript is complete when all of them are there. */
  transcript_turns?: number;
}

/** The end of a call that was not answered. Nothing is charged. The server ignores it for a connected call, which ends with `call.ended.v1`. */
export interface CallFailed {
  conversation_id: ConversationId;
  token: Token;
  /** When the attempt ended, by the worker's clock. */
  occurred_at: string;
  disconnect_reason: DisconnectReason;
  disconnected_by?: Party;
}

/**
 * The address at which the person of a web call (`call_type` `webcall`) can join it. Send it after the claim and before
 * `call.connected.v1`. The last address counts. The server ignores and logs an invalid one. If the person
 * has not joined by `expires_at`, report `call.failed.v1` with `dial_no_answer`; otherwise the server ends the call so 30
 * seconds later. It renews the lease.
 *
 * `listen` says where users of the workspace can hear a call of any type. It may come with `url` or alone, until the
 * end of the call.
 */
export interface CallJoinable {
  conversation_id: ConversationId;
  token: Token;
  /** Begins with `ws://`, `wss://`, `http://` or `https://`, and has a secret of its own in it. */
  url?: string;
  /** Until then the person can join; at most an hour ahead. */
  expires_at?: string;
  /** The address at which users of the workspace hear both sides of the call, and are not heard. */
  listen?: {
    /** As the `url` of the person, with another secret in it. */
    url: string;
    /**
     * Until then, or the end of the call, listeners can come; at most a day ahead. A time in the past ends
     * the offer.
     */
    expires_at: string;
  };
}

/**
 * Turns of the transcript, in as many messages as needed: a message has at most 64 KB, and at most 8,000 values. The
 * server accepts turns during the call and up to 24 hours after its end. A turn that is sent again is stored once, and the
 * order of the messages does not matter. A call has at most 5,000 turns, and their texts and tools have at most
 * 8,000,000 bytes together, counted as the JSON in which they are stored; turns beyond that are left out.
 */
export interface CallTranscript {
  conversation_id: ConversationId;
  token: Token;
  turns: TranscriptTurn[];
}

export interface TranscriptTurn {
  /** The order of the turns. Choose it yourself, once for each turn. */
  sequence: number;
  speaker: Speaker;
  /** A text of more than 8,000 characters is stored with its beginning and `…`. */
  text: string;
  started_at: string;
  /** The end of the speech, if the person spoke. The time in which the agent answered is counted from it. */
  ended_at?: string | null;
  tool?: ToolUse;
}

/**
 * The use of a tool. Arguments and results of more than 8,000 bytes of JSON are stored as a text with their JSON, or
 * its beginning and `…`. A number counts with all digits, 1e308 with 309.
 */
export interface ToolUse {
  name: string;
  /** Any JSON. */
  arguments?: unknown;
  /** Any JSON. */
  result?: unknown;
}

/** The address of the recording. The server accepts it up to 7 days after the end of the call, or for as long as the workspace keeps it if that is shorter, and keeps the latest one. */
export interface CallRecorded {
  conversation_id: ConversationId;
  token: Token;
  /** Begins with `http://` or `https://`, without a user name and a password. */
  recording_url: string;
  duration_sec?: number | null;
}

/** The result of the worker's analysis of the call. The server accepts it up to 7 days after the end of the call, or for as long as the workspace keeps it if that is shorter, and keeps the latest one. */
export interface CallAnalyzed {
  conversation_id: ConversationId;
  token: Token;
  /** The values that `analysis` of the call asks for, under their names, and others. */
  fields: Record<string, boolean | number | string | null>;
  /** The answers to the criteria that `analysis` of the call has, under their names. */
  criteria?: Record<string, ReportedCriterion> | null;
  /** The person asked not to be called again. */
  opt_out?: boolean;
}

/** The answer to a criterion of the analysis. */
export interface ReportedCriterion {
  /** null if it is unclear. */
  pass: boolean | null;
  /** The sequences of up to 100 turns that show it. */
  turns?: number[];
  reason?: string;
}

/**
 * Something about the call that an operator should know, such as a setting of the agent that the worker cannot
 * follow. The timeline of the call shows it. The server accepts warnings during the call and up to 24 hours after its
 * end, and stores the first 20 of a call. A warning that is sent again is stored once.
 */
export interface CallWarning {
  conversation_id: ConversationId;
  token: Token;
  /** A word that programs can compare. One of more than 100 characters is stored with its beginning and `…`. */
  code: string;
  /** A sentence. One of more than 500 characters is stored with its beginning and `…`. */
  text: string;
  /** By the worker's clock. */
  occurred_at: string;
}

/**
 * The facts about a rehearsal, which the server compares with its checks. Send it before the end of the call. The first
 * report counts. The limit of 65,536 bytes applies: a rehearsal that does not fit has the end `limit`.
 */
export interface CallRehearsed {
  conversation_id: ConversationId;
  token: Token;
  facts: RehearsalFacts;
}

/**
 * The answers of a model to the criteria of a rehearsal, with the call that asks for them in `rehearsal.judge`. The
 * first report counts.
 */
export interface CallJudged {
  conversation_id: ConversationId;
  token: Token;
  /**
   * In the order of the criteria. A criterion that is not met is the last that is asked about. Where the model had no
   * answer, the list ends before it, and the rehearsal is an error.
   */
  answers: Judgement[];
  /** The tokens that the model has read and written. */
  tokens: number;
}

export interface Judgement {
  pass: boolean;
  reason: string;
}

export interface RehearsalFacts {
  turns: RehearsedTurn[];
  end: {
    reason: RehearsalEndReason;
    by: Party;
  };
  /** The values that the agent noted, and those of the answers of tools. */
  variables: Record<string, string>;
  outcome: string;
  /** Whether the agent reported that the person wants no more calls. */
  opt_out: boolean;
  figures: {
    /** Turns of the agent. */
    turns: number;
    /** The 95th percentile of the times from the end of the person's speech to the agent's first sound. */
    turn_gap_ms_p95: number | null;
    /** The longest time from an interruption to the silence of the agent. null: there was none, or the agent went on. */
    interrupted_ms: number | null;
    seconds: number;
    tokens: number;
  };
}

export interface RehearsedTurn {
  speaker: Speaker;
  /** The name of the tool if the speaker is a tool. */
  text: string;
  /** When it began, in virtual time since the beginning. */
  at_ms: number;
  tool?: {
    name: string;
    arguments: Record<string, unknown>;
    /** The text or JSON that the model has read. */
    result: unknown;
    /** Whether no mock fitted. */
    closed: boolean;
    /** false: the person had to confirm it first, or the arguments were refused. */
    asked?: boolean;
  };
}

/** End a call that the worker holds. */
export interface HangUp {
  conversation_id: ConversationId;
}

/** The id of the call. It stays the same from the acceptance to the last report. */
export type ConversationId = string;

/** Proves that the worker holds the call. Send it in each event of the call, and nowhere else. */
export type Token = string;

/** The example of a call start. */
export const EXAMPLE_CALL_START: CallStart = {
  conversation_id: '019b76da-a800-7000-8000-00000000c0de',
  workspaceId: '019b76da-a800-7000-8000-000000000001',
  userId: '019b76da-a800-7000-8000-000000000002',
  agent_id: '019b76da-a800-7000-8000-000000000003',
  agent_version: 4,
  campaign_id: null,
  call_type: 'phonecall',
  direction: 'outbound',
  channel: 'voice',
  to_number: '+15551234567',
  from_number: '',
  customer_name: 'Ada Lovelace',
  greeting: 'Good day, Ada!',
  dynamic_variables: {
    customer: 'Ada',
  },
  memory_id: '',
  style: '',
  external_id: 'order/17',
  webhook_url: '',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: '2026-01-31T09:31:00.000Z',
  knowledge_bases: [
    {
      kb_id: '019b76da-a800-7000-8000-000000000004',
      search: '/api/knowledge-base/019b76da-a800-7000-8000-000000000004/search',
    },
  ],
  tools: [
    {
      name: 'book_table',
      description: 'Books a table. Ask for the day and the number of persons before.',
      parameters: {
        type: 'object',
        properties: {
          day: {
            type: 'string',
          },
          persons: {
            type: 'integer',
          },
        },
        required: ['day', 'persons'],
      },
      mode: 'wait',
      confirm: false,
      say: 'One moment, please.',
    },
  ],
  analysis: {
    fields: [
      {
        name: 'appointment',
        type: 'string',
        enum: ['booked', 'moved', 'none'],
        description: 'What became of the appointment.',
      },
    ],
    criteria: [
      {
        name: 'consent',
        text: 'The person agreed that the call is recorded.',
      },
    ],
  },
  agent: {
    name: 'Front desk',
    type: 'outbound',
    prompt: 'You speak with Ada.',
    greeting: 'Good day, Ada!',
    dynamic_variables: ['customer'],
    metaData: {},
    voiceConfig: {
      provider: 'elevenlabs',
      model: 'eleven_turbo_v2_5',
      voiceId: 'EXAVITQu4vr4xnSDxMaL',
      language: 'en',
      patienceLevel: 1,
      speed: 1,
      pitch: 1,
      latency: 1,
      stability: 0.5,
      styleExaggeration: 0,
      similarity: 0.75,
      voicePromptType: null,
      voicePrompt: null,
      numberOfWords: 0,
      voiceSeconds: 0.2,
      backOfSeconds: 1,
    },
    aiModel: {
      provider: 'openai',
      model: 'gpt-4o-mini',
      temperature: 0.7,
      maxTokens: 250,
    },
    llmConfig: {
      provider: 'openai',
      model: 'gpt-4o-mini',
      temperature: 0.7,
      maxTokens: 250,
    },
    sttConfig: {
      provider: 'deepgram',
      model: 'nova-3',
      utterance_end_ms: 1000,
      on_punctuation_second: 0.1,
      vadEnabled: true,
      ncEnabled: true,
      vad_detection: true,
      keywords: [],
      keyterms: [],
      waitseconds: 0.4,
    },
    voicemailConfig: {
      isEnabled: false,
      message: null,
    },
    backChannelConfig: {
      isEnabled: false,
      frequency: 0.8,
      backchannelWords: [],
    },
    timeoutConfig: {
      silenceTimeout: 30,
      maximumDuration: 600,
    },
    callConfig: {
      timeZone: 'UTC',
      maxDuration: 600,
      voicemailDetection: {
        enabled: false,
        type: 'hangup',
      },
      recordingEnabled: false,
      transcriptionEnabled: true,
      speakerBoost: false,
      idleReminders: [false, 10],
      limitCallDuration: [true, 600],
      backGroundNoiseEnv: null,
      backGroundNoiseLevel: null,
      backGroundNoiseThreshold: 0.5,
      backGroundNoiseTimeout: 0,
      backGroundNoiseTimeoutThreshold: 0,
      backGroundNoiseTimeoutInterval: 0,
    },
    fillerWords: false,
    customVocabulary: [],
    timezone: 'UTC',
    actions: [],
    localisedPrompt: '',
    multiLingual: false,
    primaryLanguage: 'en',
    secondaryLanguages: [],
    knowledgeBases: ['019b76da-a800-7000-8000-000000000004'],
  },
};
