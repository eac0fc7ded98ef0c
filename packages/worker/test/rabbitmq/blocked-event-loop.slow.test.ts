import { createAgent } from '../../../../test/support/agents';
import { AgentCalls } from '../../../../test/support/calls';
import { useOwnParley } from '../../../../test/support/parley';
import { withChannel } from '../../../../test/support/rabbitmq';
import { until } from '../../../../test/support/until';
import { WorkerProcess } from '../support/worker-process';
import { useWorkers } from '../support/workers';

const LEASE_SECONDS = 2;
const BLOCKED_MS = 4 * LEASE_SECONDS * 1_000;

describe('A handler that blocks the event loop for longer than the lease', () => {
  const parley = useOwnParley({ LEASE_SECONDS: `${LEASE_SECONDS}`, JOB_LEASE_SECONDS: '1' });
  const startWorker = useWorkers(parley);
  const processes: WorkerProcess[] = [];
  afterEach(() => Promise.all(processes.splice(0).map((process) => process.kill())));

  test('keeps its call, and its worker takes no others meanwhile', async () => {
    const blocking = await WorkerProcess.start(parley, {
      handler: `
        await call.connected();
        console.log('blocks');
        const end = Date.now() + ${BLOCKED_MS};
        while (Date.now() < end);
        console.log('goes on');
        return { reason: 'agent_hangup', by: 'agent', summary: 'Thought long.' };`,
      options: { capacity: 10 },
    });
    processes.push(blocking);
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const { callsQueue } = parley.topology;
    const id = await calls.start();
    await until(() => blocking.output.includes('blocks'));

    // The blocked worker cancels its consumer.
    await until(() =>
      withChannel(async (channel) => (await channel.checkQueue(callsQueue)).consumerCount === 0),
    );
    const { worker } = await startWorker((call) => call.connected());
    await calls.reached(await calls.start(), 'disconnected');
    expect(worker.stats().claimed).toBe(1);
    expect(blocking.output).not.toContain('goes on');
    const call = await calls.reached(id, 'disconnected');

    expect(call).toMatchObject({ disconnect_reason: 'agent_hangup', metadata: { summary: 'Thought long.' } });
    const { body } = await workspace.api.get(`/api/calls/${id}/timeline`);
    expect(JSON.stringify(body)).not.toContain('worker_lost');
    expect(blocking.output).toContain('goes on');
  });
});
