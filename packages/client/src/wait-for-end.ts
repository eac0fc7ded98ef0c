import { ArgumentError } from './argument-error';
import { ParleyError } from './errors';
import { LONGEST_TIMER_MS, pause } from './pause';
import { isTransient } from './retries';
import type { RequestOptions, Schemas } from './types';

export interface WaitOptions {
  /** Milliseconds, or `Infinity`. Default: 15 minutes. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Something that ends. */
interface Ending<Value> {
  /** The noun for messages. */
  name: string;
  hasEnded: (value: Value) => boolean;
}

type Call = Schemas['CallDetailDto'];
type Run = Schemas['RehearsalRunDetailDto'];

const DEFAULT_TIMEOUT_MS = 15 * 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const GROWTH = 1.4;

const ENDED: readonly Call['status'][] = ['disconnected', 'failed'];

export const CALL: Ending<Call> = { name: 'call', hasEnded: ({ status }) => ENDED.includes(status) };

export const RUN: Ending<Run> = { name: 'rehearsal run', hasEnded: ({ ended_at }) => ended_at !== null };

export const DEPLOYMENT: Ending<Schemas['AgentDeploymentDto']> = {
  name: 'deployment',
  hasEnded: ({ status }) => status !== 'deploying',
};

/** Reads something until it has ended, ever less often. Once it was read, a server that does not answer is waited for. */
export async function waitForEnd<Value extends { status: string }>(
  { name, hasEnded }: Ending<Value>,
  read: (options: RequestOptions) => Promise<Value>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: WaitOptions = {},
): Promise<Value> {
  if (!(timeoutMs > 0)) throw new ArgumentError('timeoutMs must be a number of milliseconds above 0');
  const deadline = Date.now() + timeoutMs;
  let last: Value | undefined;
  let failure: ParleyError | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    try {
      last = await readBefore(deadline, read, signal);
      failure = undefined;
      if (hasEnded(last)) return last;
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      const isOver = Date.now() >= deadline;
      if (!isOver && !(last && isTransient(error))) throw error;
      failure = error;
    }
    const left = deadline - Date.now();
    const demanded = (failure?.retryAfter ?? 0) * 1_000;
    const wanted = Math.max(pauseMs * (0.8 + 0.2 * Math.random()), demanded);
    if (left > 0) await pause(Math.min(wanted, left), signal);
    if (left <= 0 || demanded > left) throw createTimeout(name, timeoutMs, last, failure);
  }
}

/** Also bounds the repetitions of the request. */
async function readBefore<Value>(
  deadline: number,
  read: (options: RequestOptions) => Promise<Value>,
  outer?: AbortSignal,
): Promise<Value> {
  outer?.throwIfAborted();
  const late = new AbortController();
  const abort = () => late.abort(outer?.reason);
  const timer = setTimeout(
    () => late.abort(new ParleyError({ code: 'TIMEOUT', message: 'There was no answer in time' })),
    // The last reading, at the end of the time, may take a moment.
    Math.min(Math.max(deadline - Date.now(), 1_000), LONGEST_TIMER_MS),
  );
  outer?.addEventListener('abort', abort, { once: true });
  try {
    return await read({ signal: late.signal });
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

const createTimeout = (
  name: string,
  timeoutMs: number,
  last: { status: string } | undefined,
  cause: ParleyError | undefined,
): ParleyError =>
  new ParleyError({
    code: 'TIMEOUT',
    message: `The ${name} has not ended within ${timeoutMs} ms${last ? `; its status is ${last.status}` : ''}`,
    cause,
  });
