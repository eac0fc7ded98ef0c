import { DELIVER_WEBHOOKS } from '../../src/webhooks/add-webhook-event.sql';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useParley } from '../support/parley';
import { until } from '../support/until';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { TestWorker } from '../support/worker';

const seconds = (from: string, to: string | null) => (Date.parse(to ?? '') - Date.parse(from)) / 1_000;

const DAY = 86_400;

describe('A webhook', () => {
  const parley = useParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  let receiver: WebhookReceiver;
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let webhooks: Webhooks;
  let calls: AgentCalls;
  let paths = 0;
  /** One for each test. */
  let path: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    worker = await TestWorker.start(parley);
    workspace = await parley.workspace();
    webhooks = new Webhooks(workspace.api);
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
  });
  afterAll(async () => {
    await worker.stop();
    await receiver.stop();
  });
  beforeEach(() => {
    path = `/${paths++}`;
  });

  const sendTestEvent = () => webhooks.sendTestEvent(receiver.url(path));

  /** A call that is connected, and of whose start its address has heard. */
  async function connectedCall() {
    const id = await calls.start({ webhook_url: receiver.url(path) });
    const call = await (await worker.offerOf(id)).take();
    await call.connected();
    const started = await until(async () => (await webhooks.ofCall(id))[0]);
    await webhooks.tried(started.delivery_id);
    return { id, call, startedId: started.delivery_id };
  }

  const receivedTypes = () => receiver.at(path).map(({ payload }) => (payload as { type: string }).type);

  test('is a request that the Standard Webhooks library verifies', async () => {
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
      data: { message: expect.any(String) as string },
    });
    expect(delivery).toEqual({
      delivery_id: id,
      type: 'webhook.test',
      conversation_id: null,
      url: receiver.url(path),
      status: 'delivered',
      created_at: expect.any(String) as string,
      attempt_count: 1,
      last_status_code: 204,
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
        },
      ],
    });
  });

  test('is not sent before the older ones of its call, and replaying it brings those forward', async () => {
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

  test('is sent after an older one of its call was given up', async () => {
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

  test('is tried again with the same id and body, and a new time and signature', async () => {
    receiver.answer(path, answeringStatus(500), answeringStatus(204));
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
    expect(seconds(attempt?.started_at ?? '', failed.next_attempt_at)).toBeLessThan(8);

    // As if the pause were over.
    await parley.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = $1`, [id]);
    await parley.sql(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload->>'orderingKey' = $1`,
      [id],
    );

    expect(await webhooks.tried(id, 2)).toMatchObject({
      status: 'delivered',
      attempts: [
        { number: 1, status_code: 500 },
        { number: 2, status_code: 204, error: null },
      ],
    });
    const [first, second] = receiver.at(path);
    expect(second).toMatchObject({ id, body: first?.body });
    second?.verifyWith(await webhooks.secret());
  });

  test.each([
    ['in seconds', () => '120'],
    ['as a date', () => new Date(Date.now() + 120_000).toUTCString()],
  ])('is not tried again before a Retry-After %s', async (_, header) => {
    receiver.answer(path, answeringStatus(429, { 'retry-after': header() }));

    const { attempts, next_attempt_at } = await webhooks.tried(await sendTestEvent());

    const pause = seconds(attempts[0]?.started_at ?? '', next_attempt_at);
    expect(pause).toBeGreaterThan(118);
    expect(pause).toBeLessThan(125);
  });

  test('is tried a last time a day after it was added, whatever Retry-After says', async () => {
    receiver.answer(path, answeringStatus(503, { 'retry-after': '999999' }));
    const id = await sendTestEvent();
    const failed = await webhooks.tried(id);
    expect(seconds(failed.created_at, failed.next_attempt_at)).toBe(DAY);

    // As if the day were over.
    await parley.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = now(), give_up_at = now() WHERE id = $1`,
      [id],
    );
    await parley.sql(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload->>'orderingKey' = $1`,
      [id],
    );

    expect(await webhooks.tried(id, 2)).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  test('can be replayed once it was delivered or given up, and holds up nobody then', async () => {
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

  test('is sent by one at a time, however many look for it', async () => {
    receiver.hold(path);
    const id = await sendTestEvent();
    await parley.sql(
      `SELECT graphile_worker.add_job($1, json_build_object('workspaceId', $2::text, 'orderingKey', $3::text))
       FROM generate_series(1, 8)`,
      [DELIVER_WEBHOOKS, workspace.workspaceId, id],
    );
    // Each looked, and comes back when the lease of the first has run out.
    await until(async () => {
      const jobs = await parley.sql<{ waits: boolean }>(
        `SELECT run_at > now() + interval '10 seconds' AS waits FROM graphile_worker._private_jobs
         WHERE payload->>'orderingKey' = $1 AND locked_at IS NULL`,
        [id],
      );
      return jobs.length === 8 && jobs.every(({ waits }) => waits);
    });

    expect(receiver.holding).toBe(1);
    receiver.release(path);
    expect(await webhooks.tried(id)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('does not wait for the slow receivers of another workspace', async () => {
    receiver.hold(path);
    await Promise.all(Array.from({ length: 60 }, sendTestEvent));
    await until(() => receiver.holding === 10);

    const other = await parley.workspace();
    const otherWebhooks = new Webhooks(other.api);
    const id = await otherWebhooks.sendTestEvent(receiver.url('/quick'));

    expect(await otherWebhooks.tried(id)).toMatchObject({ status: 'delivered' });
    expect(receiver.holding).toBe(10);
    receiver.release(path);
    await until(() => receiver.at(path).length === 60);
  });
});
