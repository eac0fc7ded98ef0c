import createClient from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { asDeletion } from '../../../packages/client/src/deletion';
import { DEFAULT_TIMEOUT_MS } from '../../../packages/client/src/options';
import { repeat } from '../../../packages/client/src/repeat';
import type { Repetition } from '../../../packages/client/src/retries';
import { TimeLimit } from '../../../packages/client/src/time-limit';
import type { components, paths } from './schema';
import { noteConnection } from './connection';
import { ApiFailure } from './failure';
import { Semaphore } from './semaphore';

/** The classes of the API document. */
export type Schemas = components['schemas'];

/** As often as the client library repeats a request. */
const MAX_RETRIES = 2;

/** The methods of requests that have the same effect if they are repeated. */
const SAFE_METHODS = ['GET', 'HEAD', 'PUT', 'DELETE'];

function getRepetition({ method, headers }: Request): Repetition {
  if (headers.has('Idempotency-Key')) return 'keyed';
  return SAFE_METHODS.includes(method) ? 'safe' : 'never';
}

async function attempt(request: Request, timeoutMs: number): Promise<Response> {
  const limit = new TimeLimit(timeoutMs, request.signal);
  try {
    const response = await fetch(request, { signal: limit.signal }).catch((error: unknown) => {
      // The page itself has aborted the request.
      if (request.signal.aborted) throw error;
      throw ApiFailure.fromNetworkError(error, request);
    });
    if (!response.ok) throw await ApiFailure.fromResponse(response, request);
    noteConnection({ isAway: false });
    return response;
  } finally {
    limit.end();
  }
}

/**
 * Sends a request as the client library does.
 * @param timeoutMs the time limit of each attempt, until the answer begins
 * @throws ApiFailure for each refusal, and if there is no answer
 */
export function send(request: Request, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Response> {
  const once = () => attempt(request.clone(), timeoutMs);
  const attempts = request.method === 'DELETE' ? asDeletion(once, new Response(null, { status: 204 })) : once;
  const repetition = getRepetition(request);
  return repeat(attempts, { repetition, maxRetries: MAX_RETRIES, signal: request.signal });
}

const IS_SERIES = /^\/api\/reports\/calls\/(series|measurements)$/;

/** A workspace may read two series at once. */
const series = new Semaphore(2);

/**
 * The public REST API, with the cookie of the session. Unsafe methods need the header, which no other origin can send.
 */
export const client = createClient<paths>({
  baseUrl: '/',
  headers: { 'X-Parley-Session': '1' },
  fetch: (request) =>
    IS_SERIES.test(new URL(request.url).pathname) ? series.run(() => send(request)) : send(request),
});

/** The client as hooks of TanStack Query. */
export const api = createQueryClient(client);
