import { appendFileSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, CallFailed, type CallResult, createWorker } from '@parley/worker';
import { TURNS } from './incoming-load';
import { ASKS_FOR_TOOLS, IS_BUSY, OPTS_OUT } from './numbers';

/**
 * A worker of `@parley/worker`. It writes every number to the dial log before it dials, so that a number that is in the
 * log twice was dialled twice, to the end log when the library has kept the end of its call, and to the told log what it is
 * told of invocations of tools.
 */
const { DIAL_LOG = '', END_LOG = '', TOLD_LOG, OUTBOX = '' } = process.env;
const CAPACITY = 200;
const RINGING_MS = 50;
const LONGEST_TALK_MS = 500;

// Synchronous, so that a line is stored before its number is dialled.
const dialLog = openSync(DIAL_LOG, 'as');
const endLog = openSync(END_LOG, 'as');
const toldLog = TOLD_LOG === undefined ? undefined : openSync(TOLD_LOG, 'as');

/** Asks for each tool twice at once, as a model does that repeats itself. */
async function askForTools(call: Call, told: number): Promise<void> {
  const { tools = [], to_number } = call.start;
  const asked = await Promise.all(
    [...tools, ...tools].map(({ name }) => call.tool(name, { number: to_number })),
  );
  for (const { invocationId, state } of asked)
    if (invocationId !== null) appendFileSync(told, `${invocationId} ${state}\n`);
}

async function talk(call: Call): Promise<CallResult> {
  appendFileSync(dialLog, `${call.id} ${call.start.to_number}\n`);
  await pause(RINGING_MS);
  if (IS_BUSY.test(call.start.to_number)) throw new CallFailed('dial_busy');
  await call.connected();
  await pause(Math.random() * LONGEST_TALK_MS);
  if (toldLog !== undefined && ASKS_FOR_TOOLS.test(call.start.to_number)) await askForTools(call, toldLog);
  for (let turn = 1; turn <= TURNS; turn += 1) call.turn({ speaker: 'agent', text: `Turn ${turn}` });
  return { reason: 'user_hangup', by: 'user' };
}

const worker = createWorker(
  {
    workerId: `runtime ${process.pid}`,
    capacity: CAPACITY,
    outbox: OUTBOX,
    handleSignals: true,
    logger: { debug() {}, info() {}, warn: console.error, error: console.error },
  },
  talk,
);
worker.on('end', ({ conversationId }, call) => {
  appendFileSync(endLog, `${conversationId} ${call.start.to_number}\n`);
  if (OPTS_OUT.test(call.start.to_number)) void call.analyzed({}, { optOut: true });
});
let isReady = false;
worker.on('state', (state) => {
  if (state === 'running' && !isReady) isReady = process.send?.('ready') ?? true;
});

/** Blocks the event loop. */
process.on('message', ({ blockMs }: { blockMs: number }) => {
  process.send?.('blocked');
  for (const until = Date.now() + blockMs; Date.now() < until;);
  process.send?.('free');
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
void worker.run().then(() => process.exit());
