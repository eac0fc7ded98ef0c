import { ParleyError, readRefusal } from '../errors';
import { credentialHeaders } from '../options';
import { pause } from '../pause';
import { hasNoAnswer } from '../retries';
import { TimeLimit } from '../time-limit';
import type { Cli } from './cli';
import type { Config } from './config-file';
import { readEvents, type ServerSentEvent } from './server-sent-events';

/** The server sends a sign of life every 15 seconds. */
const SILENCE_MS = 35_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** The events of the stream of changes. A connection that is lost is made again. */
export async function* followChanges(cli: Cli, access: Config): AsyncGenerator<ServerSentEvent> {
  let hasConnected = false;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const limit = new TimeLimit(SILENCE_MS);
    try {
      const body = await openStream(access, limit.signal);
      hasConnected = true;
      for await (const event of readEvents(body)) {
        limit.restart();
        pauseMs = FIRST_PAUSE_MS;
        yield event;
      }
    } catch (error) {
      const failure = limit.explain(error);
      const isLost = failure instanceof ParleyError && (hasNoAnswer(failure) || failure.status === 503);
      if (!hasConnected || !isLost) throw failure;
    } finally {
      limit.end();
    }
    cli.output.note('The connection was lost; changes in between are missing. Connecting again …');
    await pause(pauseMs);
  }
}

async function openStream({ url, apiKey }: Config, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const address = `${url.replace(/\/+$/, '')}/api/live`;
  const response = await fetch(address, { headers: credentialHeaders(apiKey), signal, redirect: 'manual' });
  if (!response.ok) throw readRefusal(response, await response.json().catch(() => undefined));
  return response.body as ReadableStream<Uint8Array>;
}
