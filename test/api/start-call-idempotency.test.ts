import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { countCreated, sendIdempotent, withKey } from '../support/keyed-requests';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { TestWorker } from '../support/worker';

describe('Starting a call with an Idempotency-Key', () => {
  const parley = useOwnParley();
  let workspace: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    workspace = await parley.workspace({ credits: 100 });
    agentId = await createAgent(workspace);
  });

  test('fifty times at once is one call with one hold, which is offered once', async () => {
    const worker = await TestWorker.start(parley);
    const api = withKey(parley, workspace, randomUUID());
    const start = () => sendIdempotent(api, 'starting a call', agentId);

    const answers = await Promise.all(Array.from({ length: 50 }, start));
    const again = await start();

    const started = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(50 - started.length);
    expect(started.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(new Set([...started, again].map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { conversation_id: id } = again.body.data as { conversation_id: string };
    await (await worker.findOffer(id)).take();
    expect(worker.findOffers(id)).toHaveLength(1);
    expect(await countCreated(parley, 'starting a call', workspace)).toBe(1);
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({ credits: 99, entries: ['hold -1'] });
    await worker.stop();
  });

  test('that cannot be published is answered with its failure again, and nothing is charged', async () => {
    const api = withKey(parley, workspace, randomUUID());
    await parley.broker.close();

    const first = await sendIdempotent(api, 'starting a call', agentId);
    const second = await sendIdempotent(api, 'starting a call', agentId);

    expect(first).toMatchObject({
      status: 500,
      body: { message: 'The call could not be published to the agent' },
    });
    expect(second).toMatchObject({ status: 500, body: first.body as object });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const { body } = await workspace.api.get(`/api/agents/${agentId}/conversations`);
    const [{ conversation_id: id }, ...others] = body.data.conversations as { conversation_id: string }[] as [
      { conversation_id: string },
    ];
    expect(others).toEqual([]);
    expect(await new AgentCalls(workspace.api, agentId).conversation(id)).toMatchObject({
      disconnect_reason: 'dispatch_failed',
    });
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({
      credits: 100,
      entries: ['hold -1', 'release 1'],
    });
  });
});
