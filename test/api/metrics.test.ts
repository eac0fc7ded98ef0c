import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { drainApp } from '../../src/app/app';
import { CONFIG, type Config } from '../../src/config';
import { MonitoringServer } from '../../src/platform/monitoring/monitoring-server';
import { VerificationLoopModule } from '../../src/features/verification/verification-loop.module';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { QUEUED_CALLS, readMetric, readMetricLines } from '../support/metrics';
import { TestParley, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { WebhookReceiver } from '../support/webhook-receiver';
import { TestWorker } from '../support/worker';

const deploy = join(__dirname, '..', '..', 'deploy');

/** The expressions of the alerts and of the panels. */
function readExpressions(): string[] {
  const rules = readFileSync(join(deploy, 'prometheus', 'parley.rules.yml'), 'utf8');
  const panels = readdirSync(join(deploy, 'grafana')).map((file) =>
    readFileSync(join(deploy, 'grafana', file), 'utf8'),
  );
  return [
    ...[...rules.matchAll(/^ *expr: '(.*)'$/gm)].map(([, expression]) => expression as string),
    ...panels.flatMap((text) =>
      [...text.matchAll(/"expr": (".*")/g)].map(([, literal]) => JSON.parse(literal as string) as string),
    ),
  ];
}

/** The metrics of an expression, each with the labels by which it is grouped. */
function readMetrics(expression: string): { name: string; labels: string[] }[] {
  const labels = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
  const bare = expression
    .replaceAll(/ *\bby \([^)]*\) *|\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\w+\(/g, ' ');
  const names = bare.match(/[a-z][a-z_]+/g) ?? [];
  return names.map((name) => ({ name, labels }));
}

describe('The metrics', () => {
  const parley = useOwnParley({
    ALLOW_PRIVATE_ADDRESSES: 'true',
    HEARTBEAT_SECONDS: '1',
    SWEEP_INTERVAL_MS: '100',
  });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));

  const readValue = (series: string) => readMetric(parley.url, series);

  test('have the calls, their waits and ends, the webhooks, and what every alert and panel needs', async () => {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const id = await calls.start({ webhook_url: receiver.url('/metrics') });
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await call.ended();
    await until(async () => (await readValue('calls_ended_total{reason="user_hangup"}')) === 1);
    await until(async () => (await readValue('webhook_attempts_total{result="delivered"}')) >= 2);
    await parley.app.get(VerificationLoopModule).verify();

    expect(await readValue('call_claim_seconds_count')).toBe(1);
    expect(await readValue('call_connect_seconds_count')).toBe(1);
    await until(async () => (await readValue('webhooks_pending')) === 0);
    expect(await readValue('jobs_failed')).toBe(0);
    expect(await readValue('leases_lost_total')).toBe(0);
    expect(await readValue('database_seconds_since_answer')).toBeLessThan(60);
    const lines = await readMetricLines(parley.url);
    const missing = readExpressions()
      .flatMap(readMetrics)
      .filter(({ name }) => name !== 'up')
      .filter(({ name, labels }) =>
        lines.every(
          (line) =>
            !new RegExp(`^${name}[{ ]`).test(line) || labels.some((label) => !line.includes(`${label}="`)),
        ),
      );
    expect(missing).toEqual([]);
    expect(readExpressions().flatMap(readMetrics).length).toBeGreaterThan(20);
  });

  test('count a call once whose claim is repeated, and a call whose runtime is lost', async () => {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const claims = await readValue('call_claim_seconds_count');
    const id = await calls.start();
    const offer = await worker.findOffer(id);
    const claimId = randomUUID();
    await offer.claim(claimId);
    await offer.claim(claimId);
    expect(await readValue('call_claim_seconds_count')).toBe(claims + 1);

    await parley.sql(`UPDATE conversations SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    await until(async () => (await readValue('leases_lost_total')) === 1);
    expect(await readValue('calls_ended_total{reason="worker_lost"}')).toBe(1);
  });
});

test('A process that starts has the calls in progress of the whole installation', async () => {
  const parley = await TestParley.start({ ROLES: 'http' });
  const workspace = await parley.workspace();
  const calls = new AgentCalls(workspace.api, await createAgent(workspace));
  await calls.start();
  await calls.start();
  const other = await TestParley.start({ ROLES: 'background', MONITORING_PORT: '0' }, parley.database);
  const { port } = other.app.get(MonitoringServer, { strict: false });

  await until(async () => (await readMetric(`http://127.0.0.1:${port}`, QUEUED_CALLS)) === 2);
  expect(await readMetric(parley.url, QUEUED_CALLS)).toBeNaN();

  await other.stop({ keepDatabase: true });
  await parley.stop();
});

describe.each(['http,background', 'background'])(
  'A process with MONITORING_PORT and the roles %s',
  (ROLES) => {
    const parley = useOwnParley({ ROLES, MONITORING_PORT: '0' });
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${parley.app.get(MonitoringServer, { strict: false }).port}${path}`);

    test('has its metrics and probes on that port, and nothing else', async () => {
      expect(await (await get('/health/live')).json()).toEqual({ status: 200, message: 'Live' });
      const ready = await get('/health/ready');
      expect([ready.status, await ready.json()]).toEqual([
        200,
        {
          status: 200,
          message: 'Ready',
          data: { database: { state: 'up' }, broker: { kind: 'in-process', state: 'up' } },
        },
      ]);
      const metrics = await get('/metrics');
      expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
      expect(await metrics.text()).toContain('process_cpu_seconds_total ');
      expect((await get('/api/agents')).status).toBe(404);
    });

    test('has no metrics on PORT, and names no part in the answer of its probe', async () => {
      const { status, body } = await parley.api.get('/metrics');
      expect([status, body.error_code]).toEqual([404, 'ROUTE_NOT_FOUND']);
      expect((await parley.api.get('/health/ready')).body).toEqual({ status: 200, message: 'Ready' });
      expect((await parley.api.get('/health/live')).status).toBe(200);
    });

    test('is not ready as soon as it is told to stop', async () => {
      await drainApp(parley.app, parley.app.get<Config>(CONFIG));
      expect((await get('/health/ready')).status).toBe(503);
      expect((await get('/health/live')).status).toBe(200);
    });
  },
);

describe('An address that sends more requests to MONITORING_PORT than PUBLIC_REQUESTS_PER_MINUTE', () => {
  const parley = useOwnParley({ MONITORING_PORT: '0', PUBLIC_REQUESTS_PER_MINUTE: '5' });

  test('gets 429', async () => {
    const { port } = parley.app.get(MonitoringServer, { strict: false });
    const statuses: number[] = [];
    for (let request = 0; request < 6; request += 1)
      statuses.push((await fetch(`http://127.0.0.1:${port}/metrics`)).status);

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('Requests that are pipelined to MONITORING_PORT', () => {
  const parley = useOwnParley({ MONITORING_PORT: '0' });

  test('are cut with their connection if too many wait', async () => {
    const { port = 0 } = parley.app.get(MonitoringServer, { strict: false });
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.resume().write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(40));

    await until(() => socket.closed);
  });
});
