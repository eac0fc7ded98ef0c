import type { OnApplicationShutdown } from '@nestjs/common';
import { type Agent, type Dispatcher, request } from 'undici';
import { connectionFailureOf } from '../outbound-http/connection-failure';
import { type AddressRule, outboundAgent, PrivateAddressError } from '../outbound-http/public-address';
import { retryAfterSeconds } from './retry-schedule';

/** For everything: names, connections and the answer. */
const TIMEOUT_MS = 10_000;

/** Of the answer, whose text nobody reads: enough for the connection of a usual one to end well. */
const MAX_ANSWER_BYTES = 16_384;

export interface Outcome {
  verdict: 'delivered' | 'retry' | 'failed';
  statusCode: number | null;
  error: string | null;
  /** What the receiver asks for. */
  retryAfterSeconds: number;
}

const unanswered = (verdict: 'retry' | 'failed', error: string): Outcome => ({
  verdict,
  error,
  statusCode: null,
  retryAfterSeconds: 0,
});

/** Makes the requests, each on a connection of its own: never to a private address, and following no redirect. */
export class WebhookClient implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(
    isAddressAllowed: AddressRule,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.agent = outboundAgent({ isAddressAllowed, connectTimeoutMs: timeoutMs });
  }

  onApplicationShutdown(): Promise<void> {
    return this.agent.destroy();
  }

  /** @returns null where `stop` broke it off, so that nobody knows how it went */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    stop: AbortSignal,
  ): Promise<Outcome | null> {
    if (stop.aborted) return null;
    const { username, password } = new URL(url);
    if (username || password) return unanswered('failed', 'it carries a user name or a password');
    const limit = new AbortController();
    const abort = () => limit.abort();
    const timer = setTimeout(abort, this.timeoutMs);
    stop.addEventListener('abort', abort);
    try {
      const { signal } = limit;
      const answering = request(url, { method: 'POST', headers, body, dispatcher: this.agent, signal });
      const answer = await Promise.race([answering, brokenOffBy(signal)]);
      // The status has decided; a body that is cut off changes nothing.
      await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
      return outcomeOf(answer);
    } catch (error) {
      if (stop.aborted) return null;
      return failureOf(error, { signal: limit.signal, timeoutMs: this.timeoutMs });
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    }
  }
}

/** undici breaks a request off only once it has a connection, or none. */
const brokenOffBy = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It was broken off.')), { once: true });
  });

/** Conditions that pass: the receiver is slow, early, overrun or broken. */
const isTemporary = (statusCode: number) => [408, 425, 429].includes(statusCode) || statusCode >= 500;

function outcomeOf({ statusCode, headers }: Dispatcher.ResponseData): Outcome {
  if (statusCode >= 200 && statusCode < 300) {
    return { verdict: 'delivered', statusCode, error: null, retryAfterSeconds: 0 };
  }
  const error =
    statusCode < 400
      ? `it redirects with status ${statusCode}, and redirects are not followed`
      : `it answers with status ${statusCode}`;
  return {
    verdict: isTemporary(statusCode) ? 'retry' : 'failed',
    statusCode,
    error,
    retryAfterSeconds: retryAfterSeconds(headers['retry-after']),
  };
}

function failureOf(error: unknown, limit: { signal: AbortSignal; timeoutMs: number }): Outcome {
  const { reason } = connectionFailureOf(error, limit) ?? {
    reason: `it can not be reached (${String(error)})`,
  };
  // Whatever else it is, the delivery is given up in its time.
  return unanswered(error instanceof PrivateAddressError ? 'failed' : 'retry', reason);
}
