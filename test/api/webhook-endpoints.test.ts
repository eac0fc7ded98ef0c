import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';
import { type ShownEndpoint, Webhooks } from '../support/webhooks';
import { TestWorker } from '../support/worker';

const ENDPOINTS = '/api/webhooks/endpoints';

describe('A webhook endpoint', () => {
  // The first probe comes after five seconds: an endpoint that still fails then is paused.
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true', WEBHOOK_PAUSE_HOURS: '0.001' });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  let webhooks: Webhooks;
  let calls: AgentCalls;
  let paths = 0;
  /** Each test has a workspace and an address of its own. */
  let path: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    webhooks = new Webhooks(workspace.api);
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
    path = `/${paths++}`;
  });

  const createEndpoint = (fields = {}) => webhooks.createEndpoint(receiver.url(path), fields);

  async function takeCall(options = {}) {
    const id = await calls.start(options);
    return { id, call: await (await worker.findOffer(id)).take() };
  }

  /** A call that has ended, and whose two events were added. */
  async function endedCall(options = {}): Promise<string> {
    const { id, call } = await takeCall(options);
    await call.ended();
    await calls.reached(id, 'disconnected');
    return id;
  }

  const receivedAt = (at: string) =>
    receiver.at(at).map(({ payload }) => [payload.type, payload.data.conversation_id] as string[]);
  const received = (at: string, count: number) =>
    until(() => receiver.at(at).length >= count && receivedAt(at));
  const reached = (id: string, status: ShownEndpoint['status']) =>
    until(async () => {
      const endpoint = await webhooks.endpoint(id);
      return endpoint.status === status && endpoint;
    });
  const statuses = async (id: string) => (await webhooks.ofEndpoint(id)).map(({ status }) => status);

  /** Makes the next probe of an endpoint due. Its job waits for its time. */
  async function probeNow(id: string): Promise<void> {
    await parley.sql(`UPDATE webhook_endpoints SET probe_at = now() WHERE id = $1 AND status = 'failing'`, [
      id,
    ]);
    await parley.sql(
      `UPDATE graphile_worker._private_jobs SET run_at = now()
       WHERE payload->>'endpointId' = $1 AND locked_at IS NULL AND run_at > now()`,
      [id],
    );
  }

  /** Lets five attempts in a row fail. */
  async function fail(id: string): Promise<string[]> {
    receiver.answer(path, answeringStatus(500));
    const failed = await Promise.all([endedCall(), endedCall(), endedCall(), endedCall(), endedCall()]);
    await reached(id, 'failing');
    return failed;
  }

  test('gets the events that it chose, signed with its own secret, under the id that all receivers see', async () => {
    const all = await createEndpoint();
    await webhooks.createEndpoint(receiver.url('/ends'), { events: ['call.ended'] });
    const { data: shown } = (await workspace.api.get(`${ENDPOINTS}/${all}/secret`)).body as {
      data: { secret: string };
    };
    const id = await endedCall({ webhook_url: receiver.url('/own'), external_id: 'order 17' });

    expect(await received(path, 2)).toEqual([
      ['call.started', id],
      ['call.ended', id],
    ]);
    const [end] = await until(() => receiver.at('/ends').length > 0 && receiver.at('/ends'));
    await received('/own', 2);
    const ends = [...receiver.at(path), ...receiver.at('/own'), ...receiver.at('/ends')].filter(
      ({ payload }) => payload.type === 'call.ended',
    );
    expect(new Set(ends.map(({ body }) => body)).size).toBe(1);
    expect(new Set(ends.map((webhook) => webhook.id)).size).toBe(3);
    expect(end?.payload).toMatchObject({
      event_id: expect.any(String) as string,
      data: {
        ...{ conversation_id: id, assistant_id: calls.agentId, agent_version: 1, campaign_id: null },
        ...{ external_id: 'order 17', direction: 'outbound', call_type: 'phonecall', from_number: null },
      },
    });
    for (const webhook of receiver.at(path)) webhook.verifyWith(shown.secret);
    receiver.at('/own')[0]?.verifyWith(await webhooks.secret());
    expect(await webhooks.endpoint(all)).toMatchObject({ status: 'ok', waiting: 0, last_error: null });
    const [, delivery] = await webhooks.ofEndpoint(all);
    expect(delivery).toMatchObject({
      endpoint_id: all,
      event_id: end?.payload.event_id,
      status: 'delivered',
    });
    expect(await webhooks.delivery(delivery?.delivery_id as string)).toMatchObject({ payload: end?.payload });
  });

  test('gets what is about its agents alone, also when one of them is deleted', async () => {
    const other = new AgentCalls(workspace.api, await createAgent(workspace));
    const id = await createEndpoint({ agent_ids: [calls.agentId], events: ['call.failed'] });
    const failed = async (of: AgentCalls) => {
      const call = await of.start();
      await (await (await worker.findOffer(call)).take()).failed();
      await of.reached(call, 'failed');
      return call;
    };
    await failed(other);
    const own = await failed(calls);
    expect(await received(path, 1)).toEqual([['call.failed', own]]);

    await workspace.api.delete(`/api/agents/${calls.agentId}`);
    await failed(other);
    expect(await webhooks.ofEndpoint(id)).toHaveLength(1);
    expect(await webhooks.endpoint(id)).toMatchObject({ agent_ids: [calls.agentId] });
  });

  test('is asked with one delivery at a time while it fails, and gets everything in order when it is back', async () => {
    const id = await createEndpoint();
    const failed = await fail(id);
    const later = await endedCall();
    await webhooks.createEndpoint(receiver.url('/healthy'));
    expect(await webhooks.endpoint(id)).toMatchObject({
      ...{ enabled: true, paused_reason: null, last_error: 'it answers with status 500' },
      waiting: 12,
    });
    const tries = receiver.at(path).length;

    receiver.answer(path, answeringStatus(204));
    await probeNow(id);
    await until(async () => (await statuses(id)).every((status) => status === 'delivered'));

    const got = receivedAt(path).slice(tries);
    expect(got).toHaveLength(12);
    // The receiver may refuse one delivery alone, so a probe sends one that was not tried.
    expect(got[0]).toEqual(['call.started', later]);
    for (const call of [...failed, later])
      expect(got.filter(([, of]) => of === call)).toEqual([
        ['call.started', call],
        ['call.ended', call],
      ]);
    expect(await reached(id, 'ok')).toMatchObject({
      waiting: 0,
      last_delivered_at: expect.any(String) as string,
    });
  });

  test('is paused when it still fails after its time, and what happens then is held until a replay sends it first', async () => {
    const id = await createEndpoint({ events: ['call.ended'] });
    const since = new Date().toISOString();
    const failed = await fail(id);
    await parley.sql(`UPDATE webhook_endpoints SET status_since = now() - interval '1 hour' WHERE id = $1`, [
      id,
    ]);
    await probeNow(id);
    expect(await reached(id, 'paused')).toMatchObject({ enabled: false, paused_reason: 'failing' });
    await until(async () => (await statuses(id)).every((status) => status === 'held'));

    const { id: open, call } = await takeCall();
    await call.ended();
    await calls.reached(open, 'disconnected');
    expect(await statuses(id)).toEqual(Array<string>(6).fill('held'));
    expect(await webhooks.endpoint(id)).toMatchObject({ waiting: 6 });
    const { body } = await workspace.api.post(`${ENDPOINTS}/${id}/test`);
    const test = (body as { data: { delivery_id: string } }).data.delivery_id;
    receiver.answer(path, answeringStatus(204));
    await until(async () => (await webhooks.delivery(test)).status !== 'pending');
    expect(await webhooks.endpoint(id)).toMatchObject({ status: 'paused' });

    const tries = receiver.at(path).length;
    const replay = await workspace.api.post(`${ENDPOINTS}/${id}/replay`, { from: since });
    expect(replay).toMatchObject({ status: 202, body: { data: { deliveries: 6 } } });
    await until(async () => (await statuses(id)).every((status) => status === 'delivered'));
    expect(
      new Set(
        receivedAt(path)
          .slice(tries)
          .map(([, of]) => of),
      ),
    ).toEqual(new Set([...failed, open]));
    expect(await webhooks.endpoint(id)).toMatchObject({ status: 'ok', waiting: 0, paused_reason: null });
  });

  test('is paused at once when it answers that it is gone', async () => {
    receiver.answer(path, answeringStatus(410));
    const id = await createEndpoint();
    const call = await endedCall();

    expect(await reached(id, 'paused')).toMatchObject({ paused_reason: 'gone' });
    await until(async () => (await statuses(id)).join() === 'failed,held');
    expect(receivedAt(path)).toEqual([['call.started', call]]);

    receiver.answer(path, answeringStatus(204));
    expect(await webhooks.changeEndpoint(id, { enabled: true })).toMatchObject({ status: 'ok', waiting: 1 });
    const next = await endedCall();
    await until(() => receivedAt(path).length === 3);
    expect(
      receivedAt(path)
        .slice(1)
        .map(([, of]) => of),
    ).toEqual([next, next]);
    expect((await statuses(id)).slice(0, 2)).toEqual(['failed', 'held']);
  });

  test('is not paused by an answer of the address that it had before', async () => {
    receiver.hold(path);
    const id = await createEndpoint({ events: ['call.ended'] });
    await endedCall();
    await until(() => receiver.holding > 0);
    await webhooks.changeEndpoint(id, { url: receiver.url(`${path}/new`) });
    receiver.release(path, 410);
    await until(async () => (await statuses(id)).join() === 'failed');

    expect(await webhooks.endpoint(id)).toMatchObject({
      status: 'ok',
      last_error: 'it answers with status 410',
    });
  });

  test('can be switched off while it is paused, so that nothing more is recorded', async () => {
    receiver.answer(path, answeringStatus(410));
    const id = await createEndpoint({ events: ['call.ended'] });
    await endedCall();
    await reached(id, 'paused');
    expect(await webhooks.changeEndpoint(id, { enabled: false })).toMatchObject({
      ...{ status: 'off', paused_reason: null },
    });
    await endedCall();
    expect(await webhooks.ofEndpoint(id)).toHaveLength(1);
  });

  test('records nothing while it is off, and sends what it had on request after it is enabled', async () => {
    receiver.hold(path);
    const id = await createEndpoint({ events: ['call.ended'] });
    const since = new Date().toISOString();
    const first = await endedCall();
    await until(() => receiver.holding > 0);
    expect(await webhooks.changeEndpoint(id, { enabled: false })).toMatchObject({
      status: 'off',
      enabled: false,
    });
    await endedCall();
    expect(await webhooks.ofEndpoint(id)).toHaveLength(1);
    const replay = () => workspace.api.post(`${ENDPOINTS}/${id}/replay`, { from: since });
    expect(await replay()).toMatchObject({ status: 409, body: { error_code: 'WEBHOOK_ENDPOINT_OFF' } });

    receiver.release(path, 500);
    // The attempt was in progress, so it decides: it waits, and is held then.
    await until(async () => (await statuses(id)).join() === 'held');
    await webhooks.changeEndpoint(id, { enabled: true, url: receiver.url(`${path}/new`) });
    await replay();
    expect(await received(`${path}/new`, 1)).toEqual([['call.ended', first]]);
  });

  test('drops what waits when it is deleted, and keeps what it got', async () => {
    const id = await createEndpoint();
    await endedCall();
    await until(async () => (await statuses(id)).join() === 'delivered,delivered');
    await fail(id);
    const { status } = await workspace.api.delete(`${ENDPOINTS}/${id}`);

    expect(status).toBe(200);
    expect((await workspace.api.get(`${ENDPOINTS}/${id}`)).status).toBe(404);
    const left = await until(async () => {
      const deliveries = await webhooks.ofEndpoint(id);
      return deliveries.length === 2 && deliveries;
    });
    const replay = await workspace.api.post(`/api/webhooks/deliveries/${left[0]?.delivery_id}/replay`);
    expect(replay).toMatchObject({ status: 409, body: { error_code: 'WEBHOOK_ENDPOINT_OFF' } });
  });

  test('gets one event if a late report corrects the end of a call, with the end before', async () => {
    await createEndpoint({ events: ['call.failed', 'call.corrected', 'call.started', 'call.ended'] });
    const { id, call } = await takeCall();
    await parley.sql(`UPDATE conversations SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    await calls.reached(id, 'failed');
    await call.ended({
      connected_at: new Date(Date.now() - 60_000).toISOString(),
      occurred_at: new Date().toISOString(),
      disconnect_reason: 'user_hangup',
    });

    expect((await received(path, 2)).map(([type]) => type)).toEqual(['call.failed', 'call.corrected']);
    expect(receiver.at(path)[1]?.payload.data).toMatchObject({
      ...{ conversation_id: id, status: 'disconnected', disconnect_reason: 'user_hangup' },
      previous: { status: 'failed', disconnect_reason: 'worker_lost', duration_sec: 0 },
    });
    expect(receiver.at(path)).toHaveLength(2);
  });

  test('appears in the timeline of a call with its failed attempts', async () => {
    receiver.answer(path, answeringStatus(204), answeringStatus(404));
    const id = await createEndpoint();
    const call = await endedCall();
    await until(async () => (await statuses(id)).join() === 'delivered,failed');
    const { body } = await workspace.api.get(`/api/calls/${call}/timeline`);
    const attempts = (body.data as { kind: string; data: object }[]).filter(
      ({ kind }) => kind === 'webhook_attempt',
    );

    expect(attempts).toMatchObject([{ data: { endpoint_id: id, type: 'call.ended', status_code: 404 } }]);
  });

  test('has its own secret, which is rotated like that of the workspace', async () => {
    const id = await createEndpoint();
    const read = async () =>
      (await workspace.api.get(`${ENDPOINTS}/${id}/secret`)).body.data as { secret: string };
    const { secret } = await read();
    const { body } = await workspace.api.post(`${ENDPOINTS}/${id}/secret/rotate`, { overlap_hours: 1 });
    expect(body.data).toMatchObject({ previous_secret: secret });
    await workspace.api.post(`${ENDPOINTS}/${id}/test`);
    const [test] = await until(() => receiver.at(path).length > 0 && receiver.at(path));

    expect(test?.payload).toMatchObject({ type: 'webhook.test' });
    expect(test?.signatures).toHaveLength(2);
    test?.verifyWith(secret);
    test?.verifyWith((await read()).secret);
    const { body: listed } = await workspace.api.get(ENDPOINTS);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
  });

  test('is refused with the field that is wrong, beyond twenty, and to another workspace', async () => {
    const create = (fields: object) =>
      workspace.api.post(ENDPOINTS, { url: receiver.url(path), events: ['*'], ...fields });
    for (const [fields, field] of [
      [{ events: [] }, 'events'],
      [{ events: ['*', 'call.ended'] }, 'events'],
      [{ events: ['call.unknown'] }, 'events.0'],
      [{ agent_ids: [] }, 'agent_ids'],
      [{ description: 'x'.repeat(201) }, 'description'],
      [{ url: 'ftp://example.com' }, 'url'],
      [{ secret: 'whsec_own' }, 'secret'],
    ] as const)
      expect(await create(fields)).toMatchObject({
        status: 400,
        body: { errors: [{ field: `body.${field}` }] },
      });
    const foreign = await parley.workspace();
    const foreignAgent = await createAgent(foreign);
    expect(await create({ agent_ids: [foreignAgent] })).toMatchObject({ status: 404 });

    const id = await createEndpoint();
    for (let count = 1; count < 20; count += 1) await createEndpoint();
    expect(await create({})).toMatchObject({
      status: 403,
      body: { error_code: 'WEBHOOK_ENDPOINTS_LIMIT_REACHED' },
    });
    const from = new Date(Date.now() + 60_000).toISOString();
    expect(await workspace.api.post(`${ENDPOINTS}/${id}/replay`, { from })).toMatchObject({ status: 400 });
    for (const outcome of [
      foreign.api.get(`${ENDPOINTS}/${id}`),
      foreign.api.patch(`${ENDPOINTS}/${id}`, { enabled: false }),
      foreign.api.delete(`${ENDPOINTS}/${id}`),
      foreign.api.get(`${ENDPOINTS}/${id}/secret`),
      foreign.api.post(`${ENDPOINTS}/${id}/secret/rotate`),
      foreign.api.post(`${ENDPOINTS}/${id}/test`),
      foreign.api.post(`${ENDPOINTS}/${id}/replay`, { from: '2026-01-01T00:00:00Z' }),
    ])
      expect(await outcome).toMatchObject({
        status: 404,
        body: { error_code: 'WEBHOOK_ENDPOINT_NOT_FOUND' },
      });
  });
});
