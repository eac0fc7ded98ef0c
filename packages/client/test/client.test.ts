import { Parley, ParleyError, type WebhookEvent } from '@parley/client';
import type { TestWorkspace } from '../../../test/support/parley';
import { useStarted } from '../../../test/support/use-started';
import { until } from '../../../test/support/until';
import { answeringStatus, WebhookReceiver } from '../../../test/support/webhook-receiver';
import { TestWorker } from '../../../test/support/worker';
import { ClientServer } from './support/client-server';

const server = useStarted(() => ClientServer.start());
const receiver = useStarted(() => WebhookReceiver.start());

const ANSWERED = '+15551234500';
const BUSY = '+15551234501';

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

describe('The client', () => {
  let workspace: TestWorkspace;
  let parley: Parley;
  let agentId: string;

  beforeAll(async () => {
    workspace = await server.workspace();
    parley = server.client(workspace);
    agentId = (await parley.agents.create({ type: 'outbound', name: 'Front desk' }))._id;
  });
  beforeEach(() => server.proxy.fail());

  const call = async (number: string) =>
    (await parley.calls.start(agentId, { to_number: number })).conversation_id;

  test('refuses options that cannot be right before it requests anything', () => {
    const valid = { baseUrl: 'http://localhost', apiKey: 'key' };
    const wrong: [object, RegExp][] = [
      [{ baseUrl: 'localhost:3000' }, /baseUrl must be the http\(s\) address/],
      [{ apiKey: ' a key' }, /apiKey must be/],
      [{ apiKey: undefined }, /apiKey must be/],
      [{ maxRetries: -1 }, /maxRetries must be/],
      [{ timeoutMs: 0 }, /timeoutMs must be/],
    ];
    for (const [change, message] of wrong) expect(() => new Parley({ ...valid, ...change })).toThrow(message);
    expect(() => new Parley(valid).agents.update('', { type: 'chat' })).toThrow(/agent_id must be a text/);
    expect(() => new Parley(valid).calls.get('..')).toThrow(TypeError);
  });

  test('says why a request was refused', async () => {
    const refused: unknown = await parley.calls
      .start(agentId, { to_number: '12' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ParleyError);
    expect(refused).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'body.to_number' }],
      requestId: expect.any(String) as string,
      retryAfter: undefined,
    });
    const stranger = server.client({ apiKey: 'parley_wrong' });
    await expect(stranger.workspace.get()).rejects.toMatchObject({ status: 401, code: 'INVALID_CREDENTIAL' });
  });

  test('works with a bearer token too', async () => {
    const { body } = await workspace.api.post('/api/auth/tokens', {});
    const { token } = (body as { data: { token: string } }).data;
    expect((await server.client({ apiKey: token }).workspace.get()).workspaceId).toBe(workspace.workspaceId);
  });

  test('works with the token that a call has for its runtime', async () => {
    await server.withoutRuntime(async () => {
      const worker = await TestWorker.start(server.parley);
      const id = await call(ANSWERED);
      const taken = await (await worker.findOffer(id)).take();
      const runtime = server.client({ apiKey: taken.api.token });
      expect(await runtime.calls.get(id)).toMatchObject({ call_id: id });
      await taken.failed();
      await worker.stop();
    });
  });

  test('waits for the end of a call, however it ends', async () => {
    const [answered, busy] = await Promise.all([call(ANSWERED), call(BUSY)]);
    expect(await parley.calls.waitForEnd(answered)).toMatchObject({ status: 'disconnected' });
    expect(await parley.calls.waitForEnd(busy)).toMatchObject({
      status: 'failed',
      disconnect_reason: 'dial_busy',
    });
    expect((await parley.calls.transcript(answered)).turns.length).toBeGreaterThan(1);
    expect((await parley.calls.timeline(answered)).map(({ kind }) => kind)).toContain('connected');
  });

  test('goes on waiting for a call while the server is away', async () => {
    await server.withoutRuntime(async () => {
      const id = await call(ANSWERED);
      const impatient = server.client({ apiKey: (await server.workspace()).apiKey }, { maxRetries: 0 });
      await expect(impatient.calls.waitForEnd(id)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
      server.proxy.fail();
      const waiting = parley.calls.waitForEnd(id);
      await until(() => server.proxy.requests.length > 0);
      server.proxy.fail(...Array.from({ length: 4 }, () => ({ cut: 'request' }) as const));
      const direct = new Parley({ baseUrl: server.parley.url, apiKey: workspace.apiKey });
      expect(await direct.calls.hangup(id)).toMatchObject({ hangup: 'cancelled' });
      expect(await waiting).toMatchObject({ status: 'failed', disconnect_reason: 'cancelled' });
    });
  });

  test('reads a list page by page, and each item once', async () => {
    const list = parley.calls.list({ limit: 2 });
    await Promise.all([call(BUSY), call(BUSY), call(BUSY)]);
    const { data, pagination } = await list.page(2);
    expect(data).toHaveLength(2);
    expect(pagination).toMatchObject({ page: 2, limit: 2, hasPrevPage: true });

    const total = pagination.total;
    const seen: string[] = [];
    for await (const { call_id } of list) {
      // A newer call moves all others one place on.
      if (seen.length < 3) await call(BUSY);
      seen.push(call_id);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(total);
  });

  test('takes one value or a list of a filter', async () => {
    const busy = await call(BUSY);
    await parley.calls.waitForEnd(busy);
    const failed = await collect(parley.calls.list({ status: 'failed' }));
    expect(failed.map(({ call_id }) => call_id)).toContain(busy);
    const ended = await collect(parley.calls.list({ status: ['failed', 'disconnected'], agent_id: agentId }));
    expect(ended.length).toBeGreaterThanOrEqual(failed.length);
    expect(await collect(parley.calls.list({ criterion: { consent: 'fail' } }))).toEqual([]);
    await expect(
      parley.calls.list({ criterion: { consent: 'over' as 'fail' } }).page(1),
    ).rejects.toMatchObject({
      errors: [{ field: 'query.criterion.consent' }],
    });
    await expect(parley.calls.list({ status: 'over' as 'failed' }).page(1)).rejects.toMatchObject({
      errors: [{ field: expect.stringContaining('query.status') as string }],
    });
  });

  test('exports calls in parts, or as a text', async () => {
    await parley.calls.waitForEnd(await call(BUSY));
    const parts: Uint8Array[] = [];
    for await (const part of await parley.calls.export({ status: 'failed', format: 'jsonl' }))
      parts.push(part);
    const rows = Buffer.concat(parts)
      .toString()
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as object);
    expect(rows[0]).toMatchObject({ status: 'failed' });
    expect(await (await parley.calls.export({ format: 'csv' })).text()).toMatch(/^call_id,/);
    server.proxy.fail({ cut: 'body' });
    const broken = await parley.calls.export();
    await expect(broken.text()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  test('verifies webhooks of the server, and no others', async () => {
    const url = receiver.url('/verify');
    const { delivery_id } = await parley.webhooks.test({ url });
    const received = await until(() => receiver.at('/verify')[0]);
    const { secret } = await parley.webhooks.secret();
    const event: WebhookEvent = parley.webhooks.verify(received.body, received.headers, secret);
    expect(event.type).toBe('webhook.test');
    const headers = new Headers(received.headers as Record<string, string>);
    expect(parley.webhooks.verify(Buffer.from(received.body), headers, secret)).toEqual(event);

    const refused = expect.objectContaining({ name: 'ParleyError', code: 'INVALID_SIGNATURE' }) as Error;
    const old = { ...received.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 301) };
    expect(() => parley.webhooks.verify(`${received.body} `, received.headers, secret)).toThrow(refused);
    expect(() => parley.webhooks.verify(received.body, old, secret)).toThrow(refused);
    expect(() => parley.webhooks.verify(received.body, {}, secret)).toThrow(refused);
    expect(() => parley.webhooks.verify(received.body, received.headers, 'whsec_AAAA')).toThrow(refused);
    expect(() => parley.webhooks.verify(event as never, received.headers, secret)).toThrow(/not parsed/);

    await until(async () => (await parley.webhooks.delivery(delivery_id)).status === 'delivered');
    await parley.webhooks.replay(delivery_id);
    await until(() => receiver.at('/verify')[1]);
    expect((await parley.webhooks.rotate()).secret).not.toBe(secret);
  });

  test('keeps agents with their versions, numbers and knowledge bases', async () => {
    const { _id } = await parley.agents.create({ type: 'hybrid', name: 'Night desk' });
    await parley.agents.update(_id, { type: 'hybrid', greeting: 'Good evening.' });
    expect(await parley.agents.restore(_id, 1)).toMatchObject({ version: 3, restored_from: 1 });
    expect((await collect(parley.agents.versions(_id))).map(({ version }) => version)).toEqual([3, 2, 1]);

    const number = '+15557654399';
    const assigned = await parley.phoneNumbers.assign(_id, { phone_number: number });
    expect(assigned).toMatchObject({ agent_id: _id, phone_number: number });
    expect((await collect(parley.phoneNumbers.list())).map((item) => item.number)).toEqual([number]);
    expect((await parley.phoneNumbers.list().page(1)).pagination.total).toBe(1);
    await parley.phoneNumbers.release(number);
    expect(await collect(parley.phoneNumbers.list())).toEqual([]);

    const file = new File(['We are open from nine to five.'], 'hours.md');
    const { kb_id } = await parley.knowledgeBases.create({ name: 'Hours', file });
    const other = await parley.knowledgeBases.create({ name: 'Blob', file: new Blob(['Lunch is at noon.']) });
    await until(async () => {
      const bases = await collect(parley.knowledgeBases.list());
      return bases.every(({ sources }) => sources.every(({ status }) => status === 'completed'));
    });
    const [passage] = await parley.knowledgeBases.search(kb_id, { query: 'open', limit: 1 });
    expect(passage?.text).toContain('nine to five');
    await parley.knowledgeBases.assign(kb_id, { assistant_ids: [_id] });
    expect((await parley.agents.get(_id)).knowledgeBases).toEqual([kb_id]);
    expect(await parley.knowledgeBases.unassign(kb_id, { assistant_ids: [_id] })).toEqual([_id]);
    await parley.knowledgeBases.delete(other.kb_id);

    const [added] = await parley.knowledgeBases.sources.add(kb_id, {
      file: Buffer.from('Closed'),
      name: 'Closing',
    });
    const replaced = await parley.knowledgeBases.sources.replace(kb_id, added?._id ?? '', {
      file: Buffer.from('Open'),
    });
    expect(replaced._id).toBe(added?._id);
    await parley.knowledgeBases.sources.delete(kb_id, replaced._id);
    expect((await collect(parley.knowledgeBases.list()))[0]?.sources).toHaveLength(1);
    await parley.agents.delete(_id);
    await expect(parley.agents.get(_id)).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
  });

  test('runs campaigns', async () => {
    const rows = ['phone_number,customer_name', '+15551239901,Ada', '+15551239902,Grace'];
    const file = new Blob([rows.join('\n')], { type: 'text/csv' });
    const fields = {
      campaignName: 'Reminders',
      assistantId: agentId,
      windows: [{ days: ['mon' as const], start: '00:00', end: '24:00' }],
      retry: { on: ['dial_busy' as const], max: 1, afterMinutes: [0] },
      concurrency: 5,
      isScheduled: true,
      scheduleTime: '2100-01-01T09:00:00.000Z',
    };
    expect(await parley.campaigns.validate({ ...fields, file })).toMatchObject({ recipients: 2, errors: [] });
    const { campaign_id: id, status } = await parley.campaigns.create({ ...fields, file });
    expect(status).toBe('scheduled');
    expect(await parley.campaigns.get(id)).toMatchObject({
      recipientCount: 2,
      windows: fields.windows,
      concurrency: 5,
    });
    expect(await parley.campaigns.update(id, { concurrency: 6 })).toMatchObject({ concurrency: 6 });
    expect((await parley.campaigns.pause(id)).status).toBe('paused');
    await expect(parley.campaigns.pause(id)).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_RUNNING' });
    expect((await parley.campaigns.resume(id)).status).not.toBe('paused');
    expect((await parley.campaigns.cancel(id)).status).toBe('cancelled');
    const recipients = await collect(parley.campaigns.recipients(id, { limit: 1 }));
    expect(recipients.map(({ phone_number }) => phone_number).sort()).toEqual([
      '+15551239901',
      '+15551239902',
    ]);
    expect((await collect(parley.campaigns.log(id))).map(({ event }) => event)).toContain('cancelled');
    expect((await collect(parley.campaigns.list({ status: 'cancelled' })))[0]?.campaign_id).toBe(id);
  });

  test('keeps the do-not-call list, the retention and the records of the workspace', async () => {
    await parley.doNotCall.add({ phone_number: '+15559990001', reason: 'asked' });
    const file = Buffer.from('phone_number\n+15559990002\n');
    expect(await parley.doNotCall.import({ file })).toEqual({ imported: 1, added: 1, already_listed: 0 });
    const partly = Buffer.from('phone_number\n+15559990002\n12\n');
    expect(await parley.doNotCall.import({ file: partly, invalidRows: 'skip' })).toMatchObject({
      ...{ imported: 1, added: 0, already_listed: 1 },
      left_out: { rows: 1, errors: [{ row: 3, column: 'phone_number', value: '12' }] },
    });
    await parley.doNotCall.remove('+15559990001');
    const listed = await collect(parley.doNotCall.list());
    expect(listed.map(({ phone_number, source }) => [phone_number, source])).toEqual([
      ['+15559990002', 'import'],
    ]);

    const retention = { transcripts_days: 30, recordings_days: null, calls_days: null };
    expect(await parley.workspace.setRetention(retention)).toMatchObject(retention);
    expect(await parley.workspace.retention()).toMatchObject(retention);
    const { erasure_id } = await parley.workspace.erase({ phone_number: '+15559990003' });
    expect((await parley.workspace.erasure(erasure_id)).erasure_id).toBe(erasure_id);
    expect((await parley.workspace.credits({ limit: 1 }).page(1)).data).toHaveLength(1);
    const { data: imports } = await parley.audit.list({ action: 'do_not_call.imported' }).page(1);
    expect(imports.map(({ details }) => details)).toEqual([{ numbers: 1, left_out_rows: 1 }, { numbers: 1 }]);

    const [template] = await collect(parley.templates.list());
    expect((await parley.templates.get(template?.template_id ?? '')).greeting).toEqual(expect.any(String));
  });

  test('invites people, changes their role and removes them', async () => {
    const invited = await parley.people.invite({ name: 'Ada', role: 'viewer', email: 'ada@example.com' });
    const id = invited.person_id;
    expect(invited.url).toContain('/login#token=');
    const changed = await parley.people.update(id, { role: 'operator', email: null });
    expect(changed).toMatchObject({ role: 'operator', email: null, state: 'invited' });
    expect(await collect(parley.people.list({ limit: 1 }))).toEqual([await parley.people.get(id)]);
    expect((await parley.people.link(id)).url).not.toBe(invited.url);
    await parley.people.remove(id);
    await expect(parley.people.get(id)).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' });
  });

  test('keeps tools, tests them, and says what came of what agents did', async () => {
    const fields = { name: 'book_table', description: 'Books a table.', url: receiver.url('/tools') };
    const { tool_id: id } = await parley.tools.create({
      ...fields,
      headers: { Authorization: 'Bearer {{secret:KEY}}' },
      secrets: { KEY: 'a key' },
    });
    expect(await parley.tools.update(id, { ...fields, say: 'One moment.' })).toMatchObject({
      ...{ say: 'One moment.', headers: {}, secrets: ['KEY'] },
    });
    expect(await collect(parley.tools.list({ search: 'book' }))).toEqual([await parley.tools.get(id)]);
    expect(await parley.tools.test(id, { arguments: {} })).toMatchObject({ status: 204, error: null });
    await expect(parley.tools.discover(id)).rejects.toMatchObject({ status: 400 });

    await server.withoutRuntime(async () => {
      const worker = await TestWorker.start(server.parley);
      const { _id } = await parley.agents.create({ type: 'outbound', actions: ['book_table'] });
      const { conversation_id: callId } = await parley.calls.start(_id, { to_number: ANSWERED });
      const taken = await (await worker.findOffer(callId)).take();
      const own = server.parley.api.with({ authorization: `Bearer ${taken.api.token}` });
      receiver.answer('/tools', answeringStatus(500), answeringStatus(500), answeringStatus(200));
      for (let asked = 0; asked < 2; asked += 1) {
        await own.post(`/api/calls/${callId}/tools/book_table`, { arguments: {} });
        const [unknown] = await collect(parley.toolInvocations.list({ state: 'unknown', call_id: callId }));
        const invocation = unknown?.invocation_id ?? '';
        if (asked === 0) {
          const note = 'The shop has no booking.';
          expect(await parley.toolInvocations.resolve(invocation, { state: 'refused', note })).toMatchObject({
            ...{ state: 'refused', settled_by: 'person', note },
          });
        } else expect(await parley.toolInvocations.resend(invocation)).toMatchObject({ state: 'done' });
      }
      receiver.release('/tools');
      const ofCall = await parley.toolInvocations.ofCall(callId);
      expect(ofCall.map(({ state }) => state)).toEqual(['refused', 'done']);
      const exported = await parley.toolInvocations.export({ call_id: callId, format: 'jsonl' });
      expect((await exported.text()).trim().split('\n')).toHaveLength(2);
      await taken.failed();
      await worker.stop();
    });
    await parley.tools.delete(id);
    await expect(parley.tools.get(id)).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
  });

  test('counts calls', async () => {
    const statistics = await parley.reports.statistics({ limit: 1 });
    expect(statistics.calls).toHaveLength(1);
    const series = await parley.reports.series({
      interval: 'day',
      group_by: 'disconnect_reason',
      status: 'failed',
    });
    expect(series.totals.failed).toBeGreaterThan(0);
    expect(series.totals.failed).toBe(series.totals.calls);
    const { groups } = await parley.reports.measurements({ group_by: 'agent_version' });
    expect(groups).toEqual(expect.any(Array));
  });
});
