import { readSettings } from './settings';

test('without settings, it works on this machine and says what is missing', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 3010,
    host: '127.0.0.1',
    publicUrl: 'ws://localhost:3010',
    drainSeconds: 60,
  });
  expect(settings.notes).toEqual([
    'LLM_BASE_URL and LLM_API_KEY are not set: agents of openai are answered by the scripted brain.',
  ]);
});

test('each provider has its own address and key', () => {
  const { models, notes } = readSettings({
    LLM_API_KEY: 'one',
    GROQ_BASE_URL: 'https://api.groq.example/openai/v1/',
    GROQ_API_KEY: 'two',
    OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1',
  });
  expect(Object.fromEntries(models)).toEqual({
    openai: { baseUrl: 'https://api.openai.com/v1', apiKey: 'one' },
    groq: { baseUrl: 'https://api.groq.example/openai/v1', apiKey: 'two' },
    ollama: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: '' },
  });
  expect(notes).toEqual(['OLLAMA_API_KEY is not set: OLLAMA_BASE_URL is asked without a key.']);
});

test.each([
  [{ VOICE_PORT: 'x' }, 'VOICE_PORT must be a whole number from 0 to 65535.'],
  [{ VOICE_CAPACITY: '0' }, 'VOICE_CAPACITY must be a whole number from 1 to 1000.'],
  [{ LLM_BASE_URL: 'ftp://x' }, 'LLM_BASE_URL must be an address that begins with http:// or https://.'],
  [{ LLM_BASE_URL: 'https://api.openai.com/v1' }, 'LLM_API_KEY is needed for api.openai.com.'],
  [{ VOICE_PUBLIC_URL: 'nowhere' }, 'VOICE_PUBLIC_URL must be an address that begins with ws://'],
])('%j is refused', (env, sentence) => {
  expect(() => readSettings(env)).toThrow(sentence);
});

test('the public address of a page becomes the one of its sockets', () => {
  expect(readSettings({ VOICE_PUBLIC_URL: 'https://voice.example.com/' }).publicUrl).toBe(
    'wss://voice.example.com',
  );
});
