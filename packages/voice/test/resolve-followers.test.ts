import { exampleCall } from '../../worker/src/example-call';
import { listServices } from '../src/agent/services';
import { resolveAgent } from '../src/agent/resolve-agent';
import { type Fallbacks, NO_FALLBACKS } from '../src/providers/fallbacks';

type Agent = ReturnType<typeof exampleCall>['agent'];

const { agent } = exampleCall();
const named: Partial<Agent> = {
  llmConfig: { ...agent.llmConfig, provider: 'openai', model: 'gpt-4o' },
  sttConfig: { ...agent.sttConfig, provider: 'deepgram', model: 'nova-2' },
  voiceConfig: { ...agent.voiceConfig, provider: '11labs', voiceId: 'voice-1' },
};
const fallbacks: Fallbacks = {
  recognition: [{ provider: 'deepgrameu' }],
  language: [{ provider: 'groq', model: 'llama' }, { provider: 'openai' }],
  synthesis: [{ provider: 'elevenlabseu', model: 'voice-2' }],
  ...{ hasLocal: true, lastResort: 'transfer' },
};

const resolve = (changes: Partial<Agent> = {}, call: object = {}, given: Fallbacks = fallbacks) =>
  resolveAgent(exampleCall({ call_type: 'webcall', agent: { ...agent, ...named, ...changes }, ...call }), {
    models: new Set(['openai', 'groq', 'openai-realtime']),
    recognizers: new Set(['deepgram', 'deepgrameu']),
    voices: new Set(['elevenlabs', 'elevenlabseu']),
    fallbacks: given,
  }).plan;

const names = ({ followers }: ReturnType<typeof resolve>) =>
  Object.fromEntries(
    Object.entries(followers).map(([part, each]) => [part, each.map(({ provider }) => provider)]),
  );

test('those that follow have the fields of the agent, and the speech of this machine is last', () => {
  const { followers, whileDue } = resolve();
  expect(followers.recognition).toMatchObject([
    { provider: 'deepgrameu', model: 'nova-2', language: 'en' },
    { provider: 'local' },
  ]);
  // The agent's own model does not follow itself.
  expect(followers.language).toEqual([
    { provider: 'groq', model: 'llama', temperature: 0.7, maxTokens: 250 },
  ]);
  expect(followers.synthesis).toMatchObject([
    { provider: 'elevenlabseu', voice: 'voice-2', stability: 0.5 },
    { provider: 'local', speed: 1 },
  ]);
  expect(whileDue).toBe('words');
});

test('the speech of this machine does not follow where the agent speaks another language', () => {
  const plan = resolve({ primaryLanguage: 'es' });
  expect(names(plan)).toMatchObject({ recognition: ['deepgrameu'], synthesis: ['elevenlabseu'] });
  expect(plan.whileDue).toBe('tone');
});

test('the speech of this machine can be followed', () => {
  const plan = resolve({
    sttConfig: { ...agent.sttConfig, provider: 'local' },
    voiceConfig: { ...agent.voiceConfig, provider: 'local' },
  });
  expect(names(plan)).toMatchObject({ recognition: ['deepgrameu'], synthesis: ['elevenlabseu'] });
});

test.each([
  [
    'a model that hears and speaks',
    { llmConfig: { ...agent.llmConfig, provider: 'openai-realtime', model: '' } },
  ],
  [
    'an agent with the speech of this machine, and without settings',
    {
      llmConfig: { ...agent.llmConfig, provider: 'openai', model: 'gpt-4o' },
      sttConfig: { ...agent.sttConfig, provider: 'local' },
      voiceConfig: { ...agent.voiceConfig, provider: 'local' },
    },
  ],
])('no provider follows %s', (what, changes) => {
  const given = what.startsWith('a model') ? fallbacks : { ...NO_FALLBACKS, hasLocal: true };
  const plan = resolve(changes, {}, given);
  expect(names(plan)).toEqual({ recognition: [], language: [], synthesis: [] });
  expect(plan.whileDue).toBeUndefined();
});

test('the last resort is a transfer where a phone call has a number for it', () => {
  const actions = ['desk tel:+15550100000'];
  expect(resolve({ actions }).lastResort).toBe('apologise');
  expect(resolve({ actions }, { call_type: 'phonecall' }).lastResort).toBe('transfer');
  expect(resolve({ actions: [] }, { call_type: 'phonecall' }).lastResort).toBe('apologise');
});

test('a client is told who may hear and read the call', () => {
  const server = { baseUrl: 'https://groq.example/v1' };
  expect(listServices(resolve(), new Map([['groq', server]]))).toEqual([
    { part: 'recognition', provider: 'deepgram' },
    { part: 'recognition', provider: 'deepgrameu', fallback: true },
    { part: 'recognition', provider: 'local', fallback: true },
    { part: 'language', provider: 'local' },
    { part: 'language', provider: 'groq', host: 'groq.example', fallback: true },
    { part: 'synthesis', provider: 'elevenlabs' },
    { part: 'synthesis', provider: 'elevenlabseu', fallback: true },
    { part: 'synthesis', provider: 'local', fallback: true },
  ]);
});
