import type { CallStart } from '@parley/worker';
import { exampleCall } from '../../worker/src/example-call';
import { resolveAgent } from '../src/agent/resolve-agent';
import { cutHints } from '../src/doors/twilio/twiml';
import type { CarrierSpeech } from '../src/speech/carrier-speech';

const providers = {
  models: new Set<string>(),
  recognizers: new Set(['deepgram']),
  voices: new Set(['elevenlabs']),
};

function resolve(
  voice: Partial<CallStart['agent']['voiceConfig']>,
  agent: Partial<CallStart['agent']> = {},
  carrierSpeech?: CarrierSpeech,
) {
  const start = exampleCall({ call_type: 'phonecall' });
  start.agent = { ...start.agent, ...agent, voiceConfig: { ...start.agent.voiceConfig, ...voice } };
  const { plan, warnings } = resolveAgent(start, { ...providers, carrierSpeech });
  return { plan, warnings, codes: warnings.map(({ code }) => code) };
}

test('the fields of a voice become those of ElevenLabs', () => {
  const { plan, codes } = resolve({
    ...{ provider: 'elevenlabs', voiceId: 'v', model: 'eleven_flash_v2_5', language: 'de', speed: 1.1 },
    ...{ stability: 0.3, similarity: 0.9, styleExaggeration: 0.2, latency: 3 },
  });
  expect(plan.voice).toMatchObject({
    ...{ provider: 'elevenlabs', voice: 'v', model: 'eleven_flash_v2_5', language: 'de', speed: 1.1 },
    ...{ stability: 0.3, similarity: 0.9, style: 0.2, latency: 3 },
  });
  expect(codes).not.toContain('field_ignored');
});

test.each([
  ['en-GB', 'en'],
  ['pt_BR', 'pt'],
  ['fil', 'fil'],
  ['zh-Hant-TW', 'zh'],
])('ElevenLabs takes no region: the language %s is sent as %s', (language, told) => {
  expect(resolve({ provider: 'elevenlabs', voiceId: 'v', language }).plan.voice.language).toBe(told);
});

test.each<[string, Parameters<typeof resolve>, (plan: ReturnType<typeof resolve>['plan']) => unknown]>([
  ['ElevenLabs', [{ provider: 'elevenlabs', voiceId: 'v', language: 'haw' }], ({ voice }) => voice.language],
  [
    'Deepgram',
    [
      { provider: 'elevenlabs', voiceId: 'v' },
      { primaryLanguage: 'haw', sttConfig: { ...exampleCall().agent.sttConfig, provider: 'deepgram' } },
    ],
    ({ recognition }) => recognition.language,
  ],
])('%s is not told a language that it does not know, with a warning', (service, parameters, read) => {
  const { plan, warnings } = resolve(...parameters);
  expect(read(plan)).toBe('');
  expect(warnings).toContainEqual({
    code: 'value_unknown',
    text: `${service} does not support the language haw, so no language is sent to it.`,
  });
});

test('a model of ElevenLabs that finds the language in the text is told none, without a warning', () => {
  const { plan, codes } = resolve({
    ...{ provider: 'elevenlabs', voiceId: 'v', model: 'eleven_multilingual_v2', language: 'haw' },
  });
  expect(plan.voice.language).toBeUndefined();
  expect(codes).not.toContain('value_unknown');
});

test.each(['en-GB', 'pt-BR'])('Deepgram gets the region of %s', (primaryLanguage) => {
  const sttConfig = { ...exampleCall().agent.sttConfig, provider: 'deepgram', model: 'nova-3' };
  const { plan } = resolve({ provider: 'elevenlabs', voiceId: 'v' }, { primaryLanguage, sttConfig });
  expect(plan.recognition.language).toBe(primaryLanguage);
});

test('a model of OpenAI that hears gets a language without its region', () => {
  const start = exampleCall();
  start.agent.llmConfig = { ...start.agent.llmConfig, provider: 'openai-realtime', model: 'gpt-realtime' };
  start.agent.primaryLanguage = 'pt-BR';
  const { plan } = resolveAgent(start, { models: new Set(['openai-realtime']) });
  expect(plan.recognition).toMatchObject({ provider: 'openai-realtime', language: 'pt' });
});

test.each([
  [{ speed: 2 }, { speed: 1.2 }, 'value_out_of_range'],
  [{ stability: 40 }, { stability: 0.4 }, 'value_out_of_range'],
  [{ voiceId: '' }, { voice: '21m00Tcm4TlvDq8ikWAM' }, 'value_unknown'],
  [{ pitch: 0.5 }, { pitch: 1 }, 'field_ignored'],
])('a voice with %j has %j, with the warning %s', (given, voice, code) => {
  const { plan, codes } = resolve({ provider: 'elevenlabs', voiceId: 'v', ...given });
  expect(plan.voice).toMatchObject(voice);
  expect(codes).toContain(code);
});

test('Deepgram gets the language and the terms, and several languages at once if the agent has them', () => {
  const { sttConfig } = exampleCall().agent;
  const agent = {
    ...{ sttConfig: { ...sttConfig, provider: 'deepgram', model: 'nova-3' }, customVocabulary: ['Parley'] },
    primaryLanguage: 'de',
  };
  const { plan, codes } = resolve({ provider: 'elevenlabs', voiceId: 'v' }, agent);
  expect(plan.recognition).toEqual({
    provider: 'deepgram',
    model: 'nova-3',
    language: 'de',
    terms: ['Parley'],
  });
  expect(codes).not.toContain('language_not_spoken');
  expect(resolve({}, { ...agent, multiLingual: true }).plan.recognition.language).toBe('multi');
});

test('a voice of this machine speaks English only, also if Deepgram recognises', () => {
  const { plan, codes } = resolve({ provider: 'local', voiceId: 'slt' }, { primaryLanguage: 'de' });
  expect(plan.voice).toMatchObject({ provider: 'local', voice: 'slt' });
  expect(codes).toContain('language_not_spoken');
});

test('numbers of actions are for phone calls', () => {
  const { plan } = resolve({}, { actions: ['sales tel:+15551234567', 'nonsense tel:5'] });
  expect(plan.transfers).toEqual([{ name: 'sales', to: '+15551234567' }]);
});

test('a carrier that recognises gets as many terms as its document has space for, with a warning about the others', () => {
  const customVocabulary = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(60, 'x&'));
  const { plan, warnings } = resolve({}, { customVocabulary }, { cutTerms: cutHints });
  const { length } = plan.carrierSpeech.terms;
  expect(plan.carrierSpeech.terms).toEqual(customVocabulary.slice(0, length));
  expect(length).toBeGreaterThan(3);
  expect(warnings).toContainEqual({
    code: 'value_out_of_range',
    text: `The carrier takes ${length} of the 20 terms of the vocabulary.`,
  });
});
