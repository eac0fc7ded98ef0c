import { LocalSpeech } from '@parley/voice';
import { Caller, MULAW, PATIENCE } from '../../packages/voice/test/support/caller';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { createDatabase, type TestDatabase } from '../support/database';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';
import { readJoinUrl } from '../support/web-calls';

const speech = new LocalSpeech();
let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());
afterAll(() => speech.close());

const start = (settings: object = {}) =>
  ServerProcess.start({
    DATABASE_URL: database.url,
    JWT_SECRET,
    LOG_LEVEL: 'warn',
    LEASE_SECONDS: '3',
    SWEEP_INTERVAL_MS: '100',
    ...settings,
  });

const createClient = (server: ServerProcess, apiKey: string) => server.api.with({ 'x-api-key': apiKey });

async function joinedCall(api: ApiClient, agent: object, mediaFormat: object | null) {
  const agentId = await createAgent({ api }, agent);
  const { body } = await api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
  const caller = await Caller.connect(await readJoinUrl(api, body.data, PATIENCE), speech);
  await caller.start(mediaFormat);
  return { id: (body.data as { conversation_id: string }).conversation_id, caller };
}

async function readEnd(api: ApiClient, id: string) {
  return until(async () => {
    const { body } = await api.get(`/api/calls/${id}`);
    const call = body.data as { status: string };
    return ['disconnected', 'failed'].includes(call.status) && call;
  }, PATIENCE);
}

test('The console may use the microphone, and connect to the voice runtimes of the server and the settings', async () => {
  const server = await start({ VOICE_ORIGINS: 'wss://voice.example.com' });

  const { headers } = await fetch(server.url, { headers: { accept: 'text/html' } });

  const own = server.url.replace('http', 'ws');
  expect((headers.get('content-security-policy') ?? '').split('; ')).toContain(
    `connect-src 'self' ${own} wss://voice.example.com`,
  );
  expect(headers.get('permissions-policy')).toBe('microphone=(self)');
  await server.stop();
});

test('A server that is killed in the middle of a sentence leaves a call that ends as lost', async () => {
  const killed = await start();
  const apiKey = killed.demo?.apiKey ?? '';
  const greeting = 'This is a long greeting. '.repeat(20);
  const { id, caller } = await joinedCall(createClient(killed, apiKey), { greeting }, MULAW);
  await until(() => caller.audio().seconds > 1, PATIENCE);

  await killed.kill();

  await until(() => caller.closed, PATIENCE);
  const next = await start();
  expect(await readEnd(createClient(next, apiKey), id)).toMatchObject({
    disconnect_reason: 'worker_lost',
    disconnected_by: 'system',
  });
  expect(await next.stop()).toBe(0);
});

test('A server that is stopped serves until its web calls have ended', async () => {
  const server = await start();
  const api = createClient(server, server.demo?.apiKey ?? '');
  const { id, caller } = await joinedCall(api, { type: 'chat', greeting: 'Good day!' }, null);
  await until(() => caller.agentSaid().includes('Good day!'), PATIENCE);

  const stopped = server.stop();
  caller.send({ event: 'text', text: 'A table, please.' });
  await until(() => caller.agentSaid().includes('I cannot answer that.'), PATIENCE);
  const status = async () => (await api.get(`/api/calls/${id}`)).body.data as { status: string };
  await until(async () => (await status()).status === 'connected', PATIENCE);
  caller.send({ event: 'stop' });

  expect(await stopped).toBe(0);
  expect(await until(() => caller.closed, PATIENCE)).toMatchObject({ code: 1000 });
});

test('A server that is stopped ends web calls that take longer than VOICE_DRAIN_SECONDS', async () => {
  const server = await start({ VOICE_DRAIN_SECONDS: '1' });
  const apiKey = server.demo?.apiKey ?? '';
  const { id, caller } = await joinedCall(
    createClient(server, apiKey),
    { type: 'chat', greeting: 'Hi!' },
    null,
  );
  await until(() => caller.agentSaid().includes('Hi!'), PATIENCE);

  expect(await server.stop()).toBe(0);

  const next = await start();
  expect(await readEnd(createClient(next, apiKey), id)).toMatchObject({
    disconnect_reason: 'error',
    disconnected_by: 'system',
  });
  expect(await next.stop()).toBe(0);
});
