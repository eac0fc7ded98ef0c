import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { QUEUED_CALLS, readMetric } from '../support/metrics';
import { useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const parley = useOwnParley();
const worker = useStarted(() => TestWorker.start(parley));

test('The metrics of the whole installation are read again every ten seconds', async () => {
  const workspace = await parley.workspace();
  const calls = new AgentCalls(workspace.api, await createAgent(workspace));

  const id = await calls.start();
  await until(async () => (await readMetric(parley.url, QUEUED_CALLS)) === 1);
  await (await worker.findOffer(id)).take();

  await until(async () => (await readMetric(parley.url, QUEUED_CALLS)) === 0);
});
