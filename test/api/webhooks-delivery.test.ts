import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { TestWorker } from '../support/worker';

const seconds = (from: string, to: string | null) => (Date.parse(to ?? '') - Date.parse(from)) / 1_000;

const DAY = 86_400;

describe('A webhook delivery', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true', WEBHOOK_CONCURRENCY: '50' });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  let webhooks: Webhooks;
  let calls: AgentCalls;
  let paths = 0;
  /** Each test has a new one. */
  let path: string;

  beforeAll(async () => {
    workspace = await parley.workspace();
    webhooks = new Webhooks(workspace.api);
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
  });
  beforeEach(() => {
    path = `/${paths++}`;
  });

  const sendTestEvent = () => webhooks.sendTestEvent(receiver.url(path));

  /** A connected call whose `call.started` was sent. */
  async function connectedCall() {
    const id = await calls.start({ webhook_url: receiver.url(path) });
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    const started = await until(async () => (await webhooks.ofCall(id))[0]);
    await webhooks.tried(started.delivery_id);
    return { id, call, startedId: started.delivery_id };
  }

  /**
   * Runs the waiting job of a delivery now. The job is added a moment after the attempt has ended, unless the running job
   * finds the delivery due again and makes the next attempt itself.
   */
  const runWaitingJob = (id: string) =>
    until(async () => {
      const moved = await parley.sql(
        `UPDATE graphile_worker._private_jobs SET run_at = now()
         WHERE payload->>'orderingKey' = $1 AND locked_at IS NULL AND run_at > now() RETURNING id`,
        [id],
      );
      const settled = await parley.sql(
        `SELECT FROM webhook_deliveries WHERE id = $1 AND status <> 'pending'`,
        [id],
      );
      return moved.length > 0 || settled.length > 0;
    });

  const receivedTypes = () => receiver.at(path).map(({ payload }) => (payload as { type: string }).type);

  test('sends a request that the Standard Webhooks library verifies', async () => {
    const id = await sendTestEvent();

    const delivery = await webhooks.tried(id);
    const [webhook] = receiver.at(path);
    webhook?.verifyWith(await webhooks.secret());
    expect(webhook?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Parley/1.0',
      'webhook-id': id,
    });
    expect(webhook?.payload).toEqual({
      type: 'webhook.test',
      timestamp: delivery.created_at,
      event_id: delivery.event_id,
      data: { message: expect.any(String) as string },
    });
    expect(delivery).toEqual({
      delivery_id: id,
      event_id: expect.any(String) as string,
      endpoint_id: null,
      type: 'webhook.test',
      conversation_id: null,
      url: receiver.url(path),
      status: 'delivered',
      created_at: expect.any(String) as string,
      attempt_count: 1,
      last_status_code: 204,
      given_up_at: null,
      dismissed_at: null,
      last_error: null,
      next_attempt_at: null,
      payload: webhook?.payload as object,
      attempts: [
        {
          number: 1,
          started_at: expect.any(String) as string,
          duration_ms: expect.any(Number) as number,
          status_code: 204,
          error: null,
          answer: { headers: expect.objectContaining({ connection: 'close' }) as unknown, body: '' },
        },
      ],
    });
  });

  test('waits for older deliveries of its call, and a replay sends those at once', async () => {
    receiver.answer(path, answeringStatus(500), answeringStatus(503), answeringStatus(204));
    const { id, call, startedId } = await connectedCall();
    await call.ended();
    const ended = await until(async () => (await webhooks.ofCall(id))[1]);
    expect(ended).toMatchObject({ type: 'call.ended', status: 'pending', attempt_count: 0 });

    await webhooks.replay(ended.delivery_id);
    await webhooks.tried(startedId, 2);
    expect(receivedTypes()).toEqual(['call.started', 'call.started']);

    await webhooks.replay(ended.delivery_id);
    await webhooks.tried(ended.delivery_id);
    expect(receivedTypes()).toEqual(['call.started', 'call.started', 'call.started', 'call.ended']);
    expect(await webhooks.ofCall(id)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
  });

  test('is sent after the retries of an older delivery of its call have ended', async () => {
    receiver.answer(path, answeringStatus(404), answeringStatus(204));
    const { id, call } = await connectedCall();
    await call.ended();

    await until(() => receiver.at(path).length === 2);
    expect(receivedTypes()).toEqual(['call.started', 'call.ended']);
    await until(async () => (await webhooks.ofCall(id))[1]?.status === 'delivered');
    expect((await webhooks.ofCall(id))[0]).toMatchObject({
      status: 'failed',
      last_status_code: 404,
      last_error: 'it answers with status 404',
      next_attempt_at: null,
    });
  });

  test('is retried with the same id and body, and a new timestamp and signature', async () => {
    const broken = (response: ServerResponse) => void response.writeHead(500).end('out of \0 disk');
    receiver.answer(path, broken, answeringStatus(204));
    const id = await sendTestEvent();
    const failed = await webhooks.tried(id);
    expect(failed).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      last_status_code: 500,
      last_error: 'it answers with status 500',
    });
    const [attempt] = failed.attempts;
    expect(seconds(attempt?.started_at ?? '', failed.next_attempt_at)).toBeGreaterThanOrEqual(5);
    expect(seconds(attempt?.started_at ?? '', failed.next_attempt_at)).toBeLessThan(30);

    await parley.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = $1`, [id]);
    await runWaitingJob(id);

    expect(await webhooks.tried(id, 2)).toMatchObject({
      status: 'delivered',
      attempts: [
        { number: 1, status_code: 500, answer: { body: 'out of \uFFFD disk' } },
        { number: 2, status_code: 204, error: null, answer: { body: '' } },
      ],
    });
    const [first, second] = receiver.at(path);
    expect(second).toMatchObject({ id, body: first?.body });
    second?.verifyWith(await webhooks.secret());
  });

  test.each([
    ['in seconds', () => '120'],
    ['as a date', () => new Date(Date.now() + 120_000).toUTCString()],
  ])('is not retried before a Retry-After %s', async (_, header) => {
    receiver.answer(path, answeringStatus(429, { 'retry-after': header() }));

    const { attempts, next_attempt_at } = await webhooks.tried(await sendTestEvent());

    const pause = seconds(attempts[0]?.started_at ?? '', next_attempt_at);
    expect(pause).toBeGreaterThan(118);
    expect(pause).toBeLessThan(180);
  });

  test('has its last attempt 24 hours after its event, also if Retry-After is later', async () => {
    receiver.answer(path, answeringStatus(503, { 'retry-after': '999999' }));
    const id = await sendTestEvent();
    const failed = await webhooks.tried(id);
    expect(seconds(failed.created_at, failed.next_attempt_at)).toBe(DAY);

    const countGivenUp = async () => {
      const metrics = await (await fetch(`${parley.url}/metrics`)).text();
      return Number(/^webhook_attempts_total\{result="failed"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const givenUp = await countGivenUp();
    // Simulates the end of the 24 hours.
    await parley.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = now(), give_up_at = now() WHERE id = $1`,
      [id],
    );
    await runWaitingJob(id);

    expect(await webhooks.tried(id, 2)).toMatchObject({ status: 'failed', next_attempt_at: null });
    await until(async () => (await countGivenUp()) === givenUp + 1);

    // A replay is retried for another day.
    const replayedAt = new Date().toISOString();
    await webhooks.replay(id);
    const replayed = await webhooks.tried(id, 3);
    expect(replayed).toMatchObject({ status: 'pending', attempt_count: 3 });
    expect(seconds(replayedAt, replayed.next_attempt_at)).toBeGreaterThan(DAY - 60);
  });

  test('is retried for an hour if it waited 24 hours for an older delivery of its call', async () => {
    receiver.answer(path, answeringStatus(500), answeringStatus(404), answeringStatus(503));
    const { id, call, startedId } = await connectedCall();
    await call.ended();
    const ended = await until(async () => (await webhooks.ofCall(id))[1]);
    await parley.sql(`UPDATE webhook_deliveries SET give_up_at = now() WHERE id = $1`, [ended.delivery_id]);

    await webhooks.replay(startedId);

    expect(await webhooks.tried(ended.delivery_id)).toMatchObject({
      status: 'pending',
      last_status_code: 503,
    });
  });

  test('does not delay other deliveries of its call when it is replayed after its end', async () => {
    const { call, startedId } = await connectedCall();
    receiver.answer(path, answeringStatus(500), answeringStatus(204));
    await webhooks.replay(startedId);
    expect(await webhooks.tried(startedId, 2)).toMatchObject({ status: 'pending', attempt_count: 2 });

    await call.ended();

    await until(() => receiver.at(path).length === 3);
    expect(receivedTypes()).toEqual(['call.started', 'call.started', 'call.ended']);
    const [first, second] = receiver.at(path);
    expect(second).toMatchObject({ id: startedId, body: first?.body });
  });

  test('can be replayed by several requests at once after its end', async () => {
    const { id: callId, startedId } = await connectedCall();

    const client = new Client(parley.database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [startedId]);
    const replays = Promise.all(Array.from({ length: 3 }, () => webhooks.replay(startedId)));
    await until(async () => {
      const waiting = await parley.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 3;
    });
    await client.end();
    await replays;

    await until(() => receiver.at(path).length > 1);
    expect(await webhooks.ofCall(callId)).toMatchObject([{ delivery_id: startedId }]);
  });

  test('can be replayed at the same time as other deliveries of its call', async () => {
    receiver.answer(path, answeringStatus(500));
    const { id: callId, call, startedId } = await connectedCall();
    await call.ended();
    const ended = await until(async () => (await webhooks.ofCall(callId))[1]);

    const ids = Array.from({ length: 24 }, (_, index) => (index % 2 ? startedId : ended.delivery_id));
    await Promise.all(ids.map((id) => webhooks.replay(id)));

    expect(await webhooks.ofCall(callId)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  });

  test('has one attempt in progress and one waiting job, however often it is replayed', async () => {
    receiver.hold(path);
    const id = await sendTestEvent();
    await until(() => receiver.holding === 1);
    await Promise.all(Array.from({ length: 24 }, () => webhooks.replay(id)));

    // All jobs have run, and one is rescheduled for the end of the lease.
    await until(async () => {
      const jobs = await parley.sql<{ waits: boolean }>(
        `SELECT run_at > now() + interval '10 seconds' AS waits FROM graphile_worker._private_jobs
         WHERE payload->>'orderingKey' = $1 ORDER BY id`,
        [id],
      );
      return jobs.length === 2 && jobs[1]?.waits;
    });
    expect(receiver.holding).toBe(1);
    receiver.release(path);
    expect(await webhooks.tried(id)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test.each([410, 503])(
    'that is replayed during an attempt is retried at once when the answer is %i',
    async (status) => {
      receiver.hold(path);
      const id = await sendTestEvent();
      await until(() => receiver.holding === 1);
      await webhooks.replay(id);

      receiver.release(path, status);

      expect(await webhooks.tried(id, 2)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    },
  );

  test('does not wait for the slow receivers of other workspaces', async () => {
    const EVENTS = 12;
    const webhooksOfNewWorkspace = async () => new Webhooks((await parley.workspace()).api);
    const addSlowWorkspace = async () => {
      const slow = await webhooksOfNewWorkspace();
      await Promise.all(Array.from({ length: EVENTS }, () => slow.sendTestEvent(receiver.url(path))));
    };
    receiver.hold(path);

    await addSlowWorkspace();
    // The number is the maximum of one workspace.
    await until(() => receiver.holding === 10);
    await Promise.all(Array.from({ length: 4 }, addSlowWorkspace));
    // Each of the five workspaces has as many attempts as are still free.
    await until(() => receiver.holding >= 42);
    const quick = await webhooksOfNewWorkspace();
    const id = await quick.sendTestEvent(receiver.url('/quick'));

    expect(await quick.tried(id)).toMatchObject({ status: 'delivered' });
    expect(receiver.holding).toBeLessThanOrEqual(45);
    receiver.release(path);
    await until(() => receiver.at(path).length === 5 * EVENTS);
  });
});
