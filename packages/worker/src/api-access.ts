import { backoffMs } from './backoff';
import type { ApiOfCall } from './messages';
import { pause } from './pause';

const LONGEST_PAUSE_MS = 2_000;

/** The options `apiUrl` and `apiKey` of the worker. */
export interface ApiOptions {
  url: string | undefined;
  key: string | undefined;
}

/**
 * The address of the REST API and a credential for it, from the options, else from the server's answer to the
 * claim.
 * @param what uses it
 * @throws Error if there is none, as with a server of an earlier release
 */
export function createAccess(options: ApiOptions, api: ApiOfCall | undefined, what: string) {
  const url = options.url ?? api?.url.replace(/\/+$/, '');
  const headers: Record<string, string> | undefined =
    options.key !== undefined
      ? { 'x-api-key': options.key }
      : api && { authorization: `Bearer ${api.token}` };
  if (url === undefined || headers === undefined) {
    throw new Error(`${what} needs the options apiUrl and apiKey of the worker.`);
  }
  return { url, headers };
}

interface Answer<Data> {
  data?: Data;
  message?: string;
  error_code?: string;
  errors?: { message: string }[];
  error?: { details: string };
  details?: string;
}

/** The server has refused a request. */
export class RequestRefused extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The `error_code`; null: the answer has none */
    readonly code: string | null,
    /** The reasons in words. */
    readonly reasons: string[],
    /** The pause that the server asks for, if the same request may succeed later. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
  }
}

/**
 * The data of an answer.
 * @param failure the beginning of the sentence about a refusal, such as `The search failed`
 * @throws RequestRefused with the server's reason, or another Error if the answer cannot be read
 */
export async function readData<Data>(response: Response, failure: string): Promise<Data> {
  const answer = (await response.json().catch(() => ({}))) as Answer<Data>;
  const { ok, status, statusText } = response;
  if (ok && answer.data) return answer.data;
  const said = answer.error?.details ?? answer.details ?? answer.message ?? statusText;
  const reasons = answer.errors?.map(({ message }) => message) ?? [said];
  const sentence = `${failure} with status ${status}: ${answer.errors?.[0]?.message ?? answer.message ?? statusText}`;
  if (ok) throw new Error(sentence);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  const retryAfterMs = seconds >= 0 ? 1_000 * seconds : undefined;
  throw new RequestRefused(sentence, status, answer.error_code ?? null, reasons, retryAfterMs);
}

/** When a request is repeated, and until when. */
export interface Repetition {
  /** Whether an attempt without an answer was the last one. @param pauseMs the pause that would follow */
  isLast: (attempt: number, pauseMs: number) => boolean;
  /** Default: {@link backoffMs} */
  pauseMs?: number;
  /** Ends a pause. */
  signal?: AbortSignal;
}

/**
 * Sends a request that may be repeated, until the server accepts or refuses it. A status from 500 is no answer, and 429
 * with `Retry-After` asks to come later.
 * @throws RequestRefused if the server has not done it; what went wrong, if that is not known
 */
export async function repeatUntilAnswered<Data>(
  send: () => Promise<Response>,
  failure: string,
  { isLast, pauseMs, signal }: Repetition,
): Promise<Data> {
  let unanswered: Error | undefined;
  for (let attempt = 1; ; attempt++) {
    let wait = pauseMs ?? backoffMs(attempt, LONGEST_PAUSE_MS);
    try {
      return await readData<Data>(await send(), failure);
    } catch (thrown) {
      const error = thrown as Error;
      if (!isRefusal(error)) unanswered = error;
      // A credential that is refused now says nothing about an earlier attempt.
      else if ([401, 403].includes(error.status)) throw unanswered ?? error;
      else if (error.status !== 429 || error.retryAfterMs === undefined) throw error;
      if (error instanceof RequestRefused) wait = Math.max(wait, error.retryAfterMs ?? 0);
      if (isLast(attempt, wait)) throw unanswered ?? error;
    }
    await pause(wait, signal);
  }
}

/** Whether it says that the server has not done what it was asked for. */
export const isRefusal = (error: unknown): error is RequestRefused =>
  error instanceof RequestRefused && error.status < 500;
