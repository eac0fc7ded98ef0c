import { setTimeout } from 'node:timers/promises';
import { type Call, CallFailed, type CallResult } from '@parley/worker';
import { demoRecordingUrl } from '../../features/demo-recordings/demo-recording';
import { toResult } from './call-report';
import type { ConversationScript, Line, Scenario } from './scenario';

export interface SimulatedCallOptions {
  /** Milliseconds that each line takes, and the ringing before the first. */
  pace: number;
  /** The address of the server that has the recordings. undefined: there are none. */
  publicUrl: string | undefined;
}

/** Plays a call from dialling to its end. @returns how it ended, where it was answered */
export async function playCall(
  call: Call,
  scenario: Exclude<Scenario, { kind: 'crash' }>,
  { pace, publicUrl }: SimulatedCallOptions,
): Promise<CallResult | void> {
  await pause(pace, call.signal);
  if (call.signal.aborted) return undefined;
  if (scenario.kind === 'unreached') throw new CallFailed(scenario.disconnectReason);
  const connectedAt = new Date();
  await call.connected(connectedAt);
  const spoken = await speak(call, scenario.lines, pace);
  const result = toResult(scenario, spoken, call.signal);
  await record(call, publicUrl, Date.now() - connectedAt.getTime());
  await analyze(call, scenario, spoken, result);
  return result;
}

/** The share of the time of a line that is silence before its first word. */
const THINKING = 0.2;

/** @returns the lines that were spoken before the call was interrupted */
async function speak(call: Call, lines: Line[], pace: number): Promise<Line[]> {
  const spoken: Line[] = [];
  for (const line of lines) {
    await pause(pace * THINKING, call.signal);
    const startedAt = new Date();
    await pause(pace * (1 - THINKING), call.signal);
    if (call.signal.aborted) break;
    spoken.push(line);
    const speaker = line.speaker === 'agent' ? 'agent' : 'user';
    call.turn({ speaker, text: line.text, startedAt, endedAt: new Date() });
  }
  return spoken;
}

async function record(call: Call, publicUrl: string | undefined, milliseconds: number): Promise<void> {
  if (!publicUrl) return;
  const durationSec = Math.max(1, Math.ceil(milliseconds / 1_000));
  await call.recorded({ url: demoRecordingUrl(publicUrl, call.id, durationSec), durationSec });
}

async function analyze(
  call: Call,
  { duties, optsOut }: ConversationScript,
  spoken: Line[],
  { outcome = '' }: CallResult,
): Promise<void> {
  const isComplete = duties.every((duty) => spoken.some((line) => line.duty === duty));
  const options = optsOut && !call.signal.aborted ? { optOut: true } : {};
  await call.analyzed({ outcome, lines: spoken.length, all_duties_done: isComplete }, options);
}

/** Waits, until an interruption at the latest. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
