import { ParleyError, readRefusal } from '../errors';
import { credentialHeaders, DEFAULT_TIMEOUT_MS } from '../options';
import { pause } from '../pause';
import { computePause, isTransient, mayRepeat } from '../retries';
import { TimeLimit } from '../time-limit';
import type { Config } from './config-file';
import type { Output } from './output';
import { readEvents, type ServerSentEvent } from './server-sent-events';

/** The number of attempts that may follow the first, before there was a connection. */
const MAX_FIRST_RETRIES = 2;

/** The server sends a sign of life every 15 seconds. */
const SILENCE_MS = 35_000;

/**
 * The events of the stream of changes. A connection that is lost is made again.
 * @param timeLimit that of each attempt to connect
 */
export async function* followChanges(
  access: Config,
  output: Pick<Output, 'note'>,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): AsyncGenerator<ServerSentEvent> {
  let hasConnected = false;
  for (let failures = 0; ; failures += 1) {
    let retryAfter: number | undefined;
    const limit = new TimeLimit(timeoutMs);
    try {
      const body = await openStream(access, limit.signal);
      hasConnected = true;
      limit.restart(SILENCE_MS);
      for await (const event of readEvents(body)) {
        limit.restart();
        failures = 0;
        yield event;
      }
    } catch (error) {
      const failure = limit.explain(error);
      if (!(failure instanceof ParleyError)) throw failure;
      const goesOn = hasConnected
        ? isTransient(failure)
        : failures < MAX_FIRST_RETRIES && mayRepeat(failure, 'safe');
      if (!goesOn) throw failure;
      retryAfter = failure.retryAfter;
    } finally {
      limit.end();
    }
    // Each loss is noted once, and not each attempt after it.
    if (hasConnected && failures === 0)
      output.note('The connection was lost; changes in between are missing. Connecting again …');
    await pause(computePause({ retryAfter }, failures));
  }
}

async function openStream({ url, apiKey }: Config, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const address = `${url.replace(/\/+$/, '')}/api/live`;
  const response = await fetch(address, { headers: credentialHeaders(apiKey), signal, redirect: 'manual' });
  if (!response.ok) throw readRefusal(response, await response.json().catch(() => undefined));
  if (response.headers.get('content-type')?.includes('text/event-stream')) {
    return response.body as ReadableStream<Uint8Array>;
  }
  const message = `The answer of ${address} is no stream of events: is PARLEY_URL the address of a Parley server?`;
  throw new ParleyError({ status: response.status, code: 'INVALID_RESPONSE', message });
}
