import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { TestParley, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { Webhooks } from '../support/webhooks';
import { TakenCall, TestWorker } from '../support/worker';

const UNMARKED = 'SELECT FROM conversations WHERE dispatched_at IS NULL';

const FRESH = `SELECT FROM conversations WHERE id = $1 AND heartbeat_at > now() - interval '1 minute'`;

const SETTINGS = { SWEEP_INTERVAL_MS: '50', CALL_TTL_SECONDS: '600', LEASE_SECONDS: '600' };

describe('The sweeper', () => {
  const parley = useOwnParley({ ...SETTINGS, HEARTBEAT_SECONDS: '1' });
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  async function setUp() {
    const workspace = await parley.workspace({ credits: 10 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const webhooks = new Webhooks(workspace.api);
    const readEvents = async (id: string) => (await webhooks.ofCall(id)).map(({ type }) => type);
    return { calls, readEvents, ledger: () => readLedger(parley, workspace.workspaceId) };
  }

  /** Moves the times of one call into the past. */
  const later = (id: string, column: string, seconds: number) =>
    parley.sql(`UPDATE conversations SET ${column} = ${column} - $2 * interval '1 second' WHERE id = $1`, [
      id,
      seconds,
    ]);

  const dispatched = (id: string) =>
    until(async () => {
      const [row] = await parley.sql<{ dispatched_at: Date }>(
        'SELECT dispatched_at FROM conversations WHERE id = $1',
        [id],
      );
      return row?.dispatched_at;
    });

  test('publishes a call that a crash left unpublished', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    await worker.findOffer(id);
    await dispatched(id);

    await parley.sql(
      `UPDATE conversations SET dispatched_at = NULL, last_publish_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );

    await until(() => worker.findOffers(id).length === 2);
    await dispatched(id);
    expect((await calls.conversation(id)).status).toBe('queued');
  });

  test('ends a call that no runtime claimed in time, releases its hold and refuses later claims', async () => {
    const { calls, ledger } = await setUp();
    const id = await calls.start();
    const offer = await worker.findOffer(id);

    await later(id, 'expires_at', 600);

    expect(await calls.reached(id, 'failed')).toMatchObject({
      disconnect_reason: 'dispatch_expired',
      disconnected_by: 'system',
    });
    expect(await ledger()).toEqual({ credits: 10, entries: ['hold -1', 'release 1'] });
    expect((await offer.claim()).type).toBe('call.claim-refused.v1');
  });

  test('fails a call whose worker is silent before it was connected, without a charge', async () => {
    const { calls, ledger } = await setUp();
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();

    await later(id, 'heartbeat_at', 600);

    expect(await calls.reached(id, 'failed')).toMatchObject({
      disconnect_reason: 'worker_lost',
      disconnected_by: 'system',
    });
    expect(await ledger()).toEqual({ credits: 10, entries: ['hold -1', 'release 1'] });
    expect(call.conversationId).toBe(id);
  });

  test('ends a connected call whose worker is silent, charged until its last heartbeat', async () => {
    const { calls, ledger } = await setUp();
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await calls.reached(id, 'connected');
    await later(id, 'connected_at', 90);
    await later(id, 'connected_at', 600);

    await later(id, 'heartbeat_at', 600);

    expect(await calls.reached(id, 'disconnected')).toMatchObject({
      disconnect_reason: 'worker_lost',
      disconnected_by: 'system',
      duration: '00:01:30',
    });
    expect(await ledger()).toEqual({ credits: 8, entries: ['hold -1', 'release 1', 'charge -2'] });
  });

  test('does not end a call whose worker sends heartbeats', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await later(id, 'heartbeat_at', 590);

    await call.heartbeat();

    await until(async () => (await parley.sql(FRESH, [id])).length > 0);
    expect((await calls.conversation(id)).status).toBe('accepted');
  });

  describe('when it has found a call to end, but the worker changes it first,', () => {
    const WAITING = `SELECT FROM pg_locks WHERE relation = 'credit_entries'::regclass AND NOT granted`;

    /** Makes the sweeper find a call by its times, but not end it before `meanwhile` is done. */
    async function found(id: string, clock: string, meanwhile: () => Promise<void>) {
      const client = new Client(parley.database.url);
      await client.connect();
      try {
        // Each end writes to the ledger. Nothing else that a sweeper or a worker does writes there.
        await client.query('BEGIN; LOCK TABLE credit_entries IN SHARE MODE');
        await later(id, clock, 600);
        await until(async () => (await parley.sql(WAITING)).length > 0);
        await meanwhile();
      } finally {
        await client.end();
      }
    }

    /** Sweeps run one after another: the end of a call that a later sweep finds shows that the earlier ones are done. */
    async function nextSweep() {
      const { calls } = await setUp();
      const id = await calls.start();
      await later(id, 'expires_at', 600);
      await calls.reached(id, 'failed');
    }

    test('an expired call cannot be claimed, but one that was claimed in time continues', async () => {
      const { calls, ledger } = await setUp();
      const id = await calls.start();
      const offer = await worker.findOffer(id);

      await found(id, 'expires_at', async () => {
        expect((await offer.claim()).type).toBe('call.claim-refused.v1');
        await later(id, 'expires_at', -600);
        await offer.take();
        await later(id, 'expires_at', 600);
      });

      await nextSweep();
      expect((await calls.conversation(id)).status).toBe('accepted');
      expect(await ledger()).toEqual({ credits: 9, entries: ['hold -1'] });
    });

    test('a call that expires while its claim waits for a lock cannot be claimed', async () => {
      const { calls } = await setUp();
      const id = await calls.start();
      const offer = await worker.findOffer(id);
      const client = new Client(parley.database.url);
      await client.connect();
      await client.query('BEGIN');
      await client.query(`SELECT FROM conversations WHERE id = $1 FOR UPDATE`, [id]);
      const claim = offer.claim();
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                       AND query LIKE '%"claimId" uuid%'`;
      await until(async () => (await parley.sql(waiting)).length > 0);
      await client.query('UPDATE conversations SET expires_at = clock_timestamp() WHERE id = $1', [id]);
      await client.query('COMMIT');
      await client.end();

      expect((await claim).type).toBe('call.claim-refused.v1');
      await calls.reached(id, 'failed');
    });

    test.each(['accepted', 'connected'])('a call that is %s continues after a heartbeat', async (status) => {
      const { calls, ledger } = await setUp();
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();
      if (status === 'connected') await call.connected();
      await calls.reached(id, status);

      await found(id, 'heartbeat_at', async () => {
        await call.heartbeat();
        await until(async () => (await parley.sql(FRESH, [id])).length > 0);
      });

      await nextSweep();
      expect((await calls.conversation(id)).status).toBe(status);
      expect(await ledger()).toEqual({ credits: 9, entries: ['hold -1'] });
    });

    test('a call that was connected meanwhile is charged when its worker is silent again', async () => {
      const { calls, ledger } = await setUp();
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();

      await found(id, 'heartbeat_at', async () => {
        await call.connected();
        await calls.reached(id, 'connected');
        await later(id, 'connected_at', 660);
        // The time of the ending statement, which is when it began to wait, is correct too.
        await later(id, 'heartbeat_at', 660);
      });

      expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'worker_lost' });
      expect(await ledger()).toEqual({ credits: 9, entries: ['hold -1', 'release 1', 'charge -1'] });
    });
  });

  describe('when a worker that was considered lost still reports', () => {
    /** A call that was claimed (and answered) ten minutes ago, without any event since. */
    async function lostCall({ connected }: { connected: boolean }) {
      const { calls, ledger, readEvents } = await setUp();
      // No webhook is sent there: the address is private.
      const id = await calls.start({ webhook_url: 'http://127.0.0.1/' });
      const call = await (await worker.findOffer(id)).take();
      await later(id, 'accepted_at', 700);
      if (connected) {
        await call.connected();
        await calls.reached(id, 'connected');
        await later(id, 'connected_at', 660);
      }
      await later(id, 'heartbeat_at', 600);
      await calls.reached(id, connected ? 'disconnected' : 'failed');
      const agent = async () => (await parley.sql<object>(SUMS, [calls.agentId]))[0];
      return { calls, ledger, events: () => readEvents(id), id, call, agent };
    }

    /** Events are handled in parallel: the end of a later call shows that the earlier ones were handled. */
    async function othersWorkedOn() {
      const { calls } = await setUp();
      const id = await calls.start();
      await (await (await worker.findOffer(id)).take()).ended();
      await calls.reached(id, 'disconnected');
    }

    const SUMS = `
      SELECT calls AS total, successful, seconds::int FROM agent_call_totals WHERE agent_id = $1`;

    const createTimes = (minutes: number) => {
      const now = Date.now();
      return {
        connected_at: new Date(now - minutes * 60_000).toISOString(),
        occurred_at: new Date(now).toISOString(),
        disconnect_reason: 'agent_hangup',
        disconnected_by: 'agent',
        summary: 'They spoke on.',
      };
    };

    const reported = (call: { calls: AgentCalls; id: string }, reason: string) =>
      until(async () => {
        const shown = (await call.calls.conversation(call.id)) as { disconnect_reason: string };
        return shown.disconnect_reason === reason && shown;
      });

    test('the record and the charge are corrected, once', async () => {
      const lost = await lostCall({ connected: true });
      expect(await lost.ledger()).toEqual({ credits: 8, entries: ['hold -1', 'release 1', 'charge -2'] });

      const end = createTimes(4.5);
      await Promise.all([lost.call.ended(end), lost.call.ended(end), lost.call.ended(end)]);

      expect(await reported(lost, 'agent_hangup')).toMatchObject({
        status: 'disconnected',
        duration: '00:04:30',
        disconnected_by: 'agent',
        metadata: { summary: 'They spoke on.' },
      });
      await lost.call.ended({ ...end, disconnect_reason: 'user_hangup' });
      await lost.call.failed();
      await othersWorkedOn();
      const entries = ['hold -1', 'release 1', 'charge -2', 'correction -3'];
      expect(await lost.ledger()).toEqual({ credits: 5, entries });
      expect(await lost.events()).toEqual(['call.started', 'call.ended', 'call.ended']);
      expect(await lost.agent()).toEqual({ total: 1, successful: 1, seconds: 270 });
    });

    test('a call that was shorter than its lease is charged less', async () => {
      const lost = await lostCall({ connected: true });

      await lost.call.ended(createTimes(0.5));

      await reported(lost, 'agent_hangup');
      const entries = ['hold -1', 'release 1', 'charge -2', 'correction 1'];
      expect(await lost.ledger()).toEqual({ credits: 9, entries });
    });

    test('a call that was considered lost before it was connected is charged', async () => {
      const lost = await lostCall({ connected: false });
      expect(await lost.agent()).toEqual({ total: 1, successful: 0, seconds: 0 });

      await lost.call.connected();
      await lost.call.ended(createTimes(2));

      expect(await reported(lost, 'agent_hangup')).toMatchObject({
        status: 'disconnected',
        duration: '00:02:00',
      });
      expect(await lost.ledger()).toEqual({ credits: 8, entries: ['hold -1', 'release 1', 'correction -2'] });
      expect(await lost.events()).toEqual(['call.failed', 'call.started', 'call.ended']);
      expect(await lost.agent()).toEqual({ total: 1, successful: 1, seconds: 120 });
    });

    test('a call that was not answered is not charged, and has the reported reason', async () => {
      const lost = await lostCall({ connected: false });

      await lost.call.failed({ disconnect_reason: 'dial_no_answer' });

      expect(await reported(lost, 'dial_no_answer')).toMatchObject({ status: 'failed' });
      expect(await lost.ledger()).toEqual({ credits: 10, entries: ['hold -1', 'release 1'] });
      expect(await lost.events()).toEqual(['call.failed', 'call.failed']);
    });

    test('a heartbeat alone changes nothing', async () => {
      const lost = await lostCall({ connected: true });
      // The mark of the dispatch may come later, or never: a call that is being claimed needs none.
      const row = () =>
        parley.sql(
          `SELECT to_jsonb(call) - 'dispatched_at' AS call FROM conversations AS call WHERE id = $1`,
          [lost.id],
        );
      const ended = await row();

      await lost.call.heartbeat();
      await othersWorkedOn();

      expect(await row()).toEqual(ended);
    });

    test('the token of another call corrects nothing', async () => {
      const lost = await lostCall({ connected: true });

      await lost.call.report('call.ended.v1', { ...createTimes(1), token: randomUUID() });
      await othersWorkedOn();

      expect((await lost.calls.conversation(lost.id)).disconnect_reason).toBe('worker_lost');
    });
  });
});

test('A server that was stopped for longer than a lease waits for heartbeats before it ends calls as lost', async () => {
  // Sweeps are so rare that this server ends no call as lost while it runs.
  const before = await TestParley.start({ ...SETTINGS, HEARTBEAT_SECONDS: '300' });
  const worker = await TestWorker.start(before);
  const workspace = await before.workspace();
  const agentId = await createAgent(workspace);
  const id = await new AgentCalls(workspace.api, agentId).start();
  const { token } = await (await worker.findOffer(id)).take();
  await before.sql(`UPDATE conversations SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [id]);
  await worker.stop();
  await before.stop({ keepDatabase: true });

  const after = await TestParley.start({ ...SETTINGS, HEARTBEAT_SECONDS: '1' }, before.database);
  await new TakenCall(after, id, token).heartbeat();

  const calls = new AgentCalls(after.api.with({ 'x-api-key': workspace.apiKey }), agentId);
  const heard = await until(async () => {
    const [row] = await after.sql<{ status: string }>(
      `SELECT status FROM conversations WHERE id = $1 AND heartbeat_at > now() - interval '1 minute'`,
      [id],
    );
    return row;
  });
  expect(heard.status).toBe('accepted');
  await new TakenCall(after, id, token).failed();
  expect(await calls.reached(id, 'failed')).toMatchObject({ disconnect_reason: 'dial_busy' });
  await after.stop();
});

test('A server publishes all calls that another server left unpublished, in its first sweep', async () => {
  const LEFT = 150;
  // Each server sweeps once during the test.
  const settings = { ...SETTINGS, SWEEP_INTERVAL_MS: '60000' };
  const before = await TestParley.start(settings);
  const workspace = await before.workspace({ credits: LEFT });
  const calls = new AgentCalls(workspace.api, await createAgent(workspace));
  const left = await Promise.all(Array.from({ length: LEFT }, () => calls.start()));
  await until(async () => (await before.sql(UNMARKED)).length === 0);
  await before.sql(`UPDATE conversations SET last_publish_at = now() - interval '1 minute'`);
  // The in-process queues are lost with their server. RabbitMQ's are not, so there the marks are removed as by a crash.
  if (before.broker.kind === 'rabbitmq') await before.sql('UPDATE conversations SET dispatched_at = NULL');
  await before.stop({ keepDatabase: true });

  const after = await TestParley.start(settings, before.database);
  const worker = await TestWorker.start(after);

  await Promise.all(left.map((id) => worker.findOffer(id)));

  await worker.stop();
  await after.stop();
});
