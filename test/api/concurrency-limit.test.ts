import { createAgent } from '../support/agents';
import { campaignReached, createCampaign, recipientsFile } from '../support/campaigns';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';
import { TestWorker } from '../support/worker';

const LIMIT = 3;

describe('The calls that a workspace can have in progress', () => {
  const parley = useOwnParley({ WORKSPACE_CONCURRENCY: String(LIMIT), CAMPAIGN_INTERVAL_MS: '50' });
  const startRuntime = useSimulatedRuntimes(parley);

  const start = ({ api }: TestWorkspace, agentId: string) =>
    api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });

  const underWay = async ({ api }: TestWorkspace) => {
    const { body } = await api.get('/api/workspace');
    return (body as { data: { callsUnderWay: number } }).data.callsUnderWay;
  };

  test('are limited, also where fifty start at once, and the end of one allows another', async () => {
    const worker = await TestWorker.start(parley);
    const owner = await parley.workspace({ credits: 100 });
    const calls = new AgentCalls(owner.api, await createAgent(owner));

    const answers = await Promise.all(Array.from({ length: 50 }, () => start(owner, calls.agentId)));

    const started = answers.filter(({ status }) => status === 200);
    expect(started).toHaveLength(LIMIT);
    for (const { status, headers, body } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toBe('1');
      expect(body).toEqual({
        status: 429,
        message: 'Too many calls in progress',
        details: expect.stringContaining('3 calls of this workspace are in progress') as string,
        error_code: 'CONCURRENCY_LIMIT',
      });
    }
    expect(await underWay(owner)).toBe(LIMIT);
    expect((await readLedger(parley, owner.workspaceId)).entries).toEqual(['hold -1', 'hold -1', 'hold -1']);

    const [first] = started as { body: { data: { conversation_id: string } } }[];
    const id = first?.body.data.conversation_id ?? '';
    await (await (await worker.findOffer(id)).take()).failed();
    await calls.reached(id, 'failed');
    expect(await underWay(owner)).toBe(LIMIT - 1);
    expect((await start(owner, calls.agentId)).status).toBe(200);
    await worker.stop();
  });

  test('are counted for each workspace separately', async () => {
    const [one, another] = [await parley.workspace(), await parley.workspace()];
    const agentId = await createAgent(one);
    await Promise.all(Array.from({ length: LIMIT }, () => start(one, agentId)));

    expect((await start(one, agentId)).status).toBe(429);
    expect((await start(another, await createAgent(another))).status).toBe(200);
  });

  test('are not the reason of the refusal where credits are missing', async () => {
    const owner = await parley.workspace({ credits: 2 });
    const agentId = await createAgent(owner);

    const answers = await Promise.all(Array.from({ length: 10 }, () => start(owner, agentId)));

    expect(answers.filter(({ status }) => status === 402)).toHaveLength(8);
  });

  test('make a campaign wait, without any attempt to start its calls', async () => {
    const owner = await parley.workspace();
    const agentId = await createAgent(owner);
    await Promise.all(Array.from({ length: LIMIT }, () => start(owner, agentId)));
    const id = await createCampaign(owner.api, agentId, recipientsFile(1));
    const log = async () => (await owner.api.get(`/api/campaign/${id}/log`)).body.data as { event: string }[];
    await until(async () => (await log()).some(({ event }) => event === 'waiting'));
    // The last transaction that has locked its row, as each attempt to start a call does.
    const locked = () => parley.sql('SELECT status, xmax FROM campaigns WHERE id = $1', [id]);
    const before = await locked();

    // The campaign starts at a later tick: the waiting one was before it.
    const another = await parley.workspace();
    const later = await createCampaign(another.api, await createAgent(another), recipientsFile(1));
    await campaignReached(another.api, later, ({ progress }) => progress.queued === 1);

    expect(await locked()).toEqual(before);
    expect(before).toMatchObject([{ status: 'running' }]);
  });

  test('make a campaign wait, which continues when a call has ended', async () => {
    const owner = await parley.workspace();
    const agentId = await createAgent(owner);
    await startRuntime({ pace: 1 });

    const id = await createCampaign(owner.api, agentId, recipientsFile(10));

    const { progress } = await campaignReached(owner.api, id, ({ status }) => status === 'completed');
    expect(progress).toMatchObject({ disconnected: 10, pending: 0 });
    expect(await underWay(owner)).toBe(0);
  });
});
