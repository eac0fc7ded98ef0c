import { randomUUID } from 'node:crypto';
import { type ApiOptions, createAccess, isRefusal, repeatUntilAnswered, RequestRefused } from './api-access';
import { LENGTHS, shorten } from './limits';
import type { ApiOfCall, CallStart } from './messages';
import { pause } from './pause';

/** The time for which a request lets the server wait for the end of a tool. */
const WAIT_MS = 10_000;
/** The further time for its answer. */
const ANSWER_MS = 5_000;
/** The pause before the next such request. */
const PAUSE_MS = 100;
/** The time without an answer after which it is not known what becomes of a tool. */
const SILENCE_MS = 30_000;
/** The time for the answer to a request after the caller has stopped waiting. */
const LAST_ANSWER_MS = 2_000;

const NOT_KNOWN = 'The server has not said whether this was done';

export interface WaitOptions {
  /** Stops the waiting when it is aborted, and not the tool. */
  signal?: AbortSignal;
}

export interface ToolOptions extends WaitOptions {
  /** Whether the person was asked and agreed. Default: false */
  confirmed?: boolean;
}

/**
 * `running`: not settled yet. `done`: it was done. `refused`, `failed`: it was not. `unknown`: it is not known, so it must
 * not be done again.
 */
export type ToolState = 'running' | 'done' | 'refused' | 'failed' | 'unknown';

/** The use of a tool, as far as it is known. */
export interface ToolInvocation {
  /** null: the server has recorded none, or has not answered */
  invocationId: string | null;
  state: ToolState;
  /** The answer: the JSON that it is, or a text. */
  result: unknown;
  /** The reason in words if it was not done, or is not known; or why there is no result. */
  error: string | null;
  /** The `error_code` if the server did not accept it. */
  code: string | null;
  /** Whether it is an earlier invocation, so that nothing more was sent. */
  repeated: boolean;
  /** Values of the answer, which are variables of the call now. */
  variables: Record<string, string>;
}

interface InvocationData {
  invocation_id: string;
  state: ToolState;
  result: unknown;
  error: string | null;
  variables: Record<string, string>;
  repeated?: boolean;
}

/** The call in which a tool is asked for. */
export interface ToolCall {
  start: CallStart;
  api: ApiOfCall | undefined;
}

/** The tools of calls, as handlers use them. */
export interface ToolPort {
  ask(call: ToolCall, name: string, given: object, options: ToolOptions): Promise<ToolInvocation>;
  /** Resolves when the invocation is settled. */
  wait(call: ToolCall, asked: ToolInvocation, options: WaitOptions): Promise<ToolInvocation>;
}

export const NO_INVOCATION: Omit<ToolInvocation, 'state'> = {
  invocationId: null,
  result: null,
  error: null,
  code: null,
  repeated: false,
  variables: {},
};

/** Asks the server for tools, with the credentials of calls. */
export class Tools implements ToolPort {
  constructor(private readonly options: ApiOptions) {}

  /** @throws Error if the call has no credential; TypeError if the arguments are no JSON */
  async ask(
    call: ToolCall,
    name: string,
    given: object,
    { confirmed = false, signal }: ToolOptions,
  ): Promise<ToolInvocation> {
    const { url, headers } = this.access(call);
    const isBackground = call.start.tools?.find((tool) => tool.name === name)?.mode === 'background';
    const toBody = (wait_ms: number) => JSON.stringify({ arguments: given, confirmed, wait_ms });
    const [patient, atOnce] = [toBody(WAIT_MS), toBody(0)];
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    };
    let isLast = false;
    const send = () => {
      // The server shall have the asking also if nobody waits for it any more.
      isLast = signal?.aborted ?? false;
      const within = isLast ? AbortSignal.timeout(LAST_ANSWER_MS) : limit(signal);
      const body = isBackground || isLast ? atOnce : patient;
      return fetch(`${url}/${encodeURIComponent(name)}`, { ...request, body, signal: within });
    };
    const asked = await receive(send, () => isLast, signal);
    return isBackground ? asked : this.wait(call, asked, { signal });
  }

  async wait(call: ToolCall, asked: ToolInvocation, { signal }: WaitOptions): Promise<ToolInvocation> {
    const { url, headers } = this.access(call);
    const { invocationId, repeated } = asked;
    const address = `${url}/invocations/${invocationId}?wait_ms=${WAIT_MS}`;
    const send = () => fetch(address, { headers, signal: limit(signal) });
    let last = asked;
    while (last.state === 'running' && !signal?.aborted) {
      const found = await receive(send, () => signal?.aborted ?? false, signal);
      if (found.invocationId !== null) last = { ...found, repeated };
      // It was accepted, so that a refusal to tell its end does not say that it was not done.
      else if (!signal?.aborted) last = { ...found, invocationId, repeated, state: 'unknown' };
      if (last.state === 'running') await pause(PAUSE_MS, signal);
    }
    return last;
  }

  /** An API key may not ask for tools. */
  private access({ start, api }: ToolCall) {
    const { url, headers } = createAccess({ url: this.options.url, key: undefined }, api, 'call.tool');
    return { url: `${url}/api/calls/${start.conversation_id}/tools`, headers };
  }
}

/** The time for one request, which ends early when the signal is aborted. */
function limit(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(WAIT_MS + ANSWER_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function receive(
  send: () => Promise<Response>,
  isLast: () => boolean,
  signal: AbortSignal | undefined,
): Promise<ToolInvocation> {
  const until = performance.now() + SILENCE_MS;
  try {
    const { invocation_id, state, result, error, repeated, variables } =
      await repeatUntilAnswered<InvocationData>(send, 'The tool was refused', {
        isLast: (_attempt, pauseMs) => isLast() || performance.now() + pauseMs > until,
        signal,
      });
    return {
      ...NO_INVOCATION,
      ...{ invocationId: invocation_id, state, result, error, repeated: repeated ?? false, variables },
    };
  } catch (error) {
    const { message, cause } = error as Error;
    const { code = null, reasons } = error instanceof RequestRefused ? error : {};
    const why = reasons?.join('; ') ?? (cause instanceof Error ? cause.message : message);
    const state = isRefusal(error) ? 'refused' : 'unknown';
    const words = state === 'refused' ? why : `${NOT_KNOWN}: ${why}`;
    return { ...NO_INVOCATION, state, code, error: shorten(words, LENGTHS.text) };
  }
}
