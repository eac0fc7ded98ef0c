import { actualSentences, configuredSentences } from './where-it-goes';

const agent = (recognition: string, language: string, synthesis: string, type = 'outbound') =>
  ({
    type,
    sttConfig: { provider: recognition },
    llmConfig: { provider: language },
    aiModel: { provider: '' },
    voiceConfig: { provider: synthesis },
  }) as Parameters<typeof configuredSentences>[0];

test('before a call, the page names the services that the agent names', () => {
  expect(configuredSentences(agent('deepgram', 'openai', 'elevenlabs')).slice(1)).toEqual([
    'Deepgram would receive your voice.',
    'ElevenLabs would receive what the agent says.',
    'OpenAI would receive what is said.',
  ]);
  expect(configuredSentences(agent('deepgram', 'openai', 'elevenlabs', 'chat')).slice(1)).toEqual([
    'OpenAI would receive what is said.',
  ]);
  expect(configuredSentences(agent('local', 'my-model', 'flite')).slice(1)).toEqual([
    'my-model would receive what is said.',
  ]);
  expect(configuredSentences(agent('local', '', 'flite'))).toEqual([
    expect.stringContaining('use no outside service'),
  ]);
});

const LOCAL = [
  { part: 'recognition' as const, provider: 'local' },
  { part: 'language' as const, provider: 'local' },
];

test('with a runtime on this machine that does everything itself, the voice stays here', () => {
  expect(actualSentences(LOCAL, 'speaking', '127.0.0.1:3000')).toEqual([
    'Your voice stays on this machine.',
    'No service of another company hears or reads the call.',
  ]);
});

test('a runtime elsewhere is named', () => {
  expect(actualSentences(LOCAL, 'speaking', 'voice.example.com')).toEqual([
    'Your voice goes to the runtime at voice.example.com, and nowhere else.',
    'No service of another company hears or reads the call.',
  ]);
});

test('services in use are named with their hosts', () => {
  const services = [
    { part: 'recognition' as const, provider: 'deepgram', host: 'api.deepgram.com' },
    { part: 'language' as const, provider: 'openai', host: '127.0.0.1' },
  ];
  expect(actualSentences(services, 'speaking', 'localhost:3010')).toEqual([
    'Deepgram (api.deepgram.com) receives your voice.',
  ]);
});

test('services that are asked if others fail are named, too', () => {
  const services = [
    { part: 'recognition' as const, provider: 'deepgram', host: 'api.deepgram.com' },
    { part: 'recognition' as const, provider: 'local', fallback: true },
    { part: 'language' as const, provider: 'openai', host: '127.0.0.1' },
    { part: 'language' as const, provider: 'groq', host: 'api.groq.com', fallback: true },
  ];
  expect(actualSentences(services, 'speaking', 'localhost:3010')).toEqual([
    'Deepgram (api.deepgram.com) receives your voice.',
    'If another service fails, groq (api.groq.com) receives what is said.',
  ]);
});

test('a runtime that does not say it is not trusted with a promise', () => {
  expect(actualSentences(undefined, 'speaking', 'voice.example.com')).toEqual([
    'The runtime at voice.example.com does not say whether it uses services of other companies.',
  ]);
});

test('in writing, no voice goes anywhere', () => {
  expect(actualSentences(LOCAL, 'writing', 'voice.example.com')).toEqual([
    'No service of another company hears or reads the call.',
  ]);
});
