import { randomUUID } from 'node:crypto';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

const provider = (fields: object = {}) => ({
  ...{ part: 'language', name: 'openai', state: 'open', since: '2026-01-31T09:30:00.000Z' },
  ...{ p95_ms: 640.5, requests: 12, failures: 3 },
  ...fields,
});

const hello = (fields: object = {}) => ({
  worker_id: `worker ${randomUUID()}`,
  name: 'Front desk',
  version: '2.4.1',
  capacity: 20,
  calls: 0,
  providers: [provider()],
  ...fields,
});

describe('The runtimes of an installation', () => {
  const parley = useOwnParley();

  const say = (body: object) =>
    parley.broker.publish({
      exchange: parley.topology.events,
      routingKey: 'worker.hello',
      type: MESSAGE_TYPES.hello,
      messageId: randomUUID(),
      body,
    });

  const overview = async ({ api }: TestWorkspace): Promise<Shown> =>
    (await api.get('/api/runtimes')).body.data;

  const workerIn = async (workspace: TestWorkspace, id: string): Promise<Shown> =>
    (await overview(workspace)).workers.find(({ worker_id }: Shown) => worker_id === id);

  const seenBy = (workspace: TestWorkspace, id: string): Promise<Shown> =>
    until(() => workerIn(workspace, id));

  /** Sends a hello, and waits until the server has stored it. Hellos are handled at once, in no order. */
  async function sayAndWait(body: ReturnType<typeof hello>) {
    await say(body);
    await until(async () => {
      const stored = await parley.sql('SELECT FROM workers WHERE id = $1 AND version = $2 AND calls = $3', [
        body.worker_id,
        body.version,
        body.calls,
      ]);
      return stored.length > 0;
    });
  }

  /** Starts a call, and claims it for a worker. */
  async function claimFor(workerId: string, workspace: TestWorkspace) {
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const worker = await TestWorker.start(parley);
    const offer = await worker.findOffer(await calls.start());
    expect((await offer.claim(randomUUID(), workerId)).type).toBe(MESSAGE_TYPES.claimed);
    await worker.stop();
    return { calls, id: offer.start.conversation_id };
  }

  test('are seen by everybody while they are idle', async () => {
    const [workspace, other] = [await parley.workspace(), await parley.workspace()];
    const idle = hello();
    const before = Date.now();

    await say(idle);

    const { last_seen_at, ...shown } = await seenBy(workspace, idle.worker_id);
    expect(shown).toEqual(idle);
    expect(Date.parse(last_seen_at as string)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(last_seen_at as string)).toBeLessThanOrEqual(Date.now());
    expect(await workerIn(other, idle.worker_id)).toMatchObject(idle);
  });

  test('are asked for no language models where the server has no voice runtime', async () => {
    expect(await overview(await parley.workspace())).toMatchObject({ language_models: null });
  });

  test('say nothing of their providers if they are older, or do not ask any', async () => {
    const workspace = await parley.workspace();
    const { providers: _, ...older } = hello();

    await say(older);

    expect(await seenBy(workspace, older.worker_id)).toMatchObject({ providers: [] });
  });

  test('are shown as they said last', async () => {
    const workspace = await parley.workspace();
    const first = hello();
    await say(first);
    await seenBy(workspace, first.worker_id);

    await sayAndWait({ ...first, version: '3.0.0', capacity: 5 });

    expect(await workerIn(workspace, first.worker_id)).toMatchObject({ version: '3.0.0', capacity: 5 });
  });

  test('with calls of a workspace are seen by it, with its calls, and by no other', async () => {
    const [workspace, other, stranger] = await Promise.all([
      parley.workspace(),
      parley.workspace(),
      parley.workspace(),
    ]);
    const busy = hello();
    await claimFor(busy.worker_id, workspace);
    await claimFor(busy.worker_id, workspace);
    await claimFor(busy.worker_id, other);

    // The runtime has sent no hello yet.
    expect(await workerIn(workspace, busy.worker_id)).toMatchObject({
      name: '',
      version: '',
      capacity: null,
      calls: 2,
    });
    // This hello is older than its last claims.
    await sayAndWait(busy);

    expect(await workerIn(workspace, busy.worker_id)).toMatchObject({ name: 'Front desk', calls: 2 });
    expect(await workerIn(other, busy.worker_id)).toMatchObject({ calls: 1 });
    expect(await workerIn(stranger, busy.worker_id)).toBeUndefined();

    await sayAndWait({ ...busy, calls: 3 });
    expect(await workerIn(workspace, busy.worker_id)).toMatchObject({ calls: 2 });
    expect(await workerIn(stranger, busy.worker_id)).toBeUndefined();
  });

  test('are idle again when their calls have ended', async () => {
    const [workspace, stranger] = [await parley.workspace(), await parley.workspace()];
    const busy = hello();
    const { id, calls } = await claimFor(busy.worker_id, workspace);
    await sayAndWait(busy);
    expect(await workerIn(stranger, busy.worker_id)).toBeUndefined();

    await parley.sql(
      `UPDATE conversations SET status = 'failed', ended_at = now(), disconnect_reason = 'error' WHERE id = $1`,
      [id],
    );

    await calls.reached(id, 'failed');
    expect(await workerIn(stranger, busy.worker_id)).toMatchObject({ calls: 0 });
  });

  test('are removed when they send no more hellos', async () => {
    const workspace = await parley.workspace();
    const [silent, alive] = [hello(), hello()];
    await say(silent);
    await seenBy(workspace, silent.worker_id);

    await parley.sql(`UPDATE workers SET last_seen_at = now() - interval '46 seconds' WHERE id = $1`, [
      silent.worker_id,
    ]);

    expect(await workerIn(workspace, silent.worker_id)).toBeUndefined();
    await say(alive);
    await seenBy(workspace, alive.worker_id);
    expect(await parley.sql('SELECT FROM workers WHERE id = $1', [silent.worker_id])).toEqual([]);
  });

  test('are bounded in number, and stored ones stay stored', async () => {
    const workspace = await parley.workspace();
    const known = hello();
    await say(known);
    await seenBy(workspace, known.worker_id);

    await Promise.all(Array.from({ length: 1_500 }, () => say(hello({ name: 'flood' }))));
    const stored = async () => (await parley.sql('SELECT FROM workers')).length;
    await until(async () => (await stored()) === 1_000);
    await say({ ...known, version: 'after the flood' });
    await until(async () => (await workerIn(workspace, known.worker_id))?.version === 'after the flood');

    expect(await stored()).toBe(1_000);
    await parley.sql('DELETE FROM workers');
  });

  test('that send a malformed hello are not stored', async () => {
    const workspace = await parley.workspace();
    const wrong = [
      hello({ worker_id: '' }),
      hello({ worker_id: 'x'.repeat(201) }),
      hello({ name: 'x'.repeat(101) }),
      hello({ version: 7 }),
      hello({ capacity: -1 }),
      hello({ calls: 1.5 }),
      hello({ name: '\0' }),
      hello({ providers: Array.from({ length: 21 }, () => provider()) }),
      hello({ providers: [provider({ state: 'asleep' })] }),
      hello({ providers: [provider({ name: 'x'.repeat(101) })] }),
      hello({ providers: [provider({ requests: -1 })] }),
    ];
    const before = (await overview(workspace)).dead.events as number;

    for (const each of wrong) await say(each);

    await until(async () => (await overview(workspace)).dead.events === before + wrong.length);
    const ids = wrong.map(({ worker_id }) => worker_id);
    expect(await parley.sql('SELECT FROM workers WHERE id = ANY ($1)', [ids])).toEqual([]);
  });

  test('have queues whose waiting messages and consumers are shown', async () => {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const { callsQueue, claimsQueue, eventsQueue } = parley.topology;
    const shown = async () => {
      const { broker, queues } = await overview(workspace);
      expect(broker).toEqual({ kind: parley.broker.kind, state: 'up' });
      return queues;
    };
    const [idle] = await shown();

    const id = await calls.start();

    const figures = await until(async () => {
      const found = await shown();
      return found[0].ready === idle.ready + 1 && found;
    });
    expect(figures).toEqual([
      { name: callsQueue, ready: idle.ready + 1, consumers: 0 },
      { name: claimsQueue, ready: 0, consumers: 1 },
      { name: eventsQueue, ready: 0, consumers: 1 },
    ]);
    const worker = await TestWorker.start(parley);
    await worker.findOffer(id);
    await until(async () => {
      const [found] = await shown();
      return found.ready === 0 && found.consumers === 1;
    });
    await worker.stop();
  });
});
