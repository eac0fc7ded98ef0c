// A runtime for tests of the contract: it obeys `dynamic_variables.callee` instead of dialling.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, CallFailed, createWorker, IncomingRefused } from '@parley/worker';

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
  await Promise.all([pause(Number(seconds) * 1_000, undefined, { signal }), useTool(call)]);
  call.turn({ speaker: 'user', text: 'Goodbye.' });
  return { reason: 'user_hangup', by: 'user', summary: 'The person hung up.' };
});

/** Uses the tool of `answers 5 asks NAME {JSON}`. With ` interrupts`, the person speaks meanwhile. */
async function useTool(call: Call) {
  const callee = call.start.dynamic_variables.callee ?? '';
  const [, name, json = '{}', interrupts] = / asks (\S+) (\{.*\})( interrupts)?$/.exec(callee) ?? [];
  if (name === undefined) return;
  const given = JSON.parse(json) as object;
  const asked = call.tool(name, given, { signal: call.signal });
  if (interrupts) call.turn({ speaker: 'user', text: 'Wait a moment.' });
  const { state, result } = await asked;
  call.turn({ speaker: 'tool', text: state, tool: { name, arguments: given, result } });
}

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
