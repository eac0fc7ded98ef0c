import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CallDispatcher } from '../../src/features/calls/lifecycle/call-dispatcher';
import { ACCEPTED_CALL_COLUMNS } from '../../src/features/calls/lifecycle/call-transitions.sql';
import type { AcceptedCall } from '../../src/features/calls/model/accepted-call';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

describe('A call', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  async function setUp(options: { credits?: number } = {}) {
    const workspace = await parley.workspace(options);
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    return { workspace, calls, ledger: () => readLedger(parley, workspace.workspaceId) };
  }

  /** The claim is an hour old, so that the worker can report long times. */
  const backdate = (id: string) =>
    parley.sql(`UPDATE conversations SET accepted_at = accepted_at - interval '1 hour' WHERE id = $1`, [id]);

  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

  /** Publishes the call's message a second time, as a sweeper or a broker can. */
  async function publishAgain(id: string) {
    const [call] = await parley.sql<AcceptedCall>(
      `SELECT ${ACCEPTED_CALL_COLUMNS} FROM conversations WHERE id = $1`,
      [id],
    );
    await parley.app.get(CallDispatcher, { strict: false }).publish(call as AcceptedCall);
  }

  test('whose message is delivered twice is granted to one claim', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    await publishAgain(id);
    const [first, second] = await until(() => worker.findOffers(id).length === 2 && worker.findOffers(id));

    const answers = await Promise.all([first?.claim(), second?.claim()]);

    expect(answers.map((answer) => answer?.type).sort()).toEqual([
      'call.claim-refused.v1',
      'call.claimed.v1',
    ]);
    expect((await calls.conversation(id)).status).toBe('accepted');
  });

  test('gives the same token to a claim that is sent again', async () => {
    const { calls } = await setUp();
    const offer = await worker.findOffer(await calls.start());
    const claimId = randomUUID();

    const first = await offer.claim(claimId);
    const again = await offer.claim(claimId);

    expect(first).toEqual({
      type: 'call.claimed.v1',
      body: {
        conversation_id: offer.start.conversation_id,
        token: expect.any(String),
        lease_seconds: 30,
        heartbeat_seconds: 10,
        api: { url: expect.any(String), token: expect.any(String), expires_at: expect.any(String) },
      },
    });
    expect(again).toEqual(first);
    expect((await offer.claim()).type).toBe('call.claim-refused.v1');
  });

  test.each([
    [1, 1],
    [60, 1],
    [61, 2],
    [600, 10],
  ])('of %d connected seconds costs %d credits', async (seconds, charge) => {
    const { calls, ledger } = await setUp({ credits: 20 });
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await backdate(id);
    const now = Date.now();

    await call.ended({
      connected_at: new Date(now - seconds * 1_000).toISOString(),
      occurred_at: new Date(now).toISOString(),
    });

    expect(await calls.reached(id, 'disconnected')).toMatchObject({ duration_sec: seconds });
    expect(await ledger()).toEqual({
      credits: 20 - charge,
      entries: ['hold -1', 'release 1', `charge -${charge}`],
    });
  });

  test('that never connected costs nothing', async () => {
    const { calls, ledger } = await setUp({ credits: 5 });
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();

    await call.failed({ disconnect_reason: 'dial_no_answer', disconnected_by: 'system' });

    expect(await calls.reached(id, 'failed')).toMatchObject({
      disconnect_reason: 'dial_no_answer',
      disconnected_by: 'system',
      connected_at: null,
      duration: '00:00:00',
    });
    expect(await ledger()).toEqual({ credits: 5, entries: ['hold -1', 'release 1'] });
  });

  test('that outlasts the credits is charged in full, and no further call starts', async () => {
    const { workspace, calls, ledger } = await setUp({ credits: 1 });
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await backdate(id);
    await call.ended({ connected_at: secondsAgo(300) });
    await calls.reached(id, 'disconnected');

    expect((await ledger()).credits).toBeLessThan(0);
    const { status } = await workspace.api.post(`/api/agents/${calls.agentId}/calls`, {
      to_number: '+15551234567',
    });
    expect(status).toBe(402);
  });

  test('is not changed by events that are late, repeated, out of order or have the token of another call', async () => {
    const { workspace, calls, ledger } = await setUp({ credits: 5 });
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    const other = await (await worker.findOffer(await calls.start())).take();
    await call.report('call.ended.v1', {
      token: other.token,
      connected_at: secondsAgo(1),
      disconnect_reason: 'error',
      disconnected_by: 'system',
    });
    await call.connected();
    await calls.reached(id, 'connected');
    await call.failed();
    await call.ended({ disconnect_reason: 'agent_hangup', disconnected_by: 'agent', summary: 'first' });
    await call.ended({ disconnect_reason: 'error', disconnected_by: 'system', summary: 'second' });
    await call.connected();
    await call.failed();
    await call.heartbeat();
    // Events are handled in parallel: the end of a later call shows that all of these were handled.
    await other.ended();
    await calls.reached(other.conversationId, 'disconnected');
    const ended = await calls.reached(id, 'disconnected');

    await until(async () => {
      const { body } = await workspace.api.get(`/api/agents/${calls.agentId}`);
      return (body as { data: [{ stats: { totalCalls: number } }] }).data[0].stats.totalCalls === 2;
    });
    expect(await calls.conversation(id)).toEqual(ended);
    expect(['first', 'second']).toContain((ended as { metadata: { summary: string } }).metadata.summary);
    const { credits, entries } = await ledger();
    expect(credits).toBe(3);
    expect(entries.sort()).toEqual([
      'charge -1',
      'charge -1',
      'hold -1',
      'hold -1',
      'release 1',
      'release 1',
    ]);
  });

  test('whose end is reported before its connection has the time of the connection', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await backdate(id);
    const connected_at = secondsAgo(30);

    await call.ended({ connected_at });

    expect(await calls.reached(id, 'disconnected')).toMatchObject({ connected_at });
  });

  test('that is reported to be longer than its worker held it is charged for the shorter time', async () => {
    const { calls, ledger } = await setUp({ credits: 5 });
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();

    await call.ended({ connected_at: secondsAgo(3_600) });

    expect((await calls.reached(id, 'disconnected')).duration_sec).toBeLessThan(60);
    expect((await ledger()).credits).toBe(4);
  });

  test('goes to the one queue that a worker pool has bound for it', async () => {
    const { calls } = await setUp();
    const queue = `${parley.topology.calls}.pool`;
    const bindings = [{ exchange: parley.topology.calls, routingKey: 'call.start.night.*' }];
    const pool = await TestWorker.start(parley, { queue, bindings });

    const night = await calls.start({ channel: 'night' });
    const day = await calls.start({ channel: 'day' });

    await pool.findOffer(night);
    await worker.findOffer(day);
    expect(worker.findOffers(night)).toEqual([]);
    expect(pool.findOffers(day)).toEqual([]);
    await pool.stop();
  });

  test('ends as it was reported, also where the texts of the report cannot be stored unchanged', async () => {
    const { calls, ledger } = await setUp({ credits: 5 });
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await backdate(id);

    await call.report('call.ended.v1', {
      connected_at: secondsAgo(90),
      disconnect_reason: 'agent_hangup',
      disconnected_by: 'agent',
      summary: '😀'.repeat(12_000) + 'x'.repeat(8_001),
      process_compliance: 'NUL \0 and half a pair \ud83d',
      outcome: null,
    });

    expect(await calls.reached(id, 'disconnected')).toMatchObject({
      disconnect_reason: 'agent_hangup',
      disconnected_by: 'agent',
      duration: '00:01:30',
      metadata: {
        summary: `${'😀'.repeat(12_000)}${'x'.repeat(7_999)}…`,
        process_compliance: 'NUL \ufffd and half a pair \ufffd',
        outcome: '',
      },
    });
    expect(await ledger()).toEqual({ credits: 3, entries: ['hold -1', 'release 1', 'charge -2'] });
  });

  test.each([
    ['call.ended.v1', 'disconnected', 4],
    ['call.failed.v1', 'failed', 5],
  ])(
    'whose %s has an unknown reason is %s with the reason error, and no log has a number that it names',
    async (type, status, credits) => {
      const warn = jest.spyOn(Logger.prototype, 'warn');
      const { calls, ledger } = await setUp({ credits: 5 });
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();

      const connected_at = secondsAgo(1);
      await call.report(type, {
        connected_at,
        disconnect_reason: 'worker_lost',
        disconnected_by: '+15557771234',
      });

      expect(await calls.reached(id, status)).toMatchObject({
        disconnect_reason: 'error',
        disconnected_by: 'system',
      });
      expect((await ledger()).credits).toBe(credits);
      const logged = JSON.stringify(warn.mock.calls);
      warn.mockRestore();
      expect(logged).toContain('"disconnectReason":"worker_lost"');
      expect(logged).not.toContain('15557771234');
    },
  );

  test('is reported after a malformed message too', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await call.report('call.ended.v1', { connected_at: 'yesterday', disconnect_reason: 'boredom' });
    await call.report('call.sneezed.v1', {});
    await call.report('call.failed.v1', { occurred_at: 'yesterday', disconnect_reason: 'dial_busy' });

    await call.ended();

    expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'user_hangup' });
  });
});
