// Says a greeting and goodbye. RABBITMQ_URL is the address of RabbitMQ.
import { setTimeout as pause } from 'node:timers/promises';
import { createWorker } from '@parley/worker';

const worker = createWorker({ name: 'scripted', capacity: 20, handleSignals: true }, async (call) => {
  // Your telephony dials call.start.to_number here, and throws CallFailed('dial_busy') if it is busy.
  await call.connected();
  for (const text of [call.start.greeting, 'Is this a good moment?', 'Thank you. Goodbye!']) {
    call.turn({ speaker: 'agent', text });
    // Throws when the call is hung up, which ends it as cancelled.
    await pause(500, undefined, { signal: call.signal });
  }
  return { reason: 'agent_hangup', by: 'agent', summary: 'Said hello and goodbye.', outcome: 'completed' };
});

await worker.run();
