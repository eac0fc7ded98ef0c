import { type Call, CallFailed, type CallResult } from '@parley/worker';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Plays a call as its variable `callee` says: `answers N`, which may ask for a tool, `busy` or `no_answer`. See "Testing a runtime" in
 * docs/runtime-contract.md.
 */
export async function playCallee(call: Call): Promise<CallResult> {
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
  return { reason: 'user_hangup', by: 'user', summary: 'The person hung up.', outcome: 'completed' };
}

/** Uses the tool of `answers N asks NAME {JSON}`. With ` interrupts`, the person speaks meanwhile. */
async function useTool(call: Call): Promise<void> {
  const callee = call.start.dynamic_variables.callee ?? '';
  const [, name, json = '{}', interrupts] = / asks (\S+) (\{.*\})( interrupts)?$/.exec(callee) ?? [];
  if (name === undefined) return;
  const given = JSON.parse(json) as object;
  const asked = call.tool(name, given, { signal: call.signal });
  if (interrupts) call.turn({ speaker: 'user', text: 'Wait a moment.' });
  const { state, result } = await asked;
  call.turn({ speaker: 'tool', text: state, tool: { name, arguments: given, result } });
}
