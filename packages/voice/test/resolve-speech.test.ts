import type { CallStart } from '@parley/worker';
import { exampleCall } from '../../worker/src/example-call';
import { resolveAgent } from '../src/agent/resolve-agent';

const providers = {
  models: new Set<string>(),
  recognizers: new Set(['deepgram']),
  voices: new Set(['elevenlabs']),
};

function resolve(voice: Partial<CallStart['agent']['voiceConfig']>, agent: Partial<CallStart['agent']> = {}) {
  const start = exampleCall({ call_type: 'phonecall' });
  start.agent = { ...start.agent, ...agent, voiceConfig: { ...start.agent.voiceConfig, ...voice } };
  const { plan, warnings } = resolveAgent(start, providers);
  return { plan, codes: warnings.map(({ code }) => code) };
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

test('numbers of actions are for phone calls, and cause no warning', () => {
  const { plan, codes } = resolve({}, { actions: ['sales tel:+15551234567', 'nonsense tel:5'] });
  expect(plan.transfers).toEqual([{ name: 'sales', to: '+15551234567' }]);
  expect(codes).toContain('action_without_address');
});
