import { setTimeout as pause } from 'node:timers/promises';
import { createWorker } from '@parley/worker';
import { reportUsage } from './usage.mjs';

const worker = createWorker({}, async (call) => {
  await call.connected();
  for (let turn = 0; turn < 10; turn++) {
    call.turn({ speaker: 'agent', text: `${call.start.greeting} ${turn}` });
    await pause(2_000);
  }
  return { reason: 'agent_hangup', by: 'agent', summary: 'Done.' };
});
worker.on('state', (state) => state === 'running' && reportUsage());
await worker.run();
