import { readModels, readSettings } from './settings';

const twilio = {
  VOICE_CARRIER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_NUMBER: '+15550100000',
};

test('without settings, it works on this machine and says what is missing', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 3010,
    host: '127.0.0.1',
    publicUrl: undefined,
    drainSeconds: 60,
    rehearsals: 8,
  });
  expect(settings.notes).toEqual([
    'LLM_BASE_URL and LLM_API_KEY are not set: agents of openai are answered by the scripted brain.',
    'DEEPGRAM_API_KEY is not set: calls of agents of deepgram are recognised on this machine.',
    'ELEVENLABS_API_KEY is not set: calls of agents of elevenlabs are spoken on this machine.',
    'OPENAI_REALTIME_API_KEY is not set: calls of agents of openai-realtime are answered by the scripted brain.',
  ]);
});

test('each provider has its own address and key', () => {
  const { models, accounts, notes } = readSettings({
    LLM_API_KEY: 'one',
    DEEPGRAM_API_KEY: 'three',
    ELEVENLABS_API_KEY: 'four',
    ELEVENLABS_BASE_URL: 'http://127.0.0.1:9/',
    OPENAI_REALTIME_API_KEY: 'five',
    GROQ_BASE_URL: 'https://api.groq.example/openai/v1/',
    GROQ_API_KEY: 'two',
    OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1',
  });
  expect(Object.fromEntries(models)).toEqual({
    openai: { baseUrl: 'https://api.openai.com/v1', apiKey: 'one' },
    groq: { baseUrl: 'https://api.groq.example/openai/v1', apiKey: 'two' },
    ollama: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: '' },
  });
  expect(accounts).toEqual({
    deepgram: { baseUrl: 'https://api.deepgram.com', apiKey: 'three' },
    elevenlabs: { baseUrl: 'http://127.0.0.1:9', apiKey: 'four' },
    'openai-realtime': { baseUrl: 'https://api.openai.com/v1', apiKey: 'five' },
  });
  expect(notes).toEqual([
    'Agents may name the provider groq: GROQ_BASE_URL is asked with GROQ_API_KEY.',
    'OLLAMA_API_KEY is not set: OLLAMA_BASE_URL is asked without a key.',
  ]);
});

test('an account of a provider of speech can be limited', () => {
  const keys = { DEEPGRAM_API_KEY: 'one', ELEVENLABS_API_KEY: 'two' };
  const { deepgram, elevenlabs } = readSettings({ ...keys, ELEVENLABS_MAX_CONCURRENT: '10' }).accounts;
  expect([deepgram?.limit?.places, elevenlabs?.limit?.places]).toEqual([undefined, 10]);
  expect(() => readSettings({ ...keys, DEEPGRAM_MAX_CONCURRENT: '0' })).toThrow(
    'DEEPGRAM_MAX_CONCURRENT must be a whole number from 1 to 10000.',
  );
});

test.each([
  [{}, { web: 4, phone: 0 }],
  [{ VOICE_CARRIER: 'line' }, { web: 2, phone: 2 }],
  [
    { VOICE_CARRIER: 'line', VOICE_CAPACITY: '5', PARLEY_CAPACITY: '9' },
    { web: 2, phone: 3 },
  ],
  [
    { VOICE_CAPACITY: '', PARLEY_CAPACITY: '9' },
    { web: 9, phone: 0 },
  ],
])('the capacity of %j is shared by the queues as %j', (env, shared) => {
  expect(readSettings(env).capacity).toEqual(shared);
});

test('a key of openai in the environment that has another use changes nothing', () => {
  expect(readModels({ OPENAI_API_KEY: 'one' })).toEqual(readModels({}));
});

test.each([
  [
    { VOICE_PORT: 'x', VOICE_CARRIER: 'pigeon' },
    'VOICE_CARRIER must be one of line, twilio, telnyx, asterisk.\nVOICE_PORT must be a whole number from 0 to 65535.',
  ],
  [{ PARLEY_CAPACITY: '0' }, 'PARLEY_CAPACITY must be a whole number from 1 to 1000.'],
  [{ VOICE_CARRIER: 'line', VOICE_CAPACITY: '1' }, 'VOICE_CAPACITY must be at least 2'],
  [
    { VOICE_CARRIER: 'twilio' },
    'TWILIO_ACCOUNT_SID is needed with VOICE_CARRIER=twilio, and begins with AC.',
  ],
  [
    { ...twilio, TWILIO_AUTH_TOKEN: '' },
    'TWILIO_AUTH_TOKEN or TWILIO_AUTH_TOKEN_FILE is needed with VOICE_CARRIER=twilio.',
  ],
  [
    { ...twilio, TWILIO_NUMBER: '5551234' },
    'TWILIO_NUMBER is needed with VOICE_CARRIER=twilio, and is a number such as +15551234567.',
  ],
  [twilio, 'VOICE_PUBLIC_URL is needed with VOICE_CARRIER=twilio: the carrier reaches this process there.'],
  [
    { ...twilio, VOICE_PUBLIC_URL: 'http://localhost:3010' },
    'VOICE_PUBLIC_URL is http://localhost:3010, which VOICE_CARRIER=twilio cannot reach. It must be an address in the internet, such as https://voice.example.com.',
  ],
  [
    {
      VOICE_CARRIER: 'telnyx',
      TELNYX_API_KEY: 'KEY1',
      TELNYX_CONNECTION_ID: '1',
      TELNYX_PUBLIC_KEY: 'short',
    },
    'TELNYX_PUBLIC_KEY is needed with VOICE_CARRIER=telnyx, and is a key of 32 bytes in Base64.',
  ],
  [
    {
      VOICE_CARRIER: 'asterisk',
      ASTERISK_URL: 'http://pbx:8088',
      ASTERISK_USERNAME: 'a',
      ASTERISK_PASSWORD: 'b',
    },
    'ASTERISK_ENDPOINT is needed with VOICE_CARRIER=asterisk, and is a channel with a number, such as PJSIP/{number}@trunk.',
  ],
  [
    { VOICE_PEER_URL: 'http://10.0.0.5:3010', VOICE_PUBLIC_URL: 'wss://a.example' },
    'VOICE_PEER_SECRET must have at least 32 characters',
  ],
  [{ LLM_BASE_URL: 'https://api.openai.com/v1' }, 'LLM_API_KEY is needed for api.openai.com.'],
  [
    { LLM_BASE_URL: 'https://a.example', LLM_API_KEY: 'one', OPENAI_BASE_URL: 'https://b.example' },
    'OPENAI_BASE_URL is not used: agents of openai use LLM_BASE_URL and LLM_API_KEY.',
  ],
  [
    { LOCAL_BASE_URL: 'http://127.0.0.1:11434/v1' },
    'LOCAL_BASE_URL is not used: local is the scripted brain. Use another name, such as OLLAMA_BASE_URL.',
  ],
])('%j is refused', (env, sentence) => {
  expect(() => readSettings(env)).toThrow(sentence);
});

test('the public address of a page becomes the one of its sockets', () => {
  expect(readSettings({ VOICE_PUBLIC_URL: 'https://voice.example.com/' }).publicUrl).toBe(
    'wss://voice.example.com',
  );
});
