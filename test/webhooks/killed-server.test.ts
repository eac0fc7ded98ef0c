import { JWT_SECRET, TestParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

describe('A webhook whose server is killed in the middle of an attempt', () => {
  /** Takes the requests of the test and leaves the work to others. */
  let front: TestParley;
  /** Started last: Passport keeps one set of strategies a process, that of the latest application. */
  let next: TestParley | undefined;
  let killed: ServerProcess | undefined;
  let receiver: WebhookReceiver;

  const settings = { ALLOW_PRIVATE_ADDRESSES: 'true', JOB_LEASE_SECONDS: '1' };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    front = await TestParley.start({ ROLES: 'http' });
  });
  afterAll(async () => {
    await killed?.kill();
    await next?.stop({ keepDatabase: true });
    await front.stop();
    await receiver.stop();
  });

  test('is sent again by the next one, and given back where that one stops', async () => {
    const webhooks = new Webhooks((await front.workspace()).api);
    receiver.hold('/');
    const id = await webhooks.sendTestEvent(receiver.url('/'));
    killed = await ServerProcess.start({
      DATABASE_URL: front.database.url,
      ROLES: 'http,background',
      JWT_SECRET,
      LOG_LEVEL: 'warn',
      ...settings,
    });
    await until(() => receiver.holding === 1);
    await killed.kill();
    killed = undefined;
    expect(await webhooks.delivery(id)).toMatchObject({
      status: 'pending',
      attempts: [{ number: 1, duration_ms: null, status_code: null, error: null }],
    });
    // As if the time that an attempt may take were over.
    await front.sql('UPDATE webhook_deliveries SET leased_until = now()');

    next = await TestParley.start(settings, front.database);
    await until(() => receiver.holding === 2);
    await next.stop({ keepDatabase: true });
    next = undefined;

    expect(receiver.at('/').map((webhook) => webhook.id)).toEqual([id, id]);
    expect(
      await front.sql('SELECT status, attempts, failures, leased_until FROM webhook_deliveries'),
    ).toEqual([{ status: 'pending', attempts: 2, failures: 0, leased_until: null }]);
    expect(await front.sql('SELECT number, error FROM webhook_attempts ORDER BY number')).toEqual([
      { number: 1, error: null },
      { number: 2, error: 'the server stopped before the answer' },
    ]);
    const jobs = await front.sql<{ key: string }>(
      `SELECT payload->>'orderingKey' AS key FROM graphile_worker._private_jobs WHERE is_available`,
    );
    expect(jobs).toEqual([{ key: id }]);
  });
});
