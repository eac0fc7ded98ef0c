import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createAgent } from '../support/agents';
import { outcome } from '../support/answers';
import { addPastCalls } from '../support/past-calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

/** A connection that sends requests and reads only on command. */
class RawConnection {
  received = '';
  isClosed = false;
  private readonly socket: Socket;

  constructor(
    url: string,
    private readonly apiKey: string,
  ) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname)
      .on('error', () => undefined)
      .on('close', () => (this.isClosed = true))
      .on('data', (bytes) => (this.received += bytes.toString('latin1')));
  }

  send(path: string, times = 1, method = 'GET'): this {
    const request = `${method} ${path} HTTP/1.1\r\nHost: parley\r\nX-API-Key: ${this.apiKey}\r\n\r\n`;
    this.socket.write(request.repeat(times));
    return this;
  }

  get statuses(): string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status as string);
  }

  close(): void {
    this.socket.destroy();
  }
}

describe('Pipelined requests', () => {
  const parley = useOwnParley();
  const connections: RawConnection[] = [];
  let workspace: TestWorkspace;

  beforeEach(async () => (workspace = await parley.workspace()));
  afterEach(() => connections.splice(0).forEach((connection) => connection.close()));

  const open = () => {
    const connection = new RawConnection(parley.url, workspace.apiKey);
    connections.push(connection);
    return connection;
  };
  const keys = async () => (await workspace.api.get('/api/auth/api-keys')).body.data.length as number;

  test('are answered in their order', async () => {
    const connection = open().send('/api/session').send('/api/none').send('/api/session').send('/api/none');
    await until(() => connection.statuses.length === 4);
    expect(connection.statuses).toEqual(['200', '404', '200', '404']);
  });

  test('are not handled behind a stream, before it ends', async () => {
    const before = await keys();
    const connection = open().send('/api/live').send('/api/auth/api-keys', 3, 'POST');
    await until(() => connection.received.includes('event: counts'));
    // The stream continues: it reports a call that was started after the requests behind it had arrived.
    await workspace.api.post(`/api/agents/${await createAgent(workspace)}/calls`, {
      to_number: '+15551234567',
    });
    await until(() => connection.received.includes('event: call'));
    expect(await keys()).toBe(before);
  });

  test('are cut with their connection if too many wait', async () => {
    const connection = open().send('/api/live').send('/api/session', 40);
    await until(() => connection.isClosed);
    expect(connection.statuses.length).toBeLessThanOrEqual(1);
  });
});

describe('Answers that are not read', () => {
  const parley = useOwnParley();
  const readers: IncomingMessage[] = [];
  afterEach(() => readers.splice(0).forEach((reader) => reader.destroy()));

  /** Sends requests without reading the body of the answer. */
  async function begin({ apiKey }: TestWorkspace, path: string): Promise<IncomingMessage> {
    const request = get(parley.url + path, { headers: { 'x-api-key': apiKey }, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    readers.push(response);
    return response;
  }

  const busy = { status: 503, body: { error_code: 'WORKSPACE_BUSY' } };

  test('stop a workspace from getting others until they are read, and no other workspace', async () => {
    const [workspace, neighbour] = [await parley.workspace(), await parley.workspace()];
    const agentId = await createAgent(workspace);
    await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
    await addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, 'phonecall' AS call_type, 'disconnected' AS status,
              timestamptz '2026-03-01' + n * interval '1 second' AS created_at, 60 AS duration_sec,
              repeat('\u6f22', 20000) AS outcome
       FROM generate_series(1, 100) AS n`,
      [agentId],
    );
    const path = '/api/calls?start_date=2026-03-01&end_date=2026-03-01&limit=100';
    const statuses: (number | undefined)[] = [];
    while (statuses.at(-1) !== 503) statuses.push((await begin(workspace, path)).statusCode);

    // Each answer has 6 MB, of which the network keeps some.
    expect(statuses.length).toBeGreaterThan(5);
    expect(statuses.length).toBeLessThan(40);
    expect(await outcome(workspace.api.get('/api/workspace'))).toMatchObject(busy);
    expect((await neighbour.api.get('/api/agents')).status).toBe(200);

    for (const reader of readers.splice(0)) reader.destroy();
    expect((await workspace.api.get(path)).body.data).toHaveLength(100);
  });

  test('keep the permits of series', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
    await addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, 'phonecall' AS call_type, 'disconnected' AS status,
              timestamptz '2026-03-01' + n * interval '1 second' AS created_at, 60 AS duration_sec,
              n || repeat('o', 40) AS outcome
       FROM generate_series(1, 24) AS n`,
      [agentId],
    );
    const path =
      '/api/reports/calls/series?start_date=2026-01-01&end_date=2026-03-24&interval=hour&group_by=outcome';
    const [first] = await Promise.all([begin(workspace, path), begin(workspace, path)]);

    expect(await outcome(workspace.api.get(path))).toMatchObject(busy);

    first.destroy();
    expect((await workspace.api.get(path)).status).toBe(200);
  });
});
