import { ArgumentError } from './argument-error';
import { asDeletion } from './deletion';
import { ParleyError, readRefusal } from './errors';
import { checkNumbers, type CheckedOptions } from './options';
import { repeat } from './repeat';
import type { Repetition } from './retries';
import { TimeLimit } from './time-limit';
import { type ApiClient, createTransport, type Middleware } from './transport';
import type { KeyedRequestOptions, RequestOptions } from './types';
import { createUuid } from './uuid';

/** The part that all attempts of a request have in common. */
export interface AttemptInit {
  signal: AbortSignal;
  headers: Record<string, string>;
  middleware: Middleware[];
}

export interface Answer<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

export interface Success<Body> {
  body: Body;
  response: Response;
  /** Aborts the request while its body is read. */
  limit: TimeLimit;
}

export type Attempt<Body> = (api: ApiClient, init: AttemptInit) => Promise<Answer<Body>>;

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
  async deletion<Body>(attempt: Attempt<Body>, options: RequestOptions = {}): Promise<void> {
    const attempts = asDeletion<Success<Body> | undefined>(
      () => this.attempt(attempt, options, {}),
      undefined,
    );
    // Its answer has no data.
    checkAnswer(await this.repeat(attempts, 'safe', options), 'message');
  }

  /** Requests a body of any length. @returns its response, whose body has not been read */
  async stream(attempt: Attempt<unknown>, options: RequestOptions = {}): Promise<Success<unknown>> {
    return this.repeat(() => this.attempt(attempt, options, {}), 'safe', options);
  }

  private async read<Body>(
    attempt: Attempt<Body>,
    repetition: Repetition,
    options: RequestOptions = {},
    headers: Record<string, string> = {},
  ): Promise<Success<Body>> {
    const success = await this.repeat(() => this.attempt(attempt, options, headers), repetition, options);
    checkAnswer(success, 'data');
    return success;
  }

  private repeat<Result>(
    attempt: () => Promise<Result>,
    repetition: Repetition,
    options: RequestOptions,
  ): Promise<Result> {
    checkNumbers(options);
    const { maxRetries = this.options.maxRetries, signal } = options;
    return repeat(attempt, { repetition, maxRetries, signal });
  }

  private async attempt<Body>(
    attempt: Attempt<Body>,
    { timeoutMs = this.options.timeoutMs, signal }: RequestOptions,
    headers: Record<string, string>,
  ): Promise<Success<Body>> {
    const limit = new TimeLimit(timeoutMs, signal);
    let answered: Response | undefined;
    const noteAnswer: Middleware = { onResponse: (answer) => void (answered = answer.response) };
    try {
      const init = { signal: limit.signal, headers, middleware: [noteAnswer] };
      const { data, error, response } = await attempt(this.api, init);
      if (!response.ok) throw readRefusal(response, error);
      return { body: data as Body, response, limit };
    } catch (error) {
      limit.end();
      throw limit.explain(error, answered);
    }
  }
}

/** Ends the time limit of an answer that was read, and refuses the JSON of something else at the address. */
function checkAnswer(answer: Success<unknown> | undefined, field: 'data' | 'message'): void {
  // A deletion may have found nothing.
  if (!answer) return;
  const { body, response, limit } = answer;
  limit.end();
  if (typeof body === 'object' && body !== null && field in body) return;
  throw new ParleyError({
    status: response.status,
    code: 'INVALID_RESPONSE',
    message: `The answer of ${response.url} is not one of Parley: is baseUrl the address of a Parley server?`,
  });
}
