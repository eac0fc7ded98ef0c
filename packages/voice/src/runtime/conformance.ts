import { setTimeout as pause } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import {
  type Call,
  CallFailed,
  type CallStart,
  type Handler,
  type IncomingCall,
  type Worker,
} from '@parley/worker';
import { WebSocket } from 'ws';

const RINGING_MS = 1_000;
const UNANSWERED_MS = 5_000;
/** An agent ends a conversation in which nothing is said for half a minute. */
const SAYS_SOMETHING_MS = 10_000;

/**
 * For tests of the runtime contract: the variable `callee` of a call says what its person does (see "Testing a runtime" in
 * docs/runtime-contract.md). The person is a client in this process that joins at the real address, and converses in
 * writing.
 */
export const conformanceHandler =
  (createHandler: (joinMs: number) => Handler): Handler =>
  async (call) => {
    const [what, seconds] = (call.start.dynamic_variables.callee ?? 'answers 1').split(' ');
    if (what === 'busy') {
      await pause(RINGING_MS, undefined, { signal: call.signal });
      throw new CallFailed('dial_busy');
    }
    const comes = what !== 'no_answer';
    const handler = createHandler(comes ? RINGING_MS + UNANSWERED_MS : UNANSWERED_MS);
    return handler(
      toWebCall(call, (url) => {
        if (comes) void converse(url, { rings: call.direction === 'outbound', ms: Number(seconds) * 1_000 });
      }),
    );
  };

/** Takes calls that lines of the standard input announce: `incoming +TO +FROM answers 3`. @returns stops reading */
export function takeAnnouncedCalls(worker: Worker, refused: (error: Error) => void): () => void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [command, to_number = '', from_number = '', ...callee] = line.split(' ');
    if (command !== 'incoming') return;
    const call: IncomingCall = { to_number, from_number, dynamic_variables: { callee: callee.join(' ') } };
    worker.incoming(call).catch(refused);
  });
  return () => {
    lines.close();
    process.stdin.destroy();
  };
}

/** The call as one of a person at a browser. @param joinable is told where the person can join it */
function toWebCall(call: Call, joinable: (url: string) => void): Call {
  const { start } = call;
  const webStart: CallStart = { ...start, call_type: 'webcall', agent: { ...start.agent, type: 'chat' } };
  return {
    id: call.id,
    direction: call.direction,
    leaseSeconds: call.leaseSeconds,
    start: webStart,
    signal: call.signal,
    // The server gets no address: the calls of the kit are phone calls.
    joinable: (url) => Promise.resolve(joinable(url)),
    // The conversation is in writing.
    listenable: () => Promise.resolve(),
    connected: (at) => call.connected(at),
    turn: (turn) => call.turn(turn),
    recorded: (recording) => call.recorded(recording),
    record: (source, options) => call.record(source, options),
    analyzed: (fields, options) => call.analyzed(fields, options),
    warn: (code, text) => call.warn(code, text),
    allowTransfer: (to) => call.allowTransfer(to),
    releasePlace: () => call.releasePlace(),
    takePlace: () => call.takePlace(),
    search: (query, options) => call.search(query, options),
    tool: (name, given, options) => call.tool(name, given, options),
    waitForTool: (asked, options) => call.waitForTool(asked, options),
  };
}

/** A person who comes, says something from time to time, and hangs up. */
async function converse(url: string, { rings, ms }: { rings: boolean; ms: number }): Promise<void> {
  if (rings) await pause(RINGING_MS);
  const client = new WebSocket(url);
  const send = (frame: object) => client.send(JSON.stringify(frame));
  const timers: NodeJS.Timeout[] = [];
  client.on('error', (error) => console.error(`The person could not join: ${error.message}`));
  client.on('open', () => send({ event: 'start', mediaFormat: null }));
  client.on('message', (data: Buffer) => {
    if (!data.toString().includes('"ready"') || timers.length > 0) return;
    timers.push(
      setTimeout(() => send({ event: 'stop' }), ms),
      setInterval(() => send({ event: 'text', text: 'I am still here.' }), SAYS_SOMETHING_MS),
    );
  });
  client.on('close', () => timers.forEach(clearTimeout));
}
