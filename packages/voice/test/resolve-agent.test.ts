import type { CallStart } from '@parley/worker';
import { exampleCall } from '../../worker/src/example-call';
import type { Plan } from '../src/agent/plan';
import { localVoice, resolveAgent } from '../src/agent/resolve-agent';
import { toTool } from './support/server-tools';

type Agent = CallStart['agent'];
type Changes = {
  [K in keyof Agent]?: Agent[K] extends unknown[]
    ? Agent[K]
    : Agent[K] extends object
      ? Partial<Agent[K]>
      : Agent[K];
};

const NOW = new Date('2026-03-01T23:30:00Z');

function resolve(changes: Changes = {}, call: Partial<CallStart> = {}, models: string[] = []) {
  const base = exampleCall(call);
  const agent = structuredClone(base.agent) as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    agent[name] = isGroup ? { ...(agent[name] as object), ...value } : value;
  }
  return resolveAgent({ ...base, agent: agent as unknown as Agent }, { models: new Set(models) }, NOW);
}

const codes = ({ warnings }: ReturnType<typeof resolve>) => warnings.map(({ code }) => code);

test.each<[string, Changes, (plan: Plan) => unknown, unknown]>([
  ['type hybrid', { type: 'hybrid' }, ({ spoken }) => spoken, true],
  ['voiceId of this machine', { voiceConfig: { voiceId: 'awb' } }, ({ voice }) => voice.voice, 'awb'],
  ['speed', { voiceConfig: { speed: 1.3 } }, ({ voice }) => voice.speed, 1.3],
  ['speed above its limit', { voiceConfig: { speed: 9 } }, ({ voice }) => voice.speed, 2],
  ['patienceLevel 1', { voiceConfig: { patienceLevel: 1 } }, ({ turns }) => turns.endOfTurnMs, 200],
  ['patienceLevel 2', { voiceConfig: { patienceLevel: 2 } }, ({ turns }) => turns.endOfTurnMs, 300],
  ['patienceLevel 3', { voiceConfig: { patienceLevel: 3 } }, ({ turns }) => turns.endOfTurnMs, 600],
  ['utterance_end_ms', { sttConfig: { utterance_end_ms: 150 } }, ({ turns }) => turns.endOfTurnMs, 150],
  ['no utterance_end_ms', { sttConfig: { utterance_end_ms: 0 } }, ({ turns }) => turns.endOfTurnMs, 200],
  [
    'on_punctuation_second',
    { sttConfig: { on_punctuation_second: 0.8 } },
    ({ turns }) => turns.endOfSentenceMs,
    800,
  ],
  [
    'on_punctuation_second above the end of the utterance',
    { sttConfig: { on_punctuation_second: 3 } },
    ({ turns }) => turns.endOfSentenceMs,
    1_000,
  ],
  ['waitseconds', { sttConfig: { waitseconds: 1.5 } }, ({ turns }) => turns.waitMs, 1_500],
  ['vadEnabled', { sttConfig: { vadEnabled: false } }, ({ interruption }) => interruption.byVoice, false],
  ['numberOfWords', { voiceConfig: { numberOfWords: 3 } }, ({ interruption }) => interruption.words, 3],
  ['voiceSeconds', { voiceConfig: { voiceSeconds: 0.4 } }, ({ interruption }) => interruption.voiceMs, 400],
  [
    'backOfSeconds',
    { voiceConfig: { backOfSeconds: 2 } },
    ({ interruption }) => interruption.backOffMs,
    2_000,
  ],
  ['silenceTimeout', { timeoutConfig: { silenceTimeout: 12 } }, ({ limits }) => limits.silenceMs, 12_000],
  ['silenceTimeout 0', { timeoutConfig: { silenceTimeout: 0 } }, ({ limits }) => limits.silenceMs, 30_000],
  ['maximumDuration', { timeoutConfig: { maximumDuration: 120 } }, ({ limits }) => limits.maximumMs, 120_000],
  ['maxDuration', { callConfig: { maxDuration: 90 } }, ({ limits }) => limits.maximumMs, 90_000],
  [
    'limitCallDuration',
    { callConfig: { limitCallDuration: [true, 60] } },
    ({ limits }) => limits.maximumMs,
    60_000,
  ],
  [
    'limitCallDuration off',
    { callConfig: { limitCallDuration: [false, 60] } },
    ({ limits }) => limits.maximumMs,
    600_000,
  ],
  [
    'idleReminders',
    { callConfig: { idleReminders: [true, 8] } },
    ({ reminder }) => reminder,
    { afterMs: 8_000, times: 3 },
  ],
  ['idleReminders off', { callConfig: { idleReminders: [false, 8] } }, ({ reminder }) => reminder, undefined],
  [
    'idleReminders after the silence timeout',
    { callConfig: { idleReminders: [true, 30] } },
    ({ reminder }) => reminder,
    undefined,
  ],
  ['fillerWords', { fillerWords: true }, ({ fillers }) => fillers.length > 0, true],
  ['recordingEnabled', { callConfig: { recordingEnabled: true } }, ({ recording }) => recording, true],
  [
    'transcriptionEnabled',
    { callConfig: { transcriptionEnabled: false } },
    ({ transcript }) => transcript,
    false,
  ],
  [
    'localisedPrompt in another language',
    { localisedPrompt: 'Parlez.', primaryLanguage: 'fr' },
    ({ prompt }) => prompt,
    'Parlez.',
  ],
  [
    'localisedPrompt in English',
    { localisedPrompt: 'Parlez.' },
    ({ prompt }) => prompt,
    'You speak with Ada.',
  ],
  [
    'localisedPrompt in English by its name',
    { localisedPrompt: 'Parlez.', primaryLanguage: 'English' },
    ({ prompt }) => prompt,
    'You speak with Ada.',
  ],
  [
    'multiLingual',
    { multiLingual: true, secondaryLanguages: ['es', 'fr'] },
    ({ prompt }) => prompt.includes('en, es, fr'),
    true,
  ],
  [
    "{{today}} in the agent's time zone",
    { callConfig: { timeZone: '' }, timezone: 'Asia/Tokyo', prompt: 'Today is {{today}}.' },
    ({ prompt }) => prompt,
    'Today is Monday, March 2, 2026.',
  ],
  [
    '{{today}} in the time zone of its calls',
    { callConfig: { timeZone: 'UTC' }, timezone: 'Asia/Tokyo', prompt: 'Today is {{today}}.' },
    ({ prompt }) => prompt,
    'Today is Sunday, March 1, 2026.',
  ],
  [
    '{{today}} in the prompt',
    { callConfig: { timeZone: 'Asia/Tokyo' }, prompt: 'Today is {{today}}.' },
    ({ prompt }) => prompt,
    'Today is Monday, March 2, 2026.',
  ],
])('%s', (_, changes, of, expected) => {
  expect(of(resolve(changes).plan)).toEqual(expected);
});

test('a language model without an address is replaced, and one warning names all that was', () => {
  const { plan, warnings } = resolve();
  expect(plan.language.provider).toBe('local');
  expect(warnings).toEqual([
    {
      code: 'provider_not_configured',
      text: 'These are done on this machine instead: language model (openai), voice (elevenlabs), recognition (deepgram).',
    },
  ]);
});

test('a language model with an address is asked as the agent says', () => {
  const llmConfig = { provider: 'groq', model: 'llama', temperature: 3, maxTokens: 100 };
  expect(resolve({ llmConfig }, {}, ['groq']).plan.language).toEqual({ ...llmConfig, temperature: 2 });
  const endless = { ...llmConfig, maxTokens: 2_000_000_000 };
  expect(resolve({ llmConfig: endless }, {}, ['groq']).plan.language.maxTokens).toBe(4_096);
});

test('variables that are declared and not given are asked for, others that have no value become empty', () => {
  const result = resolve(
    { dynamic_variables: ['customer', 'party_size'] },
    { greeting: 'Hello {{nobody}}{{ nobody }}!' },
  );
  expect(result.plan.missingVariables).toEqual(['party_size']);
  expect(result.plan.greeting).toBe('Hello!');
  expect(codes(result)).toEqual(['provider_not_configured', 'variable_without_value']);
});

test.each([
  ['Good day {{nobody}}, how can I help you?', 'Good day, how can I help you?'],
  ['Hello, {{nobody}}! How are you?', 'Hello! How are you?'],
  ['This is {{nobody}} speaking.', 'This is speaking.'],
  ['{{nobody}} Good day.', 'Good day.'],
  ['Good day {{nobody}}\n  - {{nobody}}  one', 'Good day\n  - one'],
  ['Good day {{nobody}}.', 'Good day.'],
  ['It costs 5  Euro , Ada.', 'It costs 5  Euro , Ada.'],
])('the gap of an empty variable in %j is closed', (greeting, expected) => {
  const call = { greeting, dynamic_variables: { customer: 'Ada' } };
  expect(resolve({}, call).plan.greeting).toBe(expected);
});

test.each([
  ['Good day , how can I help you?', 'Good day, how can I help you?'],
  ['Hello, ! This is  of the hotel.', 'Hello! This is of the hotel.'],
])('the gap of an empty value that the server has filled in in %j is closed', (greeting, expected) => {
  expect(resolve({}, { greeting, dynamic_variables: { name: '' } }).plan.greeting).toBe(expected);
  expect(resolve({}, { greeting, dynamic_variables: { name: 'Ada' } }).plan.greeting).toBe(greeting);
});

test('texts that the server does not fill are filled as it fills the greeting', () => {
  const text =
    'Hello {{customer_name}} from {{city}}, your {{first name}} order {{ größe }} is ready on {{today}}{{nothing}}.';
  const { plan } = resolve(
    {
      ...{ voicemailConfig: { isEnabled: true, message: text }, prompt: '' },
      ...{ localisedPrompt: text, primaryLanguage: 'fr' },
    },
    {
      ...{ style: text, customer_name: 'Ada', call_type: 'phonecall', direction: 'outbound' },
      dynamic_variables: {
        city: 'Rome',
        'first name': 'first',
        ['größe'.normalize('NFD')]: 'XL',
        nothing: '',
      },
    },
  );
  const filled = 'Hello Ada from Rome, your first order XL is ready on Sunday, March 1, 2026.';
  expect([plan.voicemail?.message, plan.prompt]).toEqual([filled, `${filled}\n\n${filled}`]);
});

test('neither the name of the person nor the time is asked for', () => {
  const { plan, warnings } = resolve({
    prompt: '{{constructor}}',
    dynamic_variables: ['customer_name', 'now', 'today', 'constructor'],
  });
  expect(plan).toMatchObject({ missingVariables: ['constructor'], prompt: '' });
  expect(warnings).toContainEqual({
    code: 'variable_without_value',
    text: 'The variable constructor has no value.',
  });
});

test('texts of the longest length are resolved, whatever is in them', () => {
  const spaces = ' '.repeat(100_000);
  for (const part of [
    spaces,
    ', '.repeat(50_000),
    ' .'.repeat(50_000),
    '{{'.repeat(50_000),
    '{{none}} '.repeat(11_000),
  ]) {
    const text = `x${part}{{none}}${part}y`;
    const { plan } = resolve(
      {
        ...{ prompt: text, localisedPrompt: text, customVocabulary: [part], actions: [part] },
        voicemailConfig: { isEnabled: true, message: text },
      },
      { greeting: text, style: text, dynamic_variables: { empty: '' } },
    );
    expect(plan.prompt).toMatch(/^x/);
    for (const filled of [plan.greeting, plan.voicemail?.message]) expect(filled).toMatch(/^x.*y$/s);
  }
});

test.each([
  [0, 200],
  [4, 600],
])('patienceLevel %i is changed, with a warning', (patienceLevel, expected) => {
  const result = resolve({ voiceConfig: { patienceLevel } });
  expect(result.plan.turns.endOfTurnMs).toBe(expected);
  expect(codes(result)).toContain('value_out_of_range');
});

test('a chat agent has no warning about speech, except on the phone', () => {
  const { plan, warnings } = resolve(
    { type: 'chat', primaryLanguage: 'de', voiceConfig: { stability: 0.1 } },
    { call_type: 'webcall' },
  );
  expect(plan.spoken).toBe(false);
  expect(warnings).toEqual([
    {
      code: 'provider_not_configured',
      text: 'These are done on this machine instead: language model (openai).',
    },
  ]);
  const onThePhone = resolve({ type: 'chat' }, { call_type: 'phonecall' });
  expect(onThePhone.plan.spoken).toBe(true);
  expect(onThePhone.warnings[0]?.text).toContain('recognition (deepgram)');
});

test.each(['{{b}}', '{{ B }}', '{{today}}', '{{nobody}}', 'Say {{"a": 1}}.'])(
  'the value %s of a variable stays in the texts that the server has filled',
  (value) => {
    const variables = { dynamic_variables: { a: value, b: 'wrong', ' B\u200b': 'wrong' } };
    const { plan, warnings } = resolve(
      { prompt: `Hello ${value}` },
      { greeting: `Hello ${value}`, ...variables },
    );
    expect([plan.prompt, plan.greeting]).toEqual([`Hello ${value}`, `Hello ${value}`]);
    expect(warnings.map(({ code }) => code)).not.toContain('variable_without_value');

    const own = { localisedPrompt: 'Hello {{a}}', primaryLanguage: 'fr' };
    expect(resolve(own, variables).plan.prompt).toBe(`Hello ${value}`);
  },
);

test('code in braces is no variable', () => {
  const code = 'Answer {{"a": 1}} or {{ x | default("y") }}.';
  const own = { localisedPrompt: code, primaryLanguage: 'fr' };
  const { plan, warnings } = resolve({ prompt: code });
  expect([plan.prompt, resolve(own).plan.prompt]).toEqual([code, code]);
  expect(warnings.map(({ code: word }) => word)).not.toContain('variable_without_value');
});

test('what the machine cannot do is a warning', () => {
  expect(codes(resolve({ primaryLanguage: 'de' }))).toContain('language_not_spoken');
  expect(codes(resolve({ voiceConfig: { voiceId: 'rms', pitch: 2 } }))).toContain('field_ignored');
  expect(codes(resolve({ voiceConfig: { voiceId: 'slt', pitch: 2 } }))).not.toContain('field_ignored');
  expect(codes(resolve({ voiceConfig: { stability: 0.2 } }))).toContain('field_ignored');
  expect(codes(resolve({ callConfig: { backGroundNoiseEnv: 'moon' } }))).toContain('value_unknown');
  expect(codes(resolve({ voiceConfig: { speed: 0.1 } }))).toContain('value_out_of_range');
  expect(codes(resolve({ callConfig: { timeZone: 'Nowhere/Else' } }))).toContain('unknown_time_zone');
});

test('the tools of the call are those that the server offers, but for the names of transfers', () => {
  const tools = ['book_table', 'crm_find_guest', 'sales'].map((name) => toTool({ name }));
  const actions = ['book_table', 'crm', 'end_call', 'sales tel:+15551234567', 'nothing'];
  expect(resolve({ actions }, { tools }).plan.tools).toEqual(tools.slice(0, 2));
  expect(resolve({ actions }, { tools: undefined }).plan.tools).toEqual([]);
});

test('words are cut between characters', () => {
  const long = `x${'😀'.repeat(60)}`;
  const { plan } = resolve({
    backChannelConfig: { isEnabled: true, frequency: 1, backchannelWords: [long] },
  });
  expect(plan.backChannel?.words).toEqual([`x${'😀'.repeat(19)}…`]);
});

test('a voice of another provider always gets the same voice of this machine', () => {
  const given = ['EXAVITQu4vr4xnSDxMaL', 'alloy', ''].map(localVoice);
  expect(given).toEqual(['EXAVITQu4vr4xnSDxMaL', 'alloy', ''].map(localVoice));
  expect(new Set(Array.from({ length: 50 }, (_, index) => localVoice(`voice-${index}`))).size).toBe(4);
});
