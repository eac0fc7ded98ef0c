import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { useOwnParley } from '../support/parley';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';

describe('The simulated runtime, by the lease of its calls,', () => {
  const parley = useOwnParley({ LEASE_SECONDS: '2', SWEEP_INTERVAL_MS: '100' });
  const startRuntime = useSimulatedRuntimes(parley);

  async function newAgent() {
    const workspace = await parley.workspace({ credits: 10 });
    const agentId = await createAgent(workspace, { greeting: 'Good day, {{customer}}!' });
    return { workspace, calls: new AgentCalls(workspace.api, agentId) };
  }

  test('is noticed when it crashes after the claim, and the call costs nothing', async () => {
    const { workspace, calls } = await newAgent();
    await startRuntime();

    const id = await calls.start({ to_number: '+15551234505' });

    expect(await calls.reached(id, 'failed')).toMatchObject({
      disconnect_reason: 'worker_lost',
      disconnected_by: 'system',
      connected_at: null,
    });
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(10);
  });

  test('keeps a call that lasts longer than the lease', async () => {
    const { calls } = await newAgent();
    await startRuntime({ pace: 500 });

    const id = await calls.start();

    const ended = (await calls.reached(id, 'disconnected')) as { duration_sec: number };
    expect(ended).toMatchObject({ metadata: { outcome: 'completed' } });
    expect(ended.duration_sec).toBeGreaterThanOrEqual(2);
  });
});
