import { readSettings } from './settings';

const addresses = {
  LLM_API_KEY: 'one',
  GROQ_BASE_URL: 'https://api.groq.example/openai/v1',
  GROQ_API_KEY: 'two',
  DEEPGRAM_API_KEY: 'three',
  DEEPGRAMEU_BASE_URL: 'https://api.eu.deepgram.example',
  DEEPGRAMEU_API_KEY: 'four',
  DEEPGRAMEU_PROTOCOL: 'deepgram',
  ELEVENLABS_API_KEY: 'five',
};

test('without VOICE_FALLBACKS nothing follows, also with the other settings', () => {
  const others = { VOICE_HEDGE_MS: '500', VOICE_BREAKER: '5/60', VOICE_LAST_RESORT: 'transfer' };
  for (const env of [{}, others, { ...addresses, VOICE_FALLBACKS: '' }])
    expect(readSettings(env).fallbacks).toEqual({
      ...{ recognition: [], language: [], synthesis: [] },
      ...{ hasLocal: false, lastResort: 'apologise' },
    });
});

test('with local, only the speech of this machine follows', () => {
  expect(readSettings({ VOICE_FALLBACKS: 'local' }).fallbacks).toEqual({
    ...{ recognition: [], language: [], synthesis: [] },
    ...{ hasLocal: true, hedgeMs: 900, breaker: { failures: 3, ms: 30_000 }, lastResort: 'apologise' },
  });
});

test('each part has the providers that follow, with their model or voice', () => {
  const { fallbacks, accounts, models } = readSettings({
    ...addresses,
    VOICE_FALLBACKS:
      'language=groq/meta/llama-3.3, openai;recognition=deepgrameu ; synthesis=elevenlabs/VOICE',
    VOICE_HEDGE_MS: 'off',
    VOICE_BREAKER: '5/60',
    VOICE_LAST_RESORT: 'transfer',
  });
  expect(fallbacks).toEqual({
    language: [{ provider: 'groq', model: 'meta/llama-3.3' }, { provider: 'openai' }],
    recognition: [{ provider: 'deepgrameu' }],
    synthesis: [{ provider: 'elevenlabs', model: 'VOICE' }],
    ...{ hasLocal: true, hedgeMs: undefined, breaker: { failures: 5, ms: 60_000 }, lastResort: 'transfer' },
  });
  expect(accounts.deepgrameu).toEqual({
    baseUrl: 'https://api.eu.deepgram.example',
    apiKey: 'four',
    protocol: 'deepgram',
  });
  expect([...models.keys()]).toEqual(['openai', 'groq']);
});

test('a breaker that is off never skips a provider', () => {
  expect(readSettings({ VOICE_FALLBACKS: 'local', VOICE_BREAKER: 'off' }).fallbacks.breaker).toBeUndefined();
});

test.each([
  ...[
    ...[
      'thinking=groq/m',
      'local;language=groq/m',
      'groq/m',
      'language=',
      'language=Groq',
      'language=groq/m,',
    ],
    ...['language=groq/m;language=openai/m', `language=${'groq/m,'.repeat(5)}groq/m`],
  ].map((value) => [
    value,
    'VOICE_FALLBACKS must be local, or such as language=groq/MODEL,openai;recognition=NAME;synthesis=NAME/VOICE, with up to 5 providers of a part.',
  ]),
  [
    'language=mistral/m',
    'VOICE_FALLBACKS names mistral for language, which has no address or no key. Set MISTRAL_BASE_URL and MISTRAL_API_KEY.',
  ],
  [
    'language=deepgrameu',
    'VOICE_FALLBACKS names deepgrameu for language, but its address is for recognition.',
  ],
  ['recognition=groq', 'VOICE_FALLBACKS names groq for recognition, but its address is for language.'],
  ['synthesis=deepgram', 'VOICE_FALLBACKS names deepgram for synthesis, but its address is for recognition.'],
  ['recognition=local', 'VOICE_FALLBACKS names local for recognition, which is last by itself.'],
  ['language=local', 'but the scripted assistant does not follow the prompt of an agent.'],
])('the start stops at VOICE_FALLBACKS=%s', (VOICE_FALLBACKS, message) => {
  expect(() => readSettings({ ...addresses, VOICE_FALLBACKS })).toThrow(message);
});

test.each([
  [{ VOICE_HEDGE_MS: '199' }, 'VOICE_HEDGE_MS must be off or a whole number from 200 to 5000.'],
  [{ VOICE_HEDGE_MS: '5001' }, 'VOICE_HEDGE_MS must be off or a whole number from 200 to 5000.'],
  [{ VOICE_BREAKER: '3' }, 'VOICE_BREAKER must be off, or failures from 1 to 100 and seconds from 1 to 3600'],
  [{ VOICE_BREAKER: '0/30' }, 'VOICE_BREAKER must be off'],
  [{ VOICE_LAST_RESORT: 'hang-up' }, 'VOICE_LAST_RESORT must be one of apologise, transfer.'],
  [{ DEEPGRAMEU_API_KEY: '' }, 'DEEPGRAMEU_API_KEY is needed with DEEPGRAMEU_PROTOCOL=deepgram.'],
  [{ GROQ_PROTOCOL: 'grpc' }, 'GROQ_PROTOCOL must be one of openai, deepgram, elevenlabs.'],
])('%j is refused', (env, message) => {
  expect(() => readSettings({ ...addresses, ...env })).toThrow(message);
});

test('an address of another program, with a protocol of its own, is not used', () => {
  const { models, notes } = readSettings({ SHOP_BASE_URL: 'https://shop.example', SHOP_PROTOCOL: 'https' });
  expect(models.has('shop')).toBe(false);
  expect(notes).toContain(
    'SHOP_PROTOCOL is none of openai, deepgram, elevenlabs: SHOP_BASE_URL is not used.',
  );
});
