import { SimulatedRuntime } from '../../../src/tools/simulated-runtime/simulated-runtime';
import { createAgent } from '../../support/agents';
import { campaignReached, createCampaign, createNumbers, recipientsFile } from '../../support/campaigns';
import { readLedger } from '../../support/ledger';
import { JWT_SECRET, TestParley } from '../../support/parley';
import { rabbitmqAvailable, rabbitmqUrl } from '../../support/rabbitmq';
import { ServerProcess } from '../../support/server-process';
import { until } from '../../support/until';

const RECIPIENTS = 240;

/** Numbers of conversations at which the server is killed. */
const KILLS = [60, 120, 180];

(rabbitmqAvailable ? describe : describe.skip)('A campaign whose server is killed several times', () => {
  let parley: TestParley;
  let runtime: SimulatedRuntime;
  let server: ServerProcess | undefined;

  const startServer = () =>
    ServerProcess.start({
      DATABASE_URL: parley.database.url,
      RABBITMQ_URL: rabbitmqUrl ?? '',
      BROKER_PREFIX: parley.topology.calls.replace(/\.calls$/, ''),
      ROLES: 'background',
      JWT_SECRET,
      LOG_LEVEL: 'warn',
      CAMPAIGN_CONCURRENCY: '25',
      CAMPAIGN_INTERVAL_MS: '50',
      SWEEP_INTERVAL_MS: '100',
    });

  beforeAll(async () => {
    // Creates the campaign and observes it. The runner is in the process that is killed.
    parley = await TestParley.start({ RABBITMQ_URL: rabbitmqUrl ?? '', ROLES: 'http' });
    runtime = new SimulatedRuntime({
      broker: parley.broker,
      topology: parley.topology,
      workerId: 'test',
      pace: 1,
    });
    await runtime.start();
  });
  afterAll(async () => {
    await runtime.stop();
    await server?.stop();
    await parley.stop();
  });

  test('calls every recipient once, is completed and charges exactly', async () => {
    const owner = await parley.workspace({ credits: 1_000 });
    const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(RECIPIENTS));
    const countCalls = async () => {
      const [row] = await parley.sql<{ count: number }>('SELECT count(*)::int FROM conversations');
      return row?.count ?? 0;
    };

    server = await startServer();
    for (const calls of KILLS) {
      await until(async () => (await countCalls()) >= calls);
      await server.kill();
      expect(await countCalls()).toBeLessThan(RECIPIENTS);
      server = await startServer();
    }
    const campaign = await campaignReached(owner.api, id, ({ status }) => status === 'completed');

    expect(campaign.progress).toEqual({
      pending: 0,
      queued: 0,
      accepted: 0,
      connected: 0,
      disconnected: RECIPIENTS,
      failed: 0,
      retrying: 0,
      skipped: 0,
    });
    const calls = await parley.sql<{ id: string; to_number: string }>(
      'SELECT id, to_number FROM conversations',
    );
    expect(calls.map(({ to_number }) => to_number).sort()).toEqual(createNumbers(RECIPIENTS).sort());
    const called = await parley.sql<{ conversation_id: string }>(
      'SELECT conversation_id FROM campaign_recipients',
    );
    expect(called.map(({ conversation_id }) => conversation_id).sort()).toEqual(
      calls.map((call) => call.id).sort(),
    );
    const { credits, entries } = await readLedger(parley, owner.workspaceId);
    expect(credits).toBe(1_000 - RECIPIENTS);
    for (const entry of ['hold -1', 'release 1', 'charge -1']) {
      expect(entries.filter((each) => each === entry)).toHaveLength(RECIPIENTS);
    }
    expect(entries).toHaveLength(3 * RECIPIENTS);
  });
});
