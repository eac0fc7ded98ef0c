import { createAgent } from '../../support/agents';
import { Balancer, PATIENT } from '../../support/balancer';
import { ApiClient } from '../../support/client';
import { JWT_SECRET, TestParley } from '../../support/parley';
import { rabbitmqUrl } from '../../support/rabbitmq';
import { ServerProcess } from '../../support/server-process';
import { until } from '../../support/until';
import { useStarted } from '../../support/use-started';

describe('A server that was told to stop', () => {
  const parley = useStarted(() => TestParley.start({ RABBITMQ_URL: rabbitmqUrl ?? '' }));
  const running = new Set<ServerProcess>();
  afterEach(async () => {
    for (const server of running) await server.kill();
    running.clear();
  });

  async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await ServerProcess.start({
      DATABASE_URL: parley.database.url,
      RABBITMQ_URL: rabbitmqUrl ?? '',
      BROKER_PREFIX: parley.topology.calls.replace(/\.calls$/, ''),
      ROLES: 'http,background',
      JWT_SECRET,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '2',
      ...settings,
    });
    running.add(server);
    return server;
  }

  test('is not ready at once, ends its streams, and serves requests until the drain is over', async () => {
    const server = await start({ DRAIN_SECONDS: '5' });
    const { apiKey } = await parley.workspace();
    const api = server.api.with({ 'x-api-key': apiKey });
    const stream = await fetch(`${server.url}/api/live`, { headers: { 'x-api-key': apiKey } });
    const ended = stream.text();

    const stopped = server.stop();
    await until(async () => (await server.api.get('/health/ready')).status === 503);
    await ended;
    expect((await server.api.get('/health/live')).status).toBe(200);
    const { status, headers } = await api.get('/api/agents');
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await stopped).toBe(0);
  });

  test('ends at once after Ctrl-C', async () => {
    const server = await start({ DRAIN_SECONDS: '20' });
    const isReady = () =>
      fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } }).then(
        ({ status }) => status === 200,
        () => undefined,
      );
    process.kill(server.pid, 'SIGINT');
    const answers: (boolean | undefined)[] = [];
    await until(async () => answers.push(await isReady()) > 0 && answers.at(-1) === undefined);
    // A server that drains still listens, and says that it is not ready.
    expect(answers).not.toContain(false);
  });

  test('fails no request behind a proxy that heeds its readiness, while all servers are restarted', async () => {
    const balancer = await Balancer.start(PATIENT);
    const servers = await Promise.all([start(), start()]);
    for (const [index, { url }] of servers.entries()) balancer.add(String(index), url);
    const areReady = () => servers.every((_, index) => balancer.isReady(String(index)));
    await until(areReady);
    const workspace = await parley.workspace({ credits: 100_000 });
    const path = `/api/agents/${await createAgent(workspace)}/calls`;
    const client = new ApiClient(balancer.url).with({ 'x-api-key': workspace.apiKey });
    const answers = new Map<number, number>();
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await client.post(path, { to_number: '+15551234567' });
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    });

    for (const [index, server] of servers.entries()) {
      expect(await server.stop()).toBe(0);
      running.delete(server);
      balancer.add(String(index), (await start()).url);
      await until(areReady);
    }
    isOver = true;
    await Promise.all(load);
    await balancer.stop();
    expect([...answers.keys()]).toEqual([200]);
  });
});
