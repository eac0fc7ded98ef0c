import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import { invalid, outcome, refused, succeeded } from '../support/answers';
import { readLedger } from '../support/ledger';
import { withKey } from '../support/keyed-requests';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { Webhooks } from '../support/webhooks';
import { TakenCall, TestWorker } from '../support/worker';

const WEBCALL = { call_type: 'webcall' };
const URL_OF_CALL = 'wss://voice.example.com/voice/4711?secret=Zm9v';

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

const JOIN = {
  url: URL_OF_CALL,
  expires_at: expect.stringMatching(/Z$/) as string,
};

describe('A web call', () => {
  const parley = useOwnParley({
    WEBCALL_WAIT_MS: '10000',
    SWEEP_INTERVAL_MS: '50',
    LEASE_SECONDS: '600',
    HEARTBEAT_SECONDS: '1',
  });
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());
  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
  });

  const start = (body: object = WEBCALL, api = workspace.api) =>
    api.post(`/api/agents/${agentId}/calls`, body);

  const take = async (): Promise<TakenCall> => (await worker.offerTo(agentId)).take();

  const requestJoin = async ({ conversationId }: TakenCall, api = workspace.api) =>
    (await api.get(`/api/calls/${conversationId}`)).body.data.join as object | null;

  const stored = async ({ conversationId }: TakenCall) => {
    const [row] = await parley.sql('SELECT join_url, join_expires_at FROM conversations WHERE id = $1', [
      conversationId,
    ]);
    return row;
  };

  /** A call that can be joined, and the answer to its request. */
  async function joinableCall(body: object = WEBCALL) {
    const answer = start(body);
    const call = await take();
    await call.joinable({ url: URL_OF_CALL });
    return { call, answer: await answer };
  }

  test('is answered with the address at which the person can join it, as soon as its runtime reports it', async () => {
    const { call, answer } = await joinableCall();

    expect(answer).toMatchObject(
      succeeded('Call started', {
        conversation_id: call.conversationId,
        call_status: 'queued',
        join: JOIN,
      }),
    );
    expect(await requestJoin(call)).toEqual(answer.body.data.join);
  });

  test('shows its address nowhere but there', async () => {
    const { call } = await joinableCall({ ...WEBCALL, webhook_url: 'http://localhost:9/hook' });
    await call.connected();
    await call.ended();
    const id = call.conversationId;
    await until(async () => (await new Webhooks(workspace.api).ofCall(id)).length === 2);
    const { call: other } = await joinableCall();

    const shown = await Promise.all(
      [
        '/api/calls',
        '/api/calls/export?format=csv',

        ...[id, other.conversationId].flatMap((call_id) => [
          `/api/calls/${call_id}/timeline`,
          `/api/calls/${call_id}/transcript`,
          `/api/agents/${agentId}/conversations/${call_id}`,
          `/api/webhooks/deliveries?conversation_id=${call_id}`,
        ]),
        `/api/agents/${agentId}/conversations`,
        '/api/audit',
      ].map((path) => workspace.api.get(path)),
    );

    expect(shown.map(({ status }) => status)).toEqual(shown.map(() => 200));
    expect(shown.filter(({ body }) => JSON.stringify(body).includes('Zm9v'))).toEqual([]);
  });

  test('shows its address to callers who may start it, and to nobody else', async () => {
    const { call } = await joinableCall();
    const { conversationId } = call;
    const other = await createAgent(workspace);

    expect(await requestJoin(call, parley.scoped(workspace, `agent:${agentId}`))).toEqual(JOIN);
    expect(await requestJoin(call, parley.scoped(workspace, `agent:${agentId}`, 'read'))).toBeNull();
    const strangers = [parley.scoped(workspace, `agent:${other}`), (await parley.workspace()).api];
    for (const api of strangers) expect((await api.get(`/api/calls/${conversationId}`)).status).toBe(404);
  });

  test('can be heard by users who may end calls, while it is connected, and the audit names them', async () => {
    const listen = { url: 'wss://voice.example.com/listen/4711?secret=aGVhcg', expires_at: inSeconds(600) };
    await start({ to_number: '+15551234567' });
    const call = await take();
    const path = `/api/calls/${call.conversationId}`;
    const request = (api = workspace.api) => outcome(api.post(`${path}/listen`));
    const canListen = async () => (await workspace.api.get(path)).body.data.can_listen as boolean;
    const refusal = refused(409, 'The call cannot be heard', {
      error_code: 'CALL_NOT_AUDIBLE',
      error: expect.any(Object) as object,
    });
    await call.report('call.joinable.v1', { listen });
    await call.report('call.joinable.v1', { listen: { ...listen, url: 'ftp://voice.example.com' } });
    await call.report('call.joinable.v1', { listen: { ...listen, expires_at: inSeconds(90_000) } });
    expect(await canListen()).toBe(false);
    expect(await request()).toEqual(refusal);

    await call.connected();
    await until(canListen);
    const [listed] = (await workspace.api.get(`/api/calls?agent_id=${agentId}`)).body.data as object[];
    expect(listed).toMatchObject({ can_listen: true });
    expect(await request()).toEqual(succeeded('Address of the audio', listen));
    expect(await request(parley.scoped(workspace, 'operate'))).toMatchObject({ status: 200 });
    for (const scope of ['read', `agent:${agentId}`])
      expect(await request(parley.scoped(workspace, scope))).toMatchObject({ status: 403 });
    expect(await request((await parley.workspace()).api)).toMatchObject({ status: 404 });
    const entries = (await workspace.api.get('/api/audit?action=call.listened_to')).body.data as object[];
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({ target: { kind: 'call', id: call.conversationId } });
    const shown = await Promise.all(
      [path, `${path}/timeline`, '/api/calls', '/api/audit'].map((each) => workspace.api.get(each)),
    );
    expect(shown.filter(({ body }) => JSON.stringify(body).includes('aGVhcg'))).toEqual([]);

    await call.report('call.joinable.v1', { listen: { ...listen, expires_at: new Date(0).toISOString() } });
    await until(async () => !(await canListen()));
    expect(await request()).toEqual(refusal);
    await call.report('call.joinable.v1', { listen });
    await until(canListen);

    await call.ended();
    await until(async () => !(await canListen()));
    expect(await request()).toEqual(refusal);
    const left = 'SELECT listen_url, listen_expires_at FROM conversations WHERE id = $1';
    expect(await parley.sql(left, [call.conversationId])).toEqual([
      { listen_url: null, listen_expires_at: null },
    ]);
  });

  test('loses its address when it is connected, ends or fails, and nobody can read an expired address', async () => {
    const empty = { join_url: null, join_expires_at: null };
    const endings: ((call: TakenCall) => Promise<unknown>)[] = [
      (call) => call.connected(),
      (call) => call.ended(),
      (call) => call.failed({ disconnect_reason: 'dial_no_answer' }),
    ];
    for (const end of endings) {
      workspace = await parley.workspace();
      agentId = await createAgent(workspace);
      const { call } = await joinableCall();
      expect(await stored(call)).toMatchObject({ join_url: URL_OF_CALL });

      await end(call);

      await until(async () => (await requestJoin(call)) === null);
      expect(await stored(call)).toEqual(empty);
    }

    agentId = await createAgent(workspace);
    const { call } = await joinableCall();
    await parley.sql(`UPDATE conversations SET join_expires_at = now() WHERE id = $1`, [call.conversationId]);
    expect(await requestJoin(call)).toBeNull();
  });

  test('has the latest valid address; an invalid one is ignored, and is not kept among the dead events', async () => {
    const { call } = await joinableCall();
    const latest = { url: 'https://voice.example.com/2?s=2', expires_at: inSeconds(3_500) };
    const phone = await (async () => {
      agentId = await createAgent(workspace);
      await start({ to_number: '+15551234567' });
      return take();
    })();

    await call.joinable(latest);
    for (const url of [
      `wss://voice.example.com/${'x'.repeat(2_048)}`,
      'ftp://voice.example.com/',
      'javascript:alert(1)',
      '/voice/1',
      'wss:voice.example.com',
      'wss://voice example.com',
      '',
      5,
      null,
    ])
      await call.joinable({ url: url as string });
    for (const expires_at of [inSeconds(3_700), 'tomorrow', 5, null])
      await call.joinable({ expires_at: expires_at as string });
    await call.report('call.joinable.v1', {
      url: URL_OF_CALL,
      expires_at: inSeconds(9),
      token: randomUUID(),
    });
    await phone.joinable();
    await phone.connected();
    await until(async () => {
      const { body } = await workspace.api.get(`/api/calls/${phone.conversationId}`);
      return body.data.status === 'connected';
    });

    expect(await requestJoin(call)).toEqual(latest);
    const figures = await parley.broker.queueFigures();
    expect(figures.find(({ name }) => name === parley.topology.deadEventsQueue)).toMatchObject({ ready: 0 });
  });

  test('cannot be joined once it is connected', async () => {
    const { call } = await joinableCall();
    await call.connected();
    await call.joinable();
    await call.heartbeat();
    await until(async () => (await requestJoin(call)) === null);

    await call.ended();
    await until(
      async () => (await workspace.api.get(`/api/calls/${call.conversationId}`)).body.data.ended_at !== null,
    );
    expect(await stored(call)).toEqual({ join_url: null, join_expires_at: null });
  });

  test('that fails is answered at once, without an address', async () => {
    const answer = start();
    const call = await take();
    const waiting = start();
    await call.failed({ disconnect_reason: 'dial_failed' });

    expect(await Promise.race([answer, waiting])).toBe(await answer);
    expect((await answer).body.data).toEqual({
      conversation_id: call.conversationId,
      call_status: 'queued',
      join: null,
    });
    await (await take()).failed({ disconnect_reason: 'dial_failed' });
    await waiting;
  });

  test('has no number', async () => {
    expect(await outcome(start({ ...WEBCALL, to_number: '+15551234567' }))).toEqual(
      invalid('body.to_number'),
    );
  });

  test('has the same answer for the same Idempotency-Key, also after the call', async () => {
    const api = withKey(parley, workspace, randomUUID());
    const answer = start(WEBCALL, api);
    const call = await take();
    const meanwhile = await start(WEBCALL, api);
    await call.joinable({ url: URL_OF_CALL });

    const first = await answer;
    const second = await start(WEBCALL, api);
    await call.connected();
    await until(async () => (await requestJoin(call)) === null);
    const third = await start(WEBCALL, api);

    expect(meanwhile).toMatchObject({ status: 409, body: { error_code: 'IDEMPOTENCY_KEY_IN_USE' } });
    expect(first.body.data.join).toEqual(JOIN);
    expect(second.body).toEqual(first.body);
    expect(third.body).toEqual(first.body);
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({ credits: 99, entries: ['hold -1'] });
  });

  test('keeps its answer for a client that was cut off and repeats its key', async () => {
    const key = randomUUID();
    const cut = new AbortController();
    const lost = withKey(parley, workspace, key)
      .raw(`/api/agents/${agentId}/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(WEBCALL),
        signal: cut.signal,
      })
      .catch((error: Error) => error.name);
    const call = await take();
    cut.abort();
    expect(await lost).toBe('AbortError');
    await call.joinable({ url: URL_OF_CALL });

    const again = await until(async () => {
      const answer = await start(WEBCALL, withKey(parley, workspace, key));
      return answer.status === 200 && answer;
    });

    expect(again.body.data.join).toEqual(JOIN);
  });

  test('that nobody joins ends half a minute after its address has expired', async () => {
    const { call } = await joinableCall();
    const path = `/api/calls/${call.conversationId}`;
    const back = (seconds: number) =>
      parley.sql(
        `UPDATE conversations SET join_expires_at = now() - $2 * interval '1 second' WHERE id = $1`,
        [call.conversationId, seconds],
      );

    await back(20);
    const other = await (async () => {
      agentId = await createAgent(workspace);
      const { call: next } = await joinableCall();
      await parley.sql(`UPDATE conversations SET join_expires_at = now() - interval '31 s' WHERE id = $1`, [
        next.conversationId,
      ]);
      return next;
    })();
    const ended = await until(async () => {
      const { body } = await workspace.api.get(`/api/calls/${other.conversationId}`);
      return body.data.status === 'failed' && (body.data as object);
    }, 20_000);

    expect(ended).toMatchObject({
      disconnect_reason: 'dial_no_answer',
      disconnected_by: 'system',
      charge: 0,
      join: null,
    });
    expect(await stored(other)).toEqual({ join_url: null, join_expires_at: null });
    expect((await workspace.api.get(path)).body.data).toMatchObject({ status: 'accepted', join: null });
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(99);
  }, 40_000);

  test('is answered by a process that has not received the report itself', async () => {
    const second = await TestParley.start({ WEBCALL_WAIT_MS: '10000' }, parley.database);
    const ofSecond = await TestWorker.start(second);
    const answer = start(WEBCALL, second.api.with({ 'x-api-key': workspace.apiKey }));
    const { conversationId, token } = await (await ofSecond.offerTo(agentId)).take();

    await new TakenCall(parley, conversationId, token).joinable({ url: URL_OF_CALL });

    expect((await answer).body.data.join).toEqual(JOIN);
    await ofSecond.stop();
    await second.stop({ keepDatabase: true });
  });
});

describe('Web calls without a runtime', () => {
  test('are answered without an address when the wait is over, and go on', async () => {
    const parley = await TestParley.start({ WEBCALL_WAIT_MS: '300' });
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);

    const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, WEBCALL);

    expect(body.data).toMatchObject({ call_status: 'queued', join: null });
    const id = (body.data as { conversation_id: string }).conversation_id;
    const worker = await TestWorker.start(parley);
    await (await (await worker.findOffer(id)).take()).joinable({ url: URL_OF_CALL });
    await until(async () => {
      const { body: shown } = await workspace.api.get(`/api/calls/${id}`);
      return (shown.data as { join: { url: string } | null }).join?.url === URL_OF_CALL;
    });
    await worker.stop();
    await parley.stop();
  });

  test('wait a hundred at once for a workspace, without a connection, and all are answered at a stop', async () => {
    const parley = await TestParley.start({ WEBCALL_WAIT_MS: '10000', DATABASE_POOL_SIZE: '4' });
    const [workspace, other] = [
      await parley.workspace({ credits: 1_000 }),
      await parley.workspace({ credits: 1_000 }),
    ];
    const agents = [await createAgent(workspace), await createAgent(other)];
    const answers: unknown[] = [];
    const requests = Array.from({ length: 105 }, async () => {
      const { status, body } = await workspace.api.post(`/api/agents/${agents[0]}/calls`, WEBCALL);
      answers.push([status, (body.data as { join: unknown }).join]);
    });

    await until(() => answers.length >= 5);
    const ofOther = other.api.post(`/api/agents/${agents[1]}/calls`, WEBCALL);
    const [waiting] = await until(async () => {
      const calls = await parley.sql<{ status: string }>(
        'SELECT status FROM conversations WHERE workspace_id = $1',
        [other.workspaceId],
      );
      return calls.length > 0 && calls;
    });
    expect(waiting).toEqual({ status: 'queued' });
    await parley.stop();
    await Promise.all(requests);

    expect(answers).toEqual(Array.from({ length: 105 }, () => [200, null]));
    expect((await ofOther).body.data).toMatchObject({ join: null });
  });
});
