/** The messages of the runtime contract, as far as the kit reads or writes them. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Body = { [key: string]: Json };

/** A message as it crossed the broker. */
export interface Message {
  /** The time in milliseconds since the scenario began. */
  at: number;
  direction: 'to-runtime' | 'from-runtime';
  type: string;
  routingKey: string;
  bytes: number;
  isPersistent: boolean;
  contentType: string;
  /** undefined: the body is not JSON */
  body: Body | undefined;
}

/** undefined: the text is no JSON object, which the scenarios judge */
export function readBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** A field as text: '' if it is absent, JSON if it is not a text. */
export function fieldText(body: Body | undefined, field: string): string {
  const value = body?.[field];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const END_REASONS = [
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
];

export const PARTIES = ['user', 'agent', 'system'];

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
];

export const MAX_MESSAGE_BYTES = 65_536;

const WORKSPACE = '019b76da-a800-7000-8000-000000000001';
const AGENT = '019b76da-a800-7000-8000-000000000003';

export const getRoutingKeys = (channel: string) => ({
  routingKey: `call.start.${channel}.${AGENT}`,
  workspaceRoutingKey: `call.start.${WORKSPACE}.${channel}.${AGENT}`,
});

export interface StartOptions {
  conversationId: string;
  callee: string;
  expiresInSeconds: number;
  direction?: 'outbound' | 'inbound';
  toNumber?: string;
  fromNumber?: string;
  greeting?: string;
  externalId?: string;
  tools?: Json[];
}

/** The body of a `call.start.v1`, with every field that the contract requires. */
export function callStart(options: StartOptions): Body {
  const greeting = options.greeting ?? 'Hello, this is the front desk.';
  const languageModel = { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 250 };
  return {
    conversation_id: options.conversationId,
    workspaceId: WORKSPACE,
    userId: '019b76da-a800-7000-8000-000000000002',
    agent_id: AGENT,
    agent_version: 1,
    campaign_id: null,
    call_type: 'phonecall',
    direction: options.direction ?? 'outbound',
    channel: 'voice',
    to_number: options.toNumber ?? '+15551234567',
    from_number: options.fromNumber ?? '',
    customer_name: 'Ada',
    greeting,
    dynamic_variables: { callee: options.callee },
    memory_id: '',
    style: '',
    external_id: options.externalId ?? '',
    webhook_url: '',
    traceparent: '',
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + options.expiresInSeconds * 1_000).toISOString(),
    knowledge_bases: [],
    tools: options.tools ?? [],
    agent: {
      name: 'Front desk',
      type: options.direction === 'inbound' ? 'inbound' : 'outbound',
      prompt: 'You answer the phone of the front desk.',
      greeting,
      dynamic_variables: [],
      metaData: {},
      voiceConfig: {
        provider: 'elevenlabs',
        model: '',
        voiceId: 'voice',
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
      aiModel: languageModel,
      llmConfig: languageModel,
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
      voicemailConfig: { isEnabled: false, message: null },
      backChannelConfig: { isEnabled: false, frequency: 0.8, backchannelWords: [] },
      timeoutConfig: { silenceTimeout: 30, maximumDuration: 600 },
      callConfig: {
        timeZone: 'UTC',
        maxDuration: 600,
        voicemailDetection: { enabled: false, type: 'hangup' },
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
      knowledgeBases: [],
    },
  };
}
