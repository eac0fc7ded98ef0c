import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { ledgerOf } from '../support/ledger';
import { useParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

describe('The sweeper', () => {
  const parley = useParley({ SWEEP_INTERVAL_MS: '50', CALL_TTL_SECONDS: '600', LEASE_SECONDS: '600' });
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  async function setUp() {
    const workspace = await parley.workspace({ credits: 10 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    return { calls, ledger: () => ledgerOf(parley, workspace.workspaceId) };
  }

  /** The clock of one call, moved on. */
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

  test('publishes a call again that a crash kept from being published', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    await worker.offerOf(id);
    await dispatched(id);

    await parley.sql(
      `UPDATE conversations SET dispatched_at = NULL, last_publish_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );

    await until(() => worker.offersOf(id).length === 2);
    await dispatched(id);
    expect((await calls.conversation(id)).status).toBe('queued');
  });

  test('ends a call that nobody claimed in time, gives its hold back and lets nobody claim it any more', async () => {
    const { calls, ledger } = await setUp();
    const id = await calls.start();
    const offer = await worker.offerOf(id);

    await later(id, 'expires_at', 600);

    expect(await calls.reached(id, 'failed')).toMatchObject({
      disconnect_reason: 'dispatch_expired',
      disconnected_by: 'system',
    });
    expect(await ledger()).toEqual({ credits: 10, entries: ['hold -1', 'release 1'] });
    expect((await offer.claim()).type).toBe('call.claim-refused.v1');
  });

  test('fails a call whose worker went silent before it was connected, free of charge', async () => {
    const { calls, ledger } = await setUp();
    const id = await calls.start();
    const call = await (await worker.offerOf(id)).take();

    await later(id, 'heartbeat_at', 600);

    expect(await calls.reached(id, 'failed')).toMatchObject({
      disconnect_reason: 'worker_lost',
      disconnected_by: 'system',
    });
    expect(await ledger()).toEqual({ credits: 10, entries: ['hold -1', 'release 1'] });
    await call.connected();
    await call.ended();
  });

  test('ends a connected call whose worker went silent, charged to its last sign of life', async () => {
    const { calls, ledger } = await setUp();
    const id = await calls.start();
    const call = await (await worker.offerOf(id)).take();
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

  test('leaves a call alone whose worker sends heartbeats', async () => {
    const { calls } = await setUp();
    const id = await calls.start();
    const call = await (await worker.offerOf(id)).take();
    await later(id, 'heartbeat_at', 590);

    await call.heartbeat();

    await until(async () => {
      const [row] = await parley.sql<{ is_fresh: boolean }>(
        `SELECT heartbeat_at > now() - interval '1 minute' AS is_fresh FROM conversations WHERE id = $1`,
        [id],
      );
      return row?.is_fresh;
    });
    expect((await calls.conversation(id)).status).toBe('accepted');
  });
});
