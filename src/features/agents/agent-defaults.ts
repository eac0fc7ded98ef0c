import type { AgentFields } from './agent-fields.dto';

/** The fields that one JSON column holds: all that are neither columns themselves nor rows of other tables. */
export type AgentConfig = Required<
  Omit<
    AgentFields,
    'workspaceId' | 'name' | 'type' | 'category' | 'status' | 'deployment' | 'stats' | 'knowledgeBases'
  >
> & {
  metaData: Record<string, unknown>;
  /** The client writes these figures. They are shown until the first call of the agent has ended. */
  stats: { totalCalls: number; successRate: number; avgCallDuration: number; lastCallAt: string | null };
};

/** The model that calls use, by voice provider. Other providers choose it themselves. */
const VOICE_MODELS = new Map([
  ['elevenlabs', 'eleven_turbo_v2_5'],
  ['cartesia', 'sonic-2'],
  ['deepgram', 'aura-2'],
  ['openai', 'gpt-4o-mini-tts'],
  ['playht', 'PlayDialog'],
]);

export const getVoiceModel = (provider: string) => VOICE_MODELS.get(provider) ?? '';

/**
 * The values of the fields that a client leaves out when it creates an agent. Times are in seconds, unless the name
 * ends with _ms.
 */
export const AGENT_DEFAULTS: AgentConfig = {
  description: '',
  image: '',
  features: [],
  popularity: 0,
  voiceConfig: {
    provider: 'elevenlabs',
    model: getVoiceModel('elevenlabs'),
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
  aiModel: { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 250 },
  llmConfig: { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 250 },
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
  greeting: 'Hello, how can I help you today?',
  prompt: 'You are a friendly and helpful voice assistant. Keep your answers short and speak naturally.',
  actions: [],
  templateCategory: null,
  industry: null,
  recommendedActions: [],
  localisedPrompt: '',
  multiLingual: false,
  primaryLanguage: 'en',
  secondaryLanguages: [],
  dynamic_variables: [],
  metaData: {},
  stats: { totalCalls: 0, successRate: 0, avgCallDuration: 0, lastCallAt: null },
};

/**
 * Calls do not depend on these fields: a change of one keeps the version, and the snapshot of a call leaves them out.
 */
export const PRESENTATION_FIELDS = [
  'description',
  'image',
  'features',
  'popularity',
  'templateCategory',
  'industry',
  'recommendedActions',
  'stats',
] as const satisfies (keyof AgentConfig)[];
