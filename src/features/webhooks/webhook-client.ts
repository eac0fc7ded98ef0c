import type { OnApplicationShutdown } from '@nestjs/common';
import { type Agent, type Dispatcher, request } from 'undici';
import { outboundAgent } from '../../platform/outbound-http/outbound-agent';
import {
  toOutboundRequestError,
  PrivateAddressError,
} from '../../platform/outbound-http/outbound-request.error';
import type { AddressRule } from '../../platform/outbound-http/public-address';
import { rejectOnAbort } from '../../platform/outbound-http/reject-on-abort';
import { readReceiverAnswer, type ReceiverAnswer } from './receiver-answer';
import { retryAfterSeconds } from './retry-schedule';
import { VERDICT, type Verdict } from './verdict';

/** The time for name resolution, connection and response together. */
const TIMEOUT_MS = 10_000;

export interface Outcome {
  verdict: Verdict;
  statusCode: number | null;
  error: string | null;
  /** null: there was no answer */
  answer: ReceiverAnswer | null;
  /** The delay that the receiver requests. */
  retryAfterSeconds: number;
}

const withoutResponse = (verdict: Exclude<Verdict, typeof VERDICT.delivered>, error: string): Outcome => ({
  verdict,
  error,
  statusCode: null,
  answer: null,
  retryAfterSeconds: 0,
});

/** Sends each request on a new connection, never to a private address. Redirects are not followed. */
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

  /** @returns null if `stop` interrupted the request, so that its result is not known */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    stop: AbortSignal,
  ): Promise<Outcome | null> {
    if (stop.aborted) return null;
    const { username, password } = new URL(url);
    if (username || password) return withoutResponse(VERDICT.failed, 'it carries a user name or a password');
    const interruption = new AbortController();
    const abort = () => interruption.abort();
    const timer = setTimeout(abort, this.timeoutMs);
    stop.addEventListener('abort', abort);
    try {
      const { signal } = interruption;
      const pending = request(url, { method: 'POST', headers, body, dispatcher: this.agent, signal });
      const response = await Promise.race([pending, rejectOnAbort(signal)]);
      return toOutcome(response, await readReceiverAnswer(response.headers, response.body));
    } catch (error) {
      if (stop.aborted) return null;
      return toFailure(error, { signal: interruption.signal, timeoutMs: this.timeoutMs });
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    }
  }
}

/** Whether a status may change: Request Timeout, Too Early, Too Many Requests, and every server error. */
const isTemporary = (statusCode: number) => [408, 425, 429].includes(statusCode) || statusCode >= 500;

function toOutcome({ statusCode, headers }: Dispatcher.ResponseData, answer: ReceiverAnswer): Outcome {
  if (statusCode >= 200 && statusCode < 300)
    return { verdict: VERDICT.delivered, statusCode, error: null, answer, retryAfterSeconds: 0 };
  const error =
    statusCode < 400
      ? `it redirects with status ${statusCode}, and redirects are not followed`
      : `it answers with status ${statusCode}`;
  return {
    verdict: isTemporary(statusCode) ? VERDICT.retry : VERDICT.failed,
    statusCode,
    error,
    answer,
    retryAfterSeconds: retryAfterSeconds(headers['retry-after']),
  };
}

function toFailure(error: unknown, limit: { signal: AbortSignal; timeoutMs: number }): Outcome {
  const { message } = toOutboundRequestError(error, limit) ?? {
    message: `it cannot be reached (${String(error)})`,
  };
  // Every other failure is retried: the schedule ends the delivery.
  return withoutResponse(error instanceof PrivateAddressError ? VERDICT.failed : VERDICT.retry, message);
}
