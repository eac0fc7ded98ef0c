import { LocalSpeech } from '@parley/voice';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { Caller, MULAW, PATIENCE } from '../../packages/voice/test/support/caller';
import { createAgent } from '../support/agents';
import { type ApiClient } from '../support/client';
import { TestParley, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { readJoinUrl } from '../support/web-calls';

interface Join {
  url: string;
  expires_at: string;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

const SETTINGS = { ROLES: 'http,background,runtime', WEBCALL_WAIT_MS: '10000' };

const speech = new LocalSpeech();
afterAll(() => speech.close());

const ENDED = ['disconnected', 'failed'];

/** A workspace whose agent is called from a browser. */
class WebCalls {
  constructor(readonly api: ApiClient) {}

  static async of(parley: TestParley): Promise<WebCalls> {
    return new WebCalls((await parley.workspace()).api);
  }

  async start(agent: object, fields: object = {}): Promise<{ id: string; join: Join | null }> {
    const agentId = await createAgent({ api: this.api }, { greeting: 'Good day!', ...agent });
    const { status, body } = await this.api.post(`/api/agents/${agentId}/calls`, {
      call_type: 'webcall',
      ...fields,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    const { conversation_id: id, join } = body.data as { conversation_id: string; join: Join | null };
    return { id, join };
  }

  /** A call whose person has come, to converse in writing. */
  async joined(agent: object = {}): Promise<{ id: string; url: string; caller: Caller }> {
    const { id, join } = await this.start({ type: 'chat', ...agent });
    const url = await readJoinUrl(this.api, { conversation_id: id, join }, PATIENCE);
    const caller = await Caller.connect(url, speech);
    await caller.start(null);
    await until(() => caller.agentSaid().includes('Good day!'), PATIENCE);
    return { id, url, caller };
  }

  async read(path: string): Promise<Shown> {
    return (await this.api.get(`/api/calls/${path}`)).body.data;
  }

  ended(id: string): Promise<Shown> {
    return until(async () => {
      const call = (await this.read(id)) as { status: string };
      return ENDED.includes(call.status) && call;
    }, PATIENCE);
  }
}

/** The status of the answer to a request with `Upgrade`. */
const statusOfUpgrade = (
  url: string,
  upgrade: string,
  others: Record<string, string> = {},
  agent?: Agent,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { Connection: 'Upgrade', Upgrade: upgrade, ...others };
    const asked = request(url, { headers, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });

describe('A web call to the voice runtime in the server', () => {
  const parley = useOwnParley(SETTINGS);
  let calls: WebCalls;
  beforeEach(async () => {
    calls = await WebCalls.of(parley);
  });

  test('is conversed with in writing at the port of the server, and leaves a transcript', async () => {
    const { id, url, caller } = await calls.joined();
    expect(url).toMatch(new RegExp(`^ws://localhost:${new URL(parley.url).port}/voice/${id}/[\\w-]{32}$`));
    caller.send({ event: 'text', text: 'A table for two, please.' });
    await until(() => caller.agentSaid().includes('anything else'), PATIENCE);
    caller.send({ event: 'stop' });

    expect(await calls.ended(id)).toMatchObject({
      disconnect_reason: 'user_hangup',
      disconnected_by: 'user',
      join: null,
    });
    const { turns } = await calls.read(`${id}/transcript`);
    expect(turns.slice(0, 2)).toMatchObject([
      { speaker: 'agent', text: 'Good day!' },
      { speaker: 'user', text: 'A table for two, please.' },
    ]);
    expect(await until(async () => (await calls.read(id)).analysis)).toMatchObject({ turns: 1 });
  });

  test('does not keep others waiting, whatever is in the longest texts of its agent and of its request', async () => {
    const { api } = await parley.workspace();
    const spaces = ' '.repeat(49_990);
    const long = `x${spaces}{{none}}${spaces}y`;
    const agent = {
      ...{ prompt: long, localisedPrompt: long, primaryLanguage: 'fr', greeting: long.slice(0, 2_000) },
      customVocabulary: Array.from({ length: 100 }, (_, index) =>
        `${index} ${'a '.repeat(98)}`.slice(0, 200),
      ),
      actions: Array.from({ length: 20 }, () => ' '.repeat(499) + 'x'),
      voicemailConfig: { isEnabled: true, message: long.slice(0, 2_000) },
    };
    const call = {
      ...{ greeting: `x${'{{v}}'.repeat(50)}y`, style: `${' '.repeat(1_999)}x` },
      dynamic_variables: { v: ' '.repeat(4_000), w: '' },
    };
    let isOver = false;
    const started = Promise.all([1, 2, 3].map(() => calls.start(agent, call))).finally(() => (isOver = true));
    // With expressions that take the square of a text, each of these requests would wait for a minute.
    while (!isOver) expect((await api.get('/api/agents')).status).toBe(200);
    for (const { id } of await started) await calls.api.post(`/api/calls/${id}/hangup`, {});
  }, 60_000);

  test('is spoken, and leaves a recording, the variables and the time of its turns', async () => {
    const { id, join } = await calls.start({
      type: 'inbound',
      callConfig: { recordingEnabled: true },
      dynamic_variables: ['city'],
      voiceConfig: { provider: 'local', voiceId: 'slt' },
    });
    const url = await readJoinUrl(calls.api, { conversation_id: id, join }, PATIENCE);
    const caller = await Caller.connect(url, speech);
    await caller.start(MULAW);
    await until(() => caller.state === 'listening' && caller.audio().seconds > 0.5, PATIENCE);
    const { body } = await until(async () => {
      const answer = await calls.api.post(`/api/calls/${id}/listen`);
      return answer.status === 200 && answer;
    }, PATIENCE);
    const user = await Caller.connect(body.data.url as string, speech);
    await caller.say('Hello, I would like to book a table.');
    await until(() => caller.agentSaid().includes('city') && caller.state === 'listening', PATIENCE);
    await caller.say('I live in London.');
    await until(() => caller.finals('user').length > 1, PATIENCE);
    await until(() => caller.frames.some(({ event }) => event === 'metrics'), PATIENCE);
    caller.send({ event: 'stop' });
    // A user who listens hears sound, and the end.
    await until(() => user.closed?.code === 1000, PATIENCE);
    expect(user.frames.some(({ media }) => media && /[^A]{40}/.test(media.payload))).toBe(true);
    expect(user.frames.at(-1)).toMatchObject({ event: 'ended', reason: 'user_hangup' });

    expect(await calls.ended(id)).toMatchObject({ disconnect_reason: 'user_hangup' });
    const call = await until(async () => {
      const shown = await calls.read(id);
      return shown.analysis && shown.recording_url && (shown as { recording_url: string; analysis: object });
    }, PATIENCE);
    expect(call.analysis).toMatchObject({
      turn_gap_ms_p50: expect.any(Number) as number,
      stt_seconds: expect.any(Number) as number,
    });
    expect(JSON.stringify(call.analysis)).toMatch(/london/i);
    const recording = await calls.api.raw(`/api/calls/${id}/recording`, {});
    expect(recording.headers.get('content-type')).toBe('audio/wav');
  });

  test('ends at once by a hang-up over REST, and its address is used up', async () => {
    const { id, url, caller } = await calls.joined();
    await calls.api.post(`/api/calls/${id}/hangup`, {});

    expect(await until(() => caller.closed, PATIENCE)).toMatchObject({ code: 1000 });
    expect(await calls.ended(id)).toMatchObject({
      disconnect_reason: 'cancelled',
      disconnected_by: 'system',
    });
    const late = await Caller.connect(url, speech);
    expect(await until(() => late.closed, PATIENCE)).toMatchObject({ code: 4401 });
  });

  test('leaves the phone calls to the simulated runtime', async () => {
    const agentId = await createAgent({ api: calls.api });
    const { body } = await calls.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234500' });

    const ended = await calls.ended((body.data as { conversation_id: string }).conversation_id);
    expect(ended).toMatchObject({ disconnect_reason: 'agent_hangup' });
  });

  test('refuses a client with a wrong secret, whatever it sends', async () => {
    const { port } = new URL(parley.url);
    const socket = connect(Number(port), '127.0.0.1').resume();
    socket.write(
      [
        `GET /voice/1/wrong HTTP/1.1`,
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        '\r\n',
      ].join('\r\n'),
    );
    const answers: Buffer[] = [];
    socket.on('data', (data) => answers.push(data));
    await until(() => Buffer.concat(answers).includes('The address is wrong'));

    socket.write(Buffer.alloc(64, 0xff));

    await until(() => socket.closed);
    expect((await parley.api.get('/health/live')).status).toBe(200);
  });

  test('does not change how other requests with Upgrade are answered', async () => {
    expect(await statusOfUpgrade(`${parley.url}/health/live`, 'h2c')).toBe(200);
    expect(await statusOfUpgrade(`${parley.url}/api/nothing`, 'websocket')).toBe(404);
  });

  test('keeps nothing of such a request when its connection gets the next one', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let request = 0; request < 20; request += 1)
      expect(await statusOfUpgrade(`${parley.url}/health/live`, 'h2c', {}, agent)).toBe(200);
    agent.destroy();
    process.off('warning', note);

    expect(warnings).toEqual([]);
  });

  test.each(['/api/live', '/api/workspace'])(
    'cuts a connection on which a request with Upgrade comes before %s is answered',
    async (first) => {
      const { api, apiKey } = await parley.workspace();
      const series = '/api/reports/calls/series?start_date=2026-01-01&end_date=2026-03-24&interval=hour';
      const lines = ['Host: localhost', `X-API-Key: ${apiKey}`];
      const upgrade = ['Connection: Upgrade', 'Upgrade: h2c'];
      for (let connection = 0; connection < 3; connection += 1) {
        const { port } = new URL(parley.url);
        const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
        socket.resume();
        socket.write(
          [
            `GET ${first} HTTP/1.1`,
            ...lines,
            '',
            `GET ${series} HTTP/1.1`,
            ...lines,
            ...upgrade,
            '\r\n',
          ].join('\r\n'),
        );
        await until(() => socket.closed);
      }

      expect((await api.get(series)).status).toBe(200);
    },
  );
});

describe('A client without a credential', () => {
  const parley = useOwnParley({ ...SETTINGS, PUBLIC_REQUESTS_PER_MINUTE: '3', TRUST_PROXY: 'loopback' });

  test('opens as many WebSockets a minute as it may send other requests', async () => {
    const open = (address: string) =>
      statusOfUpgrade(`${parley.url}/voice/1/wrong`, 'websocket', {
        'X-Forwarded-For': address,
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      });

    for (let socket = 0; socket < 3; socket += 1) expect(await open('192.0.2.1')).toBe(101);
    expect(await open('192.0.2.1')).toBe(429);
    expect(await open('192.0.2.2')).toBe(101);
  });
});

describe('A server whose voice runtime has one place', () => {
  const parley = useOwnParley({ ...SETTINGS, VOICE_CAPACITY: '1' });

  test('fails further web calls as busy at once', async () => {
    const calls = await WebCalls.of(parley);
    const { id, caller } = await calls.joined();

    const second = await calls.start({ type: 'chat' });
    expect(second.join).toBeNull();
    expect(await calls.ended(second.id)).toMatchObject({ disconnect_reason: 'dial_busy', charge: 0 });

    caller.send({ event: 'stop' });
    await calls.ended(id);
    const third = await calls.joined();
    third.caller.send({ event: 'stop' });
    await calls.ended(third.id);
  });
});

test('With VOICE=off, web calls go to the simulated runtime, and the server has no WebSocket', async () => {
  const parley = await TestParley.start({ ...SETTINGS, VOICE: 'off' });
  const calls = await WebCalls.of(parley);

  const { id, join } = await calls.start({ type: 'chat' });

  expect(join).toBeNull();
  expect(await calls.ended(id)).toMatchObject({ disconnect_reason: 'agent_hangup' });
  expect(await statusOfUpgrade(`${parley.url}/voice/${id}/secret`, 'websocket')).toBe(404);
  await parley.stop();
});
