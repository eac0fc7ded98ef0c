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
import { AskingBrain } from '../brain/asking-brain';
import { parseFrame } from '../json-frames';
import type { VoiceRuntimeParts } from './voice-runtime';

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
  (createHandler: (parts: Pick<VoiceRuntimeParts, 'joinMs' | 'createBrain'>) => Handler): Handler =>
  async (call) => {
    const callee = call.start.dynamic_variables.callee ?? 'answers 1';
    const [what, seconds] = callee.split(' ');
    if (what === 'busy') {
      await pause(RINGING_MS, undefined, { signal: call.signal });
      throw new CallFailed('dial_busy');
    }
    const comes = what !== 'no_answer';
    const [, name, json = '{}', interrupts] = / asks (\S+) (\{.*\})( interrupts)?$/.exec(callee) ?? [];
    const handler = createHandler({
      joinMs: comes ? RINGING_MS + UNANSWERED_MS : UNANSWERED_MS,
      ...(name !== undefined && { createBrain: (context) => new AskingBrain(context, name, json) }),
    });
    const person: Person = {
      ...{ rings: call.direction === 'outbound', ms: Number(seconds) * 1_000 },
      ...{ asks: name !== undefined, interrupts: interrupts !== undefined },
    };
    return handler(
      toWebCall(call, (url) => {
        if (comes) void converse(url, person);
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
    rehearsed: (facts) => call.rehearsed(facts),
    judged: (answers, tokens) => call.judged(answers, tokens),
    warn: (code, text) => call.warn(code, text),
    allowTransfer: (to) => call.allowTransfer(to),
    releasePlace: () => call.releasePlace(),
    takePlace: () => call.takePlace(),
    search: (query, options) => call.search(query, options),
    tool: (name, given, options) => call.tool(name, given, options),
    waitForTool: (asked, options) => call.waitForTool(asked, options),
  };
}

interface Person {
  rings: boolean;
  /** The time until the hang-up. */
  ms: number;
  /** Whether the person asks for something at once, and whether it speaks again while the agent is at work. */
  asks: boolean;
  interrupts: boolean;
}

/** A person who comes, says something from time to time, and hangs up. */
async function converse(url: string, { rings, ms, asks, interrupts }: Person): Promise<void> {
  if (rings) await pause(RINGING_MS);
  const client = new WebSocket(url);
  const send = (frame: object) => client.send(JSON.stringify(frame));
  const say = (text: string) => send({ event: 'text', text });
  const timers: NodeJS.Timeout[] = [];
  /** The words for the states of the agent, in their order. */
  const replies = [
    ...(asks ? [{ state: 'listening', text: 'Please do it.' }] : []),
    ...(interrupts ? [{ state: 'thinking', text: 'Wait a moment.' }] : []),
  ];
  client.on('error', (error) => console.error(`The person could not join: ${error.message}`));
  client.on('open', () => send({ event: 'start', mediaFormat: null }));
  client.on('message', (data: Buffer) => {
    const frame = parseFrame(data.toString());
    if (frame?.event === 'ready' && timers.length === 0)
      timers.push(
        setTimeout(() => send({ event: 'stop' }), ms),
        setInterval(() => say('I am still here.'), SAYS_SOMETHING_MS),
      );
    if (frame?.event !== 'state' || frame.state !== replies[0]?.state) return;
    const reply = replies.shift();
    if (reply) say(reply.text);
  });
  client.on('close', () => timers.forEach(clearTimeout));
}
