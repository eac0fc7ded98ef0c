/** A type of the interface document: a check for its values, and some values of other types. */
interface Kind {
  is: (value: unknown) => boolean;
  wrong: unknown[];
}

const isString = (value: unknown) => typeof value === 'string';
const isInstant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const orNull =
  (is: Kind['is']): Kind['is'] =>
  (value) =>
    value === null || is(value);

// Five wrong values each, so that a test can send the n-th wrong value of all fields at once.
const STRING: Kind = { is: isString, wrong: [5, true, ['a'], {}, null] };
const STRING_OR_NULL: Kind = { is: orNull(isString), wrong: [5, true, ['a'], {}, [null]] };
const INTEGER: Kind = { is: Number.isInteger, wrong: ['5', 1.5, true, [5], null] };
const NUMBER: Kind = { is: Number.isFinite, wrong: ['5', true, [5], {}, null] };
const BOOLEAN: Kind = { is: (value) => typeof value === 'boolean', wrong: ['true', 1, [true], {}, null] };
const TIME_ZONE: Kind = { ...STRING, wrong: [5, true, 'Atlantis/Capital', '+01:00', null] };
const STRINGS: Kind = {
  is: (value) => Array.isArray(value) && value.every(isString),
  wrong: ['a', 5, {}, true, null],
};
const STRING_OR_STRINGS: Kind = { ...STRINGS, wrong: [7, 5, {}, true, null] };
const SWITCHES: Kind = {
  is: (value) =>
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((item) => ['boolean', 'number'].includes(typeof item)),
  wrong: [[true], [true, 5, 5], [true, '5'], 'no', null],
};
const INSTANT: Kind = {
  is: isInstant,
  wrong: ['yesterday', 1767225600000, '2026-02-30T00:00:00Z', ['2026-01-01T00:00:00Z'], null],
};
const INSTANT_OR_NULL: Kind = {
  is: orNull(isInstant),
  wrong: ['yesterday', 1767225600000, '2026-02-30T00:00:00Z', ['2026-01-01T00:00:00Z'], [null]],
};

/** The nested objects of an agent. */
export const AGENT_OBJECTS = [
  'voiceConfig',
  'aiModel',
  'llmConfig',
  'sttConfig',
  'voicemailConfig',
  'backChannelConfig',
  'timeoutConfig',
  'callConfig',
  'callConfig.voicemailDetection',
  'deployment',
  'stats',
];

/** Values that are not objects. */
export const NO_OBJECTS = ['text', 5, true, [{}], null];

/** The read-only fields of an agent. */
const READ_ONLY_FIELDS: Record<string, Kind> = {
  _id: STRING,
  userId: STRING,
  DND: BOOLEAN,
  countryName: STRING,
  widget: BOOLEAN,
  createdAt: INSTANT,
  updatedAt: INSTANT,
  'voiceConfig.model': STRING,
};

/** The fields of an agent that a client may write, as the document's tables list them. */
export const WRITABLE_FIELDS: Record<string, Kind> = {
  workspaceId: STRING,
  name: STRING,
  type: STRING,
  category: STRING_OR_STRINGS,
  description: STRING,
  image: STRING,
  features: STRINGS,
  popularity: INTEGER,
  'voiceConfig.provider': STRING,
  'voiceConfig.voiceId': STRING,
  'voiceConfig.language': STRING,
  'voiceConfig.patienceLevel': INTEGER,
  'voiceConfig.speed': NUMBER,
  'voiceConfig.pitch': NUMBER,
  'voiceConfig.latency': NUMBER,
  'voiceConfig.stability': NUMBER,
  'voiceConfig.styleExaggeration': NUMBER,
  'voiceConfig.similarity': NUMBER,
  'voiceConfig.voicePromptType': STRING_OR_NULL,
  'voiceConfig.voicePrompt': STRING_OR_NULL,
  'voiceConfig.numberOfWords': INTEGER,
  'voiceConfig.voiceSeconds': NUMBER,
  'voiceConfig.backOfSeconds': NUMBER,
  'aiModel.provider': STRING,
  'aiModel.model': STRING,
  'aiModel.temperature': NUMBER,
  'aiModel.maxTokens': INTEGER,
  'llmConfig.provider': STRING,
  'llmConfig.model': STRING,
  'llmConfig.temperature': NUMBER,
  'llmConfig.maxTokens': INTEGER,
  'sttConfig.provider': STRING,
  'sttConfig.model': STRING,
  'sttConfig.utterance_end_ms': INTEGER,
  'sttConfig.on_punctuation_second': NUMBER,
  'sttConfig.vadEnabled': BOOLEAN,
  'sttConfig.ncEnabled': BOOLEAN,
  'sttConfig.vad_detection': BOOLEAN,
  'sttConfig.keywords': STRINGS,
  'sttConfig.keyterms': STRINGS,
  'sttConfig.waitseconds': NUMBER,
  'voicemailConfig.isEnabled': BOOLEAN,
  'voicemailConfig.message': STRING_OR_NULL,
  'backChannelConfig.isEnabled': BOOLEAN,
  'backChannelConfig.frequency': NUMBER,
  'backChannelConfig.backchannelWords': STRINGS,
  'timeoutConfig.silenceTimeout': NUMBER,
  'timeoutConfig.maximumDuration': NUMBER,
  'callConfig.timeZone': TIME_ZONE,
  'callConfig.maxDuration': INTEGER,
  'callConfig.voicemailDetection.enabled': BOOLEAN,
  'callConfig.voicemailDetection.type': STRING,
  'callConfig.recordingEnabled': BOOLEAN,
  'callConfig.transcriptionEnabled': BOOLEAN,
  'callConfig.speakerBoost': BOOLEAN,
  'callConfig.idleReminders': SWITCHES,
  'callConfig.limitCallDuration': SWITCHES,
  'callConfig.backGroundNoiseEnv': STRING_OR_NULL,
  'callConfig.backGroundNoiseLevel': STRING_OR_NULL,
  'callConfig.backGroundNoiseThreshold': NUMBER,
  'callConfig.backGroundNoiseTimeout': INTEGER,
  'callConfig.backGroundNoiseTimeoutThreshold': NUMBER,
  'callConfig.backGroundNoiseTimeoutInterval': INTEGER,
  fillerWords: BOOLEAN,
  status: BOOLEAN,
  customVocabulary: STRINGS,
  timezone: TIME_ZONE,
  greeting: STRING,
  prompt: STRING,
  knowledgeBases: STRINGS,
  actions: STRINGS,
  'deployment.status': STRING,
  'deployment.version': INTEGER,
  'deployment.deployedAt': INSTANT_OR_NULL,
  'deployment.lastUpdated': INSTANT,
  'deployment.error': STRING_OR_NULL,
  'stats.totalCalls': INTEGER,
  'stats.successRate': NUMBER,
  'stats.avgCallDuration': NUMBER,
  'stats.lastCallAt': INSTANT_OR_NULL,
  templateCategory: STRING_OR_NULL,
  industry: STRING_OR_NULL,
  recommendedActions: STRINGS,
  localisedPrompt: STRING,
  multiLingual: BOOLEAN,
  primaryLanguage: STRING,
  secondaryLanguages: STRINGS,
  dynamic_variables: STRINGS,
};

/** The full form of an agent. */
export const AGENT_FIELDS: Record<string, Kind> = { ...READ_ONLY_FIELDS, ...WRITABLE_FIELDS };

/** Members of the deployment are accepted and ignored, but its version. */
export const NULLABLE_FIELDS = Object.entries(WRITABLE_FIELDS)
  .filter(([path, { is }]) => is(null) && !path.startsWith('deployment.'))
  .map(([path]) => path);

/** A value for every field that a client can change, different from its default. */
export const EVERY_FIELD = {
  name: 'Front desk',
  type: 'hybrid',
  category: ['sales', 'berlin'],
  description: 'Answers at the front desk.',
  image: 'https://example.com/desk.png',
  features: ['booking'],
  popularity: 4,
  voiceConfig: {
    provider: 'cartesia',
    voiceId: 'a0e99841',
    language: 'de',
    patienceLevel: 3,
    speed: 1.1,
    pitch: 0.9,
    latency: 2.5,
    stability: 0.6,
    styleExaggeration: 0.2,
    similarity: 0.8,
    voicePromptType: 'tone',
    voicePrompt: 'warm',
    numberOfWords: 2,
    voiceSeconds: 0.3,
    backOfSeconds: 1.5,
  },
  aiModel: { provider: 'anthropic', model: 'claude-sonnet', temperature: 0.4, maxTokens: 300 },
  llmConfig: { provider: 'mistral', model: 'small', temperature: 0.5, maxTokens: 400 },
  sttConfig: {
    provider: 'assemblyai',
    model: 'universal',
    utterance_end_ms: 900,
    on_punctuation_second: 0.2,
    vadEnabled: false,
    ncEnabled: false,
    vad_detection: false,
    keywords: ['Parley'],
    keyterms: ['control plane'],
    waitseconds: 0.5,
  },
  voicemailConfig: { isEnabled: true, message: 'Please call back.' },
  backChannelConfig: { isEnabled: true, frequency: 0.4, backchannelWords: ['mhm'] },
  timeoutConfig: { silenceTimeout: 20, maximumDuration: 300 },
  callConfig: {
    timeZone: 'Europe/Berlin',
    maxDuration: 300,
    voicemailDetection: { enabled: true, type: 'message' },
    recordingEnabled: true,
    transcriptionEnabled: false,
    speakerBoost: true,
    idleReminders: [true, 12.5],
    limitCallDuration: [3, false],
    backGroundNoiseEnv: 'office',
    backGroundNoiseLevel: 'low',
    backGroundNoiseThreshold: 0.7,
    backGroundNoiseTimeout: 1,
    backGroundNoiseTimeoutThreshold: 0.1,
    backGroundNoiseTimeoutInterval: 2,
  },
  fillerWords: true,
  status: false,
  customVocabulary: ['Parley', 'Lovelace'],
  timezone: 'Europe/Berlin',
  greeting: 'Good day!',
  prompt: 'You answer at the front desk.',
  knowledgeBases: [],
  actions: ['transfer'],
  deployment: { version: 7 },
  stats: { totalCalls: 8, successRate: 0.5, avgCallDuration: 61.5, lastCallAt: '2026-01-04T03:04:05.678Z' },
  templateCategory: 'reception',
  industry: 'hotels',
  recommendedActions: ['book'],
  localisedPrompt: 'Du sitzt am Empfang.',
  multiLingual: true,
  primaryLanguage: 'de',
  secondaryLanguages: ['en', 'fr'],
  dynamic_variables: ['guest'],
};

/** The deployment of an agent that is not gated. */
export const activeDeployment = (version: number) => ({
  status: 'active',
  version,
  deployedAt: expect.any(String) as string,
  lastUpdated: expect.any(String) as string,
  error: null,
});

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object and of its nested objects by their dotted paths. */
export const flatten = (object: object, prefix = ''): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
      isPlainObject(value) ? Object.entries(flatten(value, `${prefix}${key}.`)) : [[prefix + key, value]],
    ),
  );

/** Builds an object from fields with dotted paths. */
export function nest(fields: Record<string, unknown>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(fields)) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    const parent = keys.reduce((at, key) => (at[key] ??= {}) as Record<string, unknown>, root);
    parent[last] = value;
  }
  return root;
}
