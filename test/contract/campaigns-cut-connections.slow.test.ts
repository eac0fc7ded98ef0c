import { createAgent } from '../support/agents';
import { createCampaign, createNumbers, recipientsFile } from '../support/campaigns';
import { readLedger } from '../support/ledger';
import { useOwnParley } from '../support/parley';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';
import { until } from '../support/until';

describe('A campaign', () => {
  const parley = useOwnParley({
    CAMPAIGN_INTERVAL_MS: '50',
    SWEEP_INTERVAL_MS: '50',
    CAMPAIGN_CONCURRENCY: '20',
  });
  const startRuntime = useSimulatedRuntimes(parley);

  const readCalls = () =>
    parley.sql<{ to_number: string; status: string }>('SELECT to_number, status FROM conversations');

  test('calls every recipient once although its database connections are closed repeatedly', async () => {
    await startRuntime({ pace: 1 });
    const owner = await parley.workspace({ credits: 500 });
    const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(200));
    for (const count of [20, 60, 100, 140, 180]) {
      await until(async () => (await readCalls()).length >= count);
      await parley.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'parley'`,
      );
    }

    await until(async () => {
      const [campaign] = await parley.sql<{ status: string }>('SELECT status FROM campaigns WHERE id = $1', [
        id,
      ]);
      return campaign?.status === 'completed';
    });
    const calls = await readCalls();
    expect(calls.map(({ to_number }) => to_number).sort()).toEqual(createNumbers(200).sort());
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['disconnected']));
    expect((await readLedger(parley, owner.workspaceId)).credits).toBe(300);
  });
});
