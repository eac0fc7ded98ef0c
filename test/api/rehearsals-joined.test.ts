import { type Call, CallFailed, type CallResult, createWorker, type Worker } from '@parley/worker';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { BrokerTransport } from '../../src/tools/broker-transport/broker-transport';
import { createAgent } from '../support/agents';
import { TestParley, type TestWorkspace } from '../support/parley';
import { silentLogger } from '../support/silent-logger';
import { until } from '../support/until';

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

/** A conversation of the small runtime: what it says, by what the person writes. */
type Plays = (call: Call, says: (text: string) => void, text: string) => Promise<CallResult | undefined>;

const HUNG_UP: CallResult = { reason: 'user_hangup', by: 'user' };

/** A runtime of web calls with a WebSocket server of its own, which knows of rehearsals only their queue. */
class SmallRuntime {
  /** The events that came from the person, of all calls. */
  readonly frames: Record<string, unknown>[] = [];
  readonly sockets: WebSocket[] = [];
  /** Says what the address is. */
  toUrl = (own: string) => own;
  /** Says what comes after the words of the person. */
  plays: Plays = () => Promise.resolve(undefined);
  /** Is told of each claim. */
  claimed: (call: Call) => void = () => undefined;

  private constructor(
    private readonly server: WebSocketServer,
    private readonly worker: Worker,
  ) {}

  static async start(parley: TestParley, port: number): Promise<SmallRuntime> {
    const server = new WebSocketServer({ host: '127.0.0.1', port });
    await once(server, 'listening');
    const { broker, topology } = parley;
    const worker: Worker = createWorker(
      {
        transport: new BrokerTransport({ broker, topology }),
        ...{ queue: topology.rehearsalsQueue, workerId: `small ${port}`, name: 'Small', apiUrl: parley.url },
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
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  private async converse(call: Call): Promise<CallResult> {
    this.claimed(call);
    const { port } = this.server.address() as AddressInfo;
    const secret = `/${randomUUID()}`;
    const joined = new Promise<WebSocket>((resolve) =>
      this.server.on('connection', (socket, { url }) => url === secret && resolve(socket)),
    );
    await call.joinable(this.toUrl(`ws://127.0.0.1:${port}${secret}`), new Date(Date.now() + 60_000));
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
  beforeAll(async () => {
    parley = await TestParley.start({
      ...{ LEASE_SECONDS: '4', HEARTBEAT_SECONDS: '1', VOICE_ORIGINS: 'ws://127.0.0.1:39117' },
    });
    runtime = await SmallRuntime.start(parley, 39_117);
    workspace = await parley.workspace();
    await workspace.api.post('/api/tools', BOOK);
    agentId = await createAgent(workspace, { actions: ['book_table'] });
  });
  afterAll(async () => {
    await runtime.stop();
    await parley.stop();
  });
  beforeEach(() => {
    runtime.frames.length = runtime.sockets.length = 0;
    runtime.toUrl = (own) => own;
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
    expect(Object.keys(starts[0]?.rehearsal ?? {})).not.toEqual(expect.arrayContaining(['person', 'tools']));
  });
});
