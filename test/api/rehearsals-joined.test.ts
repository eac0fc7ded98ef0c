import { type Call, CallFailed, type CallResult, createWorker, type Worker } from '@parley/worker';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { BrokerTransport } from '../../src/tools/broker-transport/broker-transport';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { invalid, outcome } from '../support/answers';
import { TestParley, type TestWorkspace } from '../support/parley';
import { silentLogger } from '../support/silent-logger';
import { until } from '../support/until';
import { WireTap } from '../support/wire-tap';
import { type TakenCall, TestWorker, WORKER_ID } from '../support/worker';

const MODE = { mode: 'joined' };

/** Starts a run. @returns the path of it */
async function start({ api }: TestWorkspace, agentId: string, rehearsals: object[]): Promise<string> {
  const { status, body } = await api.post(`/api/agents/${agentId}/rehearsal-runs`, { ...MODE, rehearsals });
  expect(status).toBe(201);
  return `/api/rehearsal-runs/${body.data.run_id}`;
}

const ended = ({ api }: TestWorkspace, path: string) =>
  until(async () => {
    const { data } = (await api.get(path)).body;
    return data.ended_at === null ? undefined : data;
  }, 20_000);

const said = async ({ api }: TestWorkspace, path: string, name: string) => {
  const { data } = (await api.get(`${path}/results/${name}/1`)).body;
  return data.turns.map(({ speaker, text }: Record<string, string>) => `${speaker}: ${text}`);
};

const BOOK = {
  ...{ name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/book' },
  parameters: { type: 'object', properties: { people: { type: 'integer' } }, required: ['people'] },
};

describe('The voice runtime of the server', () => {
  let parley: TestParley;
  let workspace: TestWorkspace;
  let agentId: string;
  beforeAll(async () => {
    parley = await TestParley.start({ ROLES: 'http,background,runtime' });
    workspace = await parley.workspace();
    await workspace.api.post('/api/tools', BOOK);
    agentId = await createAgent(workspace, {
      ...{ type: 'outbound', llmConfig: { provider: 'groq' }, greeting: 'Good day, this is {{firm}}.' },
      actions: ['book_table'],
    });
  });
  afterAll(() => parley.stop());

  test('plays rehearsals that a person of the server joins, as web calls in writing', async () => {
    const person = {
      lines: [
        { on: 'good day', say: 'Hello.' },
        { on: 'anything else', say: 'I would like to book table.' },
        { on: 'people\\.$', say: 'Two.' },
        { on: 'right', say: 'Yes.' },
        { on: 'anything else', say: 'No, thank you.' },
      ],
    };
    const situation = { variables: { firm: 'Luigi' } };
    const checks = [{ tool: { name: 'book_table', arguments: { people: 2 } } }, { ended: { by: 'agent' } }];
    const tools = [{ name: 'book_table', answer: { table: 7 } }];
    const path = await start(workspace, agentId, [
      { name: 'books', person, situation, tools, checks },
      { name: 'closed', person, situation, checks },
      {
        name: 'leaves',
        person: { lines: [] },
        situation,
        checks: [{ said: 'this is luigi' }, { ended: { by: 'user' } }],
      },
    ]);
    const run = await ended(workspace, path);

    expect(run.results).toMatchObject([
      { name: 'books', status: 'passed', failed: [] },
      { name: 'closed', status: 'failed', failed: [{ check: 'tool_closed' }] },
      { name: 'leaves', status: 'passed', failed: [] },
    ]);
    expect(await said(workspace, path, 'books')).toEqual([
      'agent: Good day, this is Luigi.',
      'user: Hello.',
      expect.stringMatching(/^agent: .*Is there anything else\?$/),
      'user: I would like to book table.',
      'agent: Please tell me the people.',
      'user: Two.',
      'agent: Thank you. So I have people: 2. Is that right?',
      'user: Yes.',
      'tool: book_table',
      'agent: Thank you. That is done. Is there anything else?',
      'user: No, thank you.',
      'agent: Thank you for the call. Goodbye!',
    ]);
    expect((await workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
    expect((await workspace.api.get('/api/calls')).body.data).toEqual([]);
  });
});

const listen = async (): Promise<WebSocketServer> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  return server;
};

const toOrigin = (server: WebSocketServer) => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;

function close(server: WebSocketServer): void {
  for (const client of server.clients) client.terminate();
  server.close();
}

/** A conversation of the small runtime: what it says, by what the person writes. */
type Plays = (call: Call, says: (text: string) => void, text: string) => Promise<CallResult | undefined>;

const HUNG_UP: CallResult = { reason: 'user_hangup', by: 'user' };

/** A runtime of web calls with a WebSocket server of its own, which knows of rehearsals only their queue. */
class SmallRuntime {
  /** The events that came from the person, of all calls. */
  readonly frames: Record<string, unknown>[] = [];
  readonly sockets: WebSocket[] = [];
  /** Says what comes after the words of the person. */
  plays: Plays = () => Promise.resolve(undefined);
  /** Called after each claim. */
  claimed: (call: Call) => void = () => undefined;

  private constructor(
    private readonly server: WebSocketServer,
    private readonly worker: Worker,
  ) {}

  static start(parley: TestParley, server: WebSocketServer): SmallRuntime {
    const { broker, topology } = parley;
    const worker: Worker = createWorker(
      {
        transport: new BrokerTransport({ broker, topology }),
        ...{ queue: topology.rehearsalsQueue, workerId: 'small runtime', name: 'Small', apiUrl: parley.url },
        ...{ capacity: 4, handleSignals: false, logger: silentLogger },
      },
      (call) => runtime.converse(call),
    );
    const runtime = new SmallRuntime(server, worker);
    void worker.run();
    return runtime;
  }

  async stop(): Promise<void> {
    await this.worker.stop({ seconds: 0 });
  }

  private async converse(call: Call): Promise<CallResult> {
    this.claimed(call);
    const secret = `/${randomUUID()}`;
    const joined = new Promise<WebSocket>((resolve) =>
      this.server.on('connection', (socket, { url }) => url === secret && resolve(socket)),
    );
    await call.joinable(toOrigin(this.server) + secret, new Date(Date.now() + 60_000));
    const interrupted = new Promise<never>((_, reject) =>
      call.signal.addEventListener('abort', () => reject(new CallFailed('error', 'It was hung up.'))),
    );
    const socket = await Promise.race([joined, interrupted]);
    this.sockets.push(socket);
    await call.connected();
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    const says = (text: string) => {
      send({ event: 'transcript', speaker: 'agent', text, final: true });
      send({ event: 'state', state: 'listening' });
    };
    const over = new Promise<CallResult>((resolve) => {
      socket.on('close', () => resolve(HUNG_UP));
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { event: string; text?: string };
        this.frames.push(frame);
        if (frame.event === 'stop') return resolve(HUNG_UP);
        void this.plays(call, says, frame.text ?? '').then((end) => end && resolve(end));
      });
    });
    const end = await Promise.race([over, interrupted]);
    send({ event: 'ended', reason: end.reason });
    socket.close(1000);
    return end;
  }
}

describe('A runtime that knows web calls', () => {
  let parley: TestParley;
  let workspace: TestWorkspace;
  let agentId: string;
  let runtime: SmallRuntime;
  let server: WebSocketServer;
  beforeAll(async () => {
    server = await listen();
    parley = await TestParley.start({ VOICE_ORIGINS: toOrigin(server) });
    runtime = SmallRuntime.start(parley, server);
    workspace = await parley.workspace();
    await workspace.api.post('/api/tools', BOOK);
    agentId = await createAgent(workspace, { actions: ['book_table'] });
  });
  afterAll(async () => {
    await runtime.stop();
    close(server);
    await parley.stop();
  });
  beforeEach(() => {
    runtime.frames.length = runtime.sockets.length = 0;
    runtime.claimed = () => undefined;
    runtime.plays = (_, says, text) => {
      if (text !== 'Goodbye.') says(text === '' ? 'How many are you?' : 'It is booked.');
      return Promise.resolve(text === 'Goodbye.' ? { reason: 'agent_hangup', by: 'agent' } : undefined);
    };
  });

  const person = {
    lines: [
      { on: 'how many', say: 'Two.' },
      { on: 'booked', say: 'Goodbye.' },
    ],
  };
  const dinner = (others: object = {}) => ({
    ...{ name: 'dinner', person, checks: [{ ended: { by: 'agent' } }], ...others },
  });
  const play = async (...rehearsals: object[]) => {
    const path = await start(workspace, agentId, rehearsals);
    return { path, run: await ended(workspace, path) };
  };

  test('plays a rehearsal, and gets neither person nor mocks', async () => {
    const starts: Call['start'][] = [];
    runtime.claimed = ({ start }) => void starts.push(start);
    const { path, run } = await play(dinner());

    expect(run.results).toMatchObject([{ status: 'passed', error: null }]);
    expect(await said(workspace, path, 'dinner')).toEqual([
      ...['agent: How many are you?', 'user: Two.', 'agent: It is booked.', 'user: Goodbye.'],
    ]);
    expect(starts).toMatchObject([{ call_type: 'rehearsal', rehearsal: { mode: 'joined', name: 'dinner' } }]);
    expect(Object.keys(starts[0]?.rehearsal ?? {}).sort()).toEqual(
      ['run_id', 'name', 'repeat', 'mode', 'seed', 'situation'].sort(),
    );
  });
});

describe('The person of the server', () => {
  let server: WebSocketServer;
  let parley: TestParley;
  let worker: TestWorker;
  let tap: WireTap;
  let workspace: TestWorkspace;
  let agentId: string;
  /** The connections of the test, in their order. */
  const sockets: { url: string; socket: WebSocket; frames: Record<string, unknown>[] }[] = [];

  beforeAll(async () => {
    server = await listen();
    server.on('connection', (socket, { url = '' }) => {
      const frames: Record<string, unknown>[] = [];
      socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString())));
      sockets.push({ url, socket, frames });
    });
    parley = await TestParley.start({ VOICE_ORIGINS: toOrigin(server) });
    worker = await TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue });
    tap = await WireTap.on(parley, [{ exchange: parley.topology.commands, routingKey: WORKER_ID }]);
  });
  afterAll(async () => {
    await tap.close();
    await worker.stop();
    close(server);
    await parley.stop();
  });
  beforeEach(async () => {
    sockets.length = 0;
    workspace = await parley.workspace();
    await workspace.api.post('/api/tools', BOOK);
    agentId = await createAgent(workspace, { actions: ['book_table'] });
  });

  const LEAVES = { name: 'leaves', person: { lines: [] }, checks: [{ ended: { by: 'user' } }] };
  const WAITS = { ...LEAVES, name: 'waits', person: { lines: [{ silence: 60 }] } };
  const take = async () => (await worker.offerTo(agentId)).take();
  const report = (call: TakenCall, url = `${toOrigin(server)}/${call.conversationId}`) =>
    call.joinable({ url });
  /** The connection of the person, who has said that it writes. */
  const joined = async (count = 1) => {
    const connection = await until(() =>
      sockets[count - 1]?.frames.length ? sockets[count - 1] : undefined,
    );
    const send = (frame: unknown) => connection.socket.send(JSON.stringify(frame));
    const says = (text: string) => {
      send({ event: 'transcript', speaker: 'agent', text, final: true });
      send({ event: 'state', state: 'listening' });
    };
    return {
      ...connection,
      send,
      says,
      hears: (event: string) => until(() => connection.frames.some((frame) => frame.event === event)),
    };
  };
  const askTool = (call: TakenCall, name: string, key: string, people: unknown) =>
    fetch(`${parley.url}/api/calls/${call.conversationId}/tools/${name}`, {
      ...{ method: 'POST', body: JSON.stringify({ arguments: { people } }) },
      headers: {
        authorization: `Bearer ${call.api.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
    });
  const status = async (call: TakenCall) => {
    const [row] = await parley.sql<{ status: string }>('SELECT status FROM rehearsal_results WHERE id = $1', [
      call.conversationId,
    ]);
    return row?.status;
  };
  /** A runtime that is hung up on, and ends. Until then, the rehearsal is not offered again. */
  const hungUp = async (call: TakenCall, attempt: number) => {
    await until(() => tap.of(call.conversationId).length === attempt);
    expect(await status(call)).toBe('playing');
    await call.ended({ disconnect_reason: 'cancelled', disconnected_by: 'system' });
  };
  const queuedAgain = (call: TakenCall) => until(async () => (await status(call)) !== 'playing');

  test('answers the tools with the mocks, once for a key, and has the reports of the runtime', async () => {
    const results = [{ variable: 'seat', pointer: '/table' }];
    await workspace.api.post('/api/tools', { ...BOOK, name: 'book_seat', results });
    await workspace.api.put(`/api/agents/${agentId}`, {
      ...{ type: 'inbound', actions: ['book_table', 'book_seat'] },
    });
    const tools = [
      { name: 'book_table', match: { people: 2 }, times: 1, answer: { table: 7 } },
      { name: 'book_table', match: { people: 3 }, fail: 'It is full.' },
      { name: 'book_seat', answer: { table: 8 } },
    ];
    const checks = [
      { variable: { name: 'table', equals: '7' } },
      { variable: { name: 'seat', equals: '8' } },
      { outcome: 'booked' },
    ];
    const path = await start(workspace, agentId, [{ ...LEAVES, tools, checks }]);
    const call = await take();
    await report(call);
    const { send } = await joined();
    const ask = async (key: string, people: unknown) => {
      const answer = await askTool(call, 'book_table', key, people);
      const { data, error_code } = (await answer.json()) as {
        data?: { state: string; result: unknown; error: string; repeated: boolean };
        error_code?: string;
      };
      return data ? [data.state, data.result, data.error, data.repeated] : error_code;
    };

    expect(await ask('a', 2)).toEqual(['done', { table: 7 }, null, false]);
    expect(await ask('a', 2)).toEqual(['done', { table: 7 }, null, true]);
    expect(await ask('b', 3)).toEqual(['failed', null, 'It is full.', false]);
    expect(await ask('c', 2)).toEqual(['failed', null, 'The rehearsal has no answer for it.', false]);
    expect(await ask('d', 'two')).toBe('TOOL_ARGUMENTS_INVALID');
    const variables = async (name: string, key: string) => {
      const { data } = (await (await askTool(call, name, key, 2)).json()) as { data: { variables: object } };
      return data.variables;
    };
    expect(await variables('book_table', 'a')).toEqual({});
    expect(await variables('book_seat', 'e')).toEqual({ seat: '8' });
    expect(await variables('book_seat', 'e')).toEqual({ seat: '8' });
    send({ event: 'ended', reason: 'agent_hangup' });
    await call.ended({ disconnect_reason: 'agent_hangup', disconnected_by: 'agent', outcome: 'booked' });
    await call.report(MESSAGE_TYPES.analyzed, { fields: { table: 7, llm_tokens: 12 } });

    const run = await ended(workspace, path);
    expect(run).toMatchObject({ tokens: 12, results: [{ failed: [{ check: 'tool_closed' }] }] });
    expect((await workspace.api.get(`${path}/results/leaves/1`)).body.data).toMatchObject({
      ...{
        end: { reason: 'agent_hangup', by: 'agent' },
        variables: { table: '7', seat: '8' },
        outcome: 'booked',
      },
    });
    expect(await said(workspace, path, 'leaves')).toEqual([
      'tool: book_table',
      'tool: book_table',
      'tool: book_table',
      'tool: book_seat',
    ]);
    expect((await workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
  });

  test('answers the tools of what is played: of a version, and of fields that are stored in none', async () => {
    await workspace.api.post('/api/tools', { ...BOOK, name: 'cancel_table' });
    const update = { type: 'inbound', actions: ['cancel_table'] };
    const rehearsals = [
      { ...LEAVES, tools: ['cancel_table', 'book_table'].map((name) => ({ name, answer: 1 })) },
    ];
    const runs = `/api/agents/${agentId}/rehearsal-runs`;
    const playNext = async () => {
      const offer = await worker.offerTo(agentId);
      const [tool] = offer.start.tools;
      const call = await offer.take();
      return [tool?.name, (await askTool(call, tool?.name ?? '', 'a', 2)).status];
    };

    await workspace.api.post(runs, { ...MODE, rehearsals, fields: update });
    expect(await playNext()).toEqual(['cancel_table', 200]);
    await workspace.api.put(`/api/agents/${agentId}`, update);
    await workspace.api.post(runs, { ...MODE, rehearsals, against: 1 });
    expect([await playNext(), await playNext()].sort()).toEqual([
      ['book_table', 200],
      ['cancel_table', 200],
    ]);
  });

  test('takes the first address that a runtime reports, and shows it nowhere', async () => {
    const path = await start(workspace, agentId, [LEAVES]);
    const call = await take();
    await report(call);
    await joined();
    await report(call, `${toOrigin(server)}/second`);
    const { says, hears, socket } = await joined();
    says('Good day.');
    await hears('stop');
    await until(() => socket.readyState === socket.CLOSED);
    await call.ended();

    expect(await ended(workspace, path)).toMatchObject({ status: 'passed' });
    expect(sockets.map(({ url }) => url)).toEqual([`/${call.conversationId}`]);
    const shown = await Promise.all(
      ['', '/results/leaves/1', '/report'].map((end) => workspace.api.get(path + end)),
    );
    expect(JSON.stringify(shown.map(({ body }) => body as unknown))).not.toContain(toOrigin(server));
  });

  test('leaves when the run is cancelled, and does not join later', async () => {
    const path = await start(workspace, agentId, [WAITS, { ...WAITS, name: 'later' }]);
    const [call, other] = [await take(), await take()];
    await report(call);
    const { says, hears, socket } = await joined();
    says('Good day.');
    await workspace.api.post(`${path}/cancel`);
    await report(other);
    await hears('stop');
    await until(() => socket.readyState === socket.CLOSED);

    expect(await ended(workspace, path)).toMatchObject({ status: 'cancelled' });
    expect(sockets).toHaveLength(1);
  });

  test('joins no private address that the operator has not named', async () => {
    const other = await listen();
    const connected: unknown[] = [];
    other.on('connection', (socket) => connected.push(socket));
    const path = await start(workspace, agentId, [LEAVES]);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const call = await take();
      await report(call, `${toOrigin(other)}/voice`);
      await hungUp(call, attempt);
      await queuedAgain(call);
    }

    expect(await ended(workspace, path)).toMatchObject({
      results: [{ status: 'error', error: 'JOIN_FAILED' }],
    });
    expect(connected).toEqual([]);
    close(other);
  });

  test.each<[string, (socket: WebSocket) => void]>([
    ['no JSON', (socket) => socket.send('x')],
    ['without an event', (socket) => socket.send('[]')],
    ['with an unknown state', (socket) => socket.send('{"event":"state","state":"gone"}')],
    ['that is binary', (socket) => socket.send(Buffer.from('{"event":"ready"}'))],
    ['that is too large', (socket) => socket.send(JSON.stringify({ event: 'x'.repeat(65_537) }))],
    [
      'that is the last of too much',
      (socket) => {
        for (let count = 0; count < 20; count += 1)
          socket.send(JSON.stringify({ event: 'x'.repeat(60_000) }));
      },
    ],
    ['that never comes', (socket) => socket.terminate()],
  ])('leaves a runtime because of a frame %s', async (_, send) => {
    const path = await start(workspace, agentId, [WAITS]);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const call = await take();
      await report(call);
      send((await joined(attempt)).socket);
      await hungUp(call, attempt);
      await queuedAgain(call);
    }

    expect(await ended(workspace, path)).toMatchObject({
      results: [{ status: 'error', error: 'JOIN_FAILED' }],
    });
    await until(() => sockets.every(({ socket }) => socket.readyState === socket.CLOSED));
  });

  test('that was killed is followed by another one, once', async () => {
    const path = await start(workspace, agentId, [LEAVES]);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const call = await take();
      // The process that took the address is gone, and the runtime heard a lost connection.
      await parley.sql('UPDATE rehearsal_results SET joined_at = now() WHERE id = $1', [call.conversationId]);
      await call.ended();
      await until(async () => {
        await parley.sql(
          `UPDATE rehearsal_results SET heartbeat_at = heartbeat_at - interval '1 hour' WHERE id = $1 AND over_at IS NOT NULL`,
          [call.conversationId],
        );
        return (await status(call)) !== 'playing';
      });
    }

    expect(await ended(workspace, path)).toMatchObject({ results: [{ status: 'error', error: 'NO_FACTS' }] });
  });

  test('joins four calls of a workspace at once', async () => {
    await start(
      workspace,
      agentId,
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...LEAVES, name })),
    );
    const calls = [await take(), await take(), await take(), await take()];
    const [{ count } = { count: '' }] = await parley.sql<{ count: string }>(
      `SELECT count(*) FROM rehearsal_results WHERE status = 'queued' AND workspace_id = $1`,
      [workspace.workspaceId],
    );
    expect(count).toBe('1');
    await calls[0]?.failed({ disconnect_reason: 'dial_no_answer' });
    await take();
  });

  test('is refused what it cannot do in writing', async () => {
    const { api } = workspace;
    const path = `/api/agents/${agentId}`;
    const cuts = { interrupts: { after_ms: 500, say: 'No.' } };
    const checks = [{ turns: 3 }, { ended: { by: 'user' } }, { judge: 'It was polite.' }];
    const rehearsals = [
      { ...LEAVES, checks },
      { ...LEAVES, name: 'b', person: { lines: [{ say: 'Yes.' }, { say: 'No.', ...cuts }], ...cuts } },
      { ...LEAVES, name: 'c', person: { persona: 'You are Ada.' } },
    ];
    expect(await outcome(api.post(`${path}/rehearsal-runs`, { ...MODE, rehearsals }))).toEqual(
      invalid(
        'body.rehearsals.0.checks.2',
        'body.rehearsals.1.person.interrupts',
        'body.rehearsals.1.person.lines.1.interrupts',
        'body.rehearsals.2.person.persona',
      ),
    );
    await api.post(`${path}/rehearsals`, { ...LEAVES, checks });
    const { body } = await api.post(`${path}/rehearsal-runs`, MODE);
    expect(body.errors).toEqual([
      { field: 'body.mode', message: 'mode cannot be joined: leaves has checks.2' },
    ]);
  });
});
