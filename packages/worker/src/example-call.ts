import { randomUUID } from 'node:crypto';
import type { Agent, CallStart } from './messages';

/** Fields of a call start that differ from those of an example. */
export type CallStartChanges = Partial<Omit<CallStart, 'agent'>> & { agent?: Partial<Agent> };

/** A complete call start, with these changes. */
export function exampleCall(changes: CallStartChanges = {}): CallStart {
  const now = Date.now();
  const greeting = changes.greeting ?? 'Good day, Ada!';
  return {
    conversation_id: randomUUID(),
    workspaceId: randomUUID(),
    userId: randomUUID(),
    agent_id: randomUUID(),
    agent_version: 1,
    campaign_id: null,
    call_type: 'phonecall',
    direction: 'outbound',
    channel: 'voice',
    to_number: changes.call_type === 'webcall' ? '' : '+15551234567',
    from_number: '',
    customer_name: 'Ada Lovelace',
    dynamic_variables: { customer: 'Ada' },
    memory_id: '',
    style: '',
    external_id: '',
    webhook_url: '',
    traceparent: '',
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + 60_000).toISOString(),
    knowledge_bases: [],
    tools: [],
    ...changes,
    greeting,
    agent: { ...exampleAgent(greeting), ...changes.agent },
  };
}

const MODEL = { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 250 };

const exampleAgent = (greeting: string): Agent => ({
  name: 'Front desk',
  type: 'hybrid',
  prompt: 'You speak with Ada.',
  greeting,
  dynamic_variables: ['customer'],
  metaData: {},
  voiceConfig: {
    provider: 'elevenlabs',
    model: '',
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
  aiModel: MODEL,
  llmConfig: MODEL,
  sttConfig: {
    provider: 'deepgram',
    model: 'nova-3',
    utterance_end_ms: 1_000,
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
});
