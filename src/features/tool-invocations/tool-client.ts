import type { OnApplicationShutdown } from '@nestjs/common';
import { type Dispatcher, request } from 'undici';
import { outboundAgent } from '../../platform/outbound-http/outbound-agent';
import { toOutboundRequestError } from '../../platform/outbound-http/outbound-request.error';
import type { AddressRule } from '../../platform/outbound-http/public-address';
import { rejectOnAbort } from '../../platform/outbound-http/reject-on-abort';
import { INVOCATION_STATE, type InvocationState } from './tool-invocation.entity';
import type { ToolRequest } from './tool-request';

const MAX_BODY_BYTES = 64 * 1024;

/** NUL and half of a surrogate pair, as JSON has them: Postgres stores neither. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The characters of a refusal that are kept, so that a model can act on it. */
const MAX_REFUSAL = 1_000;

export interface ToolOutcome {
  state: Exclude<InvocationState, 'running'>;
  /** The answer, parsed if it is JSON; null: there is none that can be kept */
  result: unknown;
  error: string | null;
  /** The pause that the address asks for. 0: none */
  retryAfterMs: number;
}

const outcome = (state: ToolOutcome['state'], error: string | null, result: unknown = null): ToolOutcome => ({
  ...{ state, error, result, retryAfterMs: 0 },
});

/** Sends each request on a connection of its own, never to a private address. Redirects are not followed. */
export class ToolClient implements OnApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(private readonly isAddressAllowed: AddressRule) {}

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** @returns undefined if the server stops before the answer */
  async send(
    { url, method, headers, body }: ToolRequest,
    timeoutMs: number,
  ): Promise<ToolOutcome | undefined> {
    let isConnected = false;
    const agent = outboundAgent({
      isAddressAllowed: this.isAddressAllowed,
      connectTimeoutMs: timeoutMs,
      onConnected: () => (isConnected = true),
    });
    const time = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([time, this.stopping.signal]);
    try {
      const pending = request(url, { method, headers, body: body ?? null, dispatcher: agent, signal });
      return await readOutcome(await Promise.race([pending, rejectOnAbort(signal)]), signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return undefined;
      const { message } = toOutboundRequestError(error, { signal: time, timeoutMs }) ?? {
        message: `it cannot be reached (${String(error)})`,
      };
      return outcome(isConnected ? INVOCATION_STATE.unknown : INVOCATION_STATE.failed, message);
    } finally {
      await agent.destroy();
    }
  }
}

async function readOutcome(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const answered = `it answers with status ${statusCode}`;
  const text = await readStart(body, signal).catch(() => undefined);
  if (statusCode >= 200 && statusCode < 300) return readResult(text);
  const retryAfterMs = 1_000 * Math.max(0, Number(headers['retry-after']) || 0);
  if ([408, 425, 429].includes(statusCode) || (statusCode === 503 && headers['retry-after'] !== undefined))
    return { ...outcome(INVOCATION_STATE.failed, answered), retryAfterMs };
  if (statusCode < 400 || statusCode >= 500) return outcome(INVOCATION_STATE.unknown, answered);
  const said = text?.slice(0, MAX_REFUSAL).toWellFormed().replaceAll('\0', '\uFFFD');
  return outcome(INVOCATION_STATE.refused, said ? `${answered}: ${said}` : answered);
}

/** It was done, whatever its answer is. */
function readResult(text: string | undefined): ToolOutcome {
  const done = (error: string | null, result: unknown = null) =>
    outcome(INVOCATION_STATE.done, error, result);
  if (text === undefined) return done('its answer is broken');
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) return done('its answer is larger than 64 KB');
  if (text === '') return done(null);
  let result: unknown = text;
  try {
    result = JSON.parse(text);
  } catch {
    // An answer may be a plain text.
  }
  return UNSTORABLE.test(JSON.stringify(result))
    ? done('its answer has a character that cannot be stored')
    : done(null, result);
}

/** Reads a little more than is kept. @throws if the body is cut */
async function readStart(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    signal.throwIfAborted();
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) break;
  }
  return new TextDecoder('utf-8', { fatal: size <= MAX_BODY_BYTES }).decode(Buffer.concat(chunks));
}
