import { Client } from 'pg';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { campaignReached, createCampaign, readCampaign, recipientsFile } from '../support/campaigns';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';
import { until } from '../support/until';

const SETTINGS = { CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' };

describe('Two servers that share a busy workspace', () => {
  const parley = useOwnParley(SETTINGS);
  const startRuntime = useSimulatedRuntimes(parley);

  /** Sessions that hold, for some milliseconds at a time, the lock that foreign keys take on the workspace. */
  function holdKeyShares({ workspaceId }: TestWorkspace): () => Promise<void> {
    let isStopped = false;
    const sessions = Array.from({ length: 3 }, async () => {
      const client = new Client(parley.database.url);
      await client.connect();
      while (!isStopped) {
        await client.query('BEGIN');
        await client.query('SELECT FROM workspaces WHERE id = $1 FOR KEY SHARE', [workspaceId]);
        await client.query('SELECT pg_sleep(0.005)');
        await client.query('COMMIT');
      }
      await client.end();
    });
    return async () => {
      isStopped = true;
      await Promise.all(sessions);
    };
  }

  test('never have two statements wait for each other', async () => {
    const second = await TestParley.start(SETTINGS, parley.database);
    await startRuntime({ pace: 1 });
    await startRuntime({ pace: 1, broker: second.broker, topology: second.topology });
    const owner = await parley.workspace({ credits: 10_000 });
    const agents = [await createAgent(owner), await createAgent(owner)];
    const apis = [parley, second].map(({ api }) => api.with({ 'x-api-key': owner.apiKey }));
    const campaign = await createCampaign(owner.api, agents[0] as string, recipientsFile(20));
    const release = holdKeyShares(owner);

    const startCalls = async (_: unknown, client: number) => {
      const api = apis[client % apis.length] as ApiClient;
      const answers: number[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const path = `/api/agents/${agents[turn % agents.length]}/calls`;
        const { status, body } = await api.post(path, { to_number: '+15551234567' });
        answers.push(status);
        if (turn % 4 === 0) await api.post(`/api/calls/${body.data.conversation_id}/hangup`);
        if (turn === client % 8)
          await api.post(`/api/campaign/${campaign}/${client % 2 ? 'resume' : 'pause'}`);
      }
      return answers;
    };
    let statuses: number[][];
    try {
      statuses = await Promise.all(Array.from({ length: 14 }, startCalls));
    } finally {
      await release();
    }
    await owner.api.post(`/api/campaign/${campaign}/resume`);
    await campaignReached(owner.api, campaign, ({ status }) => status === 'completed');
    await second.stop({ keepDatabase: true });

    expect(new Set(statuses.flat())).toEqual(new Set([200]));
    await parley.sql('SELECT pg_stat_force_next_flush()');
    const found = await parley.sql(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(found).toEqual([{ deadlocks: 0 }]);
  });
});

describe('A campaign that another transaction has locked', () => {
  const parley = useOwnParley(SETTINGS);

  test('does not keep the runner from beginning the others', async () => {
    const owner = await parley.workspace();
    const agentId = await createAgent(owner);
    const later = { isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' };
    const ids = await Promise.all(
      [1, 2, 3].map(() => createCampaign(owner.api, agentId, recipientsFile(1), later)),
    );
    const [locked = '', ...others] = ids;
    const [due, lock, runners] = [1, 2, 3].map(() => new Client(parley.database.url)) as [
      Client,
      Client,
      Client,
    ];
    await Promise.all([due, lock, runners].map((client) => client.connect()));
    const isWaiting = (type: string) =>
      parley.sql(`SELECT FROM pg_locks WHERE NOT granted AND locktype = '${type}'`);
    await due.query('BEGIN');
    await due.query('UPDATE campaigns SET schedule_time = now()');
    await lock.query('BEGIN');
    // Waits for the times. The runner waits for the table, so that it does not come first when they are there.
    const isLocked = lock.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [locked]);
    await until(async () => (await isWaiting('transactionid')).length > 0);
    await runners.query('BEGIN');
    const isKept = runners.query('LOCK TABLE campaigns IN SHARE ROW EXCLUSIVE MODE');
    await until(async () => (await isWaiting('relation')).length > 0);
    await due.query('COMMIT');
    await due.end();
    await Promise.all([isLocked, isKept]);
    await runners.query('COMMIT');
    await runners.end();

    for (const id of others) await campaignReached(owner.api, id, ({ status }) => status === 'running');

    expect(await readCampaign(owner.api, locked)).toMatchObject({ status: 'scheduled' });
    await lock.query('COMMIT');
    await lock.end();
    await campaignReached(owner.api, locked, ({ status }) => status === 'running');
  });
});
