import { ArgumentError } from './argument-error';
import { ParleyError, readRefusal } from './errors';
import { checkNumbers, type CheckedOptions } from './options';
import { pause } from './pause';
import { computePause, hasNoAnswer, isKeyInUse, mayRepeat, type Repetition } from './retries';
import { TimeLimit } from './time-limit';
import { type ApiClient, createTransport } from './transport';
import type { KeyedRequestOptions, RequestOptions } from './types';
import { createUuid } from './uuid';

/** The part that all attempts of a request have in common. */
export interface AttemptInit {
  signal: AbortSignal;
  headers: Record<string, string>;
}

export interface Answer<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
  /** Whether it is a success whatever its status says. */
  isDone?: true;
}

export interface Success<Body> {
  body: Body;
  response: Response;
  /** Aborts the request while its body is read. */
  limit: TimeLimit;
}

export type Attempt<Body> = (api: ApiClient, init: AttemptInit) => Promise<Answer<Body>>;

/** Another request with the same key may take as long as its work and a lease of 15 seconds. */
const KEY_IN_USE_MS = 60_000;

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** Sends the requests of a client, and repeats those that may be repeated. */
export class Requests {
  private readonly api: ApiClient;

  constructor(private readonly options: CheckedOptions) {
    this.api = createTransport(options);
  }

  /** Sends a request that is never repeated. */
  async once<Body>(attempt: Attempt<Body>, options?: RequestOptions): Promise<Body> {
    return (await this.read(attempt, 'never', options)).body;
  }

  /** Sends a request that has the same effect if it is repeated. */
  async safe<Body>(attempt: Attempt<Body>, options?: RequestOptions): Promise<Body> {
    return (await this.read(attempt, 'safe', options)).body;
  }

  /** Sends a request that the server does once by its Idempotency-Key. @returns the answer with its response */
  async keyed<Body>(attempt: Attempt<Body>, options: KeyedRequestOptions = {}): Promise<Success<Body>> {
    const { idempotencyKey = createUuid() } = options;
    if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
      throw new ArgumentError('idempotencyKey must have 1 to 255 printable ASCII characters');
    }
    return this.read(attempt, 'keyed', options, { 'Idempotency-Key': idempotencyKey });
  }

  /** Deletes something. If an attempt got no answer and the next one finds nothing, it has deleted it. */
  deletion<Body>(attempt: Attempt<Body>, options?: RequestOptions): Promise<Body | undefined> {
    let isUncertain = false;
    return this.safe<Body | undefined>(async (api, init) => {
      const wasUncertain = isUncertain;
      // Unless there is an answer.
      isUncertain = true;
      const answer = await attempt(api, init);
      isUncertain = wasUncertain || isFromGateway(answer);
      return wasUncertain && answer.response.status === 404
        ? { response: answer.response, isDone: true }
        : answer;
    }, options);
  }

  /** Requests a body of any length. @returns its response, whose body has not been read */
  async stream(attempt: Attempt<unknown>, options?: RequestOptions): Promise<Success<unknown>> {
    return this.repeat(attempt, 'safe', options, {});
  }

  private async read<Body>(
    attempt: Attempt<Body>,
    repetition: Repetition,
    options?: RequestOptions,
    headers: Record<string, string> = {},
  ): Promise<Success<Body>> {
    const success = await this.repeat(attempt, repetition, options, headers);
    success.limit.end();
    return success;
  }

  private async repeat<Body>(
    attempt: Attempt<Body>,
    repetition: Repetition,
    options: RequestOptions = {},
    headers: Record<string, string>,
  ): Promise<Success<Body>> {
    checkNumbers(options);
    const { maxRetries = this.options.maxRetries, signal } = options;
    const inUseUntil = Date.now() + KEY_IN_USE_MS;
    for (let retries = 0; ;) {
      try {
        return await this.attempt(attempt, options, headers);
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
        const isInUse = isKeyInUse(error, repetition) && Date.now() < inUseUntil;
        if (!isInUse && (retries >= maxRetries || !mayRepeat(error, repetition))) throw error;
        await pause(computePause(error, retries), signal);
        if (!isInUse) retries += 1;
      }
    }
  }

  private async attempt<Body>(
    attempt: Attempt<Body>,
    { timeoutMs = this.options.timeoutMs, signal }: RequestOptions,
    headers: Record<string, string>,
  ): Promise<Success<Body>> {
    const limit = new TimeLimit(timeoutMs, signal);
    try {
      const { data, error, response, isDone } = await attempt(this.api, { signal: limit.signal, headers });
      if (!response.ok && !isDone) throw readRefusal(response, error);
      return { body: data as Body, response, limit };
    } catch (error) {
      limit.end();
      throw limit.explain(error);
    }
  }
}

/** Whether a proxy answers, which does not know what the server did. */
const isFromGateway = ({ error, response }: Answer<unknown>): boolean =>
  !response.ok && hasNoAnswer(readRefusal(response, error));
