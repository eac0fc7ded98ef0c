import { Client } from 'pg';
import { JWT_SECRET, TestParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

describe('When its server fails, a webhook delivery', () => {
  /** This server receives the requests of the tests, and runs no jobs. */
  let front: TestParley;
  let webhooks: Webhooks;
  let server: ServerProcess | undefined;
  /**
   * This server is started last: Passport has one set of strategies for each process, that of the newest
   * application.
   */
  let next: TestParley | undefined;
  let receiver: WebhookReceiver;

  const settings = { ALLOW_PRIVATE_ADDRESSES: 'true', JOB_LEASE_SECONDS: '1' };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    front = await TestParley.start({ ROLES: 'http' });
    webhooks = new Webhooks((await front.workspace()).api);
    server = await ServerProcess.start({
      DATABASE_URL: front.database.url,
      ROLES: 'http,background',
      JWT_SECRET,
      LOG_LEVEL: 'warn',
      WEBHOOK_CONCURRENCY: '1',
      ...settings,
    });
  });
  afterAll(async () => {
    await server?.kill();
    await next?.stop({ keepDatabase: true });
    await front.stop();
    await receiver.stop();
  });

  test('completes its job on another connection if the first one is lost', async () => {
    receiver.hold('/lost');
    const id = await webhooks.sendTestEvent(receiver.url('/lost'));
    await until(() => receiver.holding === 1);
    const client = new Client(front.database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM graphile_worker._private_jobs FOR UPDATE');
    receiver.release('/lost');
    await webhooks.tried(id);

    await until(async () => {
      const terminated = await front.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'parley jobs' AND datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return terminated.length > 0;
    });
    await client.end();

    await until(async () => (await front.sql('SELECT FROM graphile_worker._private_jobs')).length === 0);
    await webhooks.tried(await webhooks.sendTestEvent(receiver.url('/lost')));
  });

  test('causes no MaxListenersExceededWarning at full concurrency', async () => {
    receiver.hold('/all');
    const id = await webhooks.sendTestEvent(receiver.url('/all'));
    await until(() => receiver.holding === 1);
    receiver.release('/all');
    await webhooks.tried(id);

    expect(server?.output).not.toContain('MaxListenersExceededWarning');
  });

  test('is sent by the next server after a kill, and released when that one stops', async () => {
    receiver.hold('/');
    const id = await webhooks.sendTestEvent(receiver.url('/'));
    await until(() => receiver.holding === 1);
    await server?.kill();
    server = undefined;
    expect(await webhooks.delivery(id)).toMatchObject({
      status: 'pending',
      attempts: [{ number: 1, duration_ms: null, status_code: null, error: null }],
    });
    // Simulates the end of the lease.
    await front.sql('UPDATE webhook_deliveries SET leased_until = now() WHERE leased_until IS NOT NULL');

    next = await TestParley.start(settings, front.database);
    await until(() => receiver.holding === 2);
    await next.stop({ keepDatabase: true });
    next = undefined;

    expect(receiver.at('/').map((webhook) => webhook.id)).toEqual([id, id]);
    expect(
      await front.sql('SELECT status, failures, leased_until FROM webhook_deliveries WHERE id = $1', [id]),
    ).toEqual([{ status: 'pending', failures: 0, leased_until: null }]);
    expect(
      await front.sql('SELECT number, error FROM webhook_attempts WHERE delivery_id = $1 ORDER BY 1', [id]),
    ).toEqual([
      { number: 1, error: null },
      { number: 2, error: 'the server stopped before the answer' },
    ]);
    const waiting = await front.sql<{ key: string }>(
      `SELECT payload->>'orderingKey' AS key FROM graphile_worker._private_jobs WHERE is_available`,
    );
    expect(waiting).toEqual([{ key: id }]);
  });
});
