// A runtime for tests of the contract: it obeys `dynamic_variables.callee` instead of dialling.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed, createWorker, IncomingRefused } from '@parley/worker';

const worker = createWorker({ name: 'conformance', handleSignals: true }, async (call) => {
  const [what, seconds] = (call.start.dynamic_variables.callee ?? 'answers 1').split(' ');
  const { signal } = call;
  if (what === 'busy') {
    await pause(1_000, undefined, { signal });
    throw new CallFailed('dial_busy');
  }
  if (what === 'no_answer') {
    await pause(5_000, undefined, { signal });
    throw new CallFailed('dial_no_answer');
  }
  if (call.direction === 'outbound') await pause(1_000, undefined, { signal });
  await call.connected();
  call.turn({ speaker: 'agent', text: call.start.greeting || 'Hello.' });
  await pause(Number(seconds) * 1_000, undefined, { signal });
  call.turn({ speaker: 'user', text: 'Goodbye.' });
  return { reason: 'user_hangup', by: 'user', summary: 'The person hung up.' };
});

const commands = createInterface({ input: process.stdin });
commands.on('line', (line) => {
  const [command, to_number = '', from_number = '', ...callee] = line.split(' ');
  if (command !== 'incoming') return;
  worker
    .incoming({ to_number, from_number, dynamic_variables: { callee: callee.join(' ') } })
    .catch((error: unknown) => {
      if (!(error instanceof IncomingRefused)) console.error(error);
    });
});

await worker.run();
commands.close();
process.stdin.destroy();
