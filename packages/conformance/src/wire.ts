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

/** The example of a call start. */
export const EXAMPLE_CALL_START = {
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
