import { ArgumentError } from './argument-error';
import { LONGEST_TIMER_MS } from './pause';

/** The options of the client. */
export interface ParleyOptions {
  /** The address of the server, such as `https://parley.example.com`. */
  baseUrl: string;
  /** An API key, or a bearer token, such as the one that a call has for its runtime. */
  apiKey: string;
  /** The number of times that a request is repeated after the first attempt, where it may be. Default: 2. */
  maxRetries?: number;
  /** The time limit of each attempt, in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** Replaces the `fetch` of the platform, for example to use a proxy. */
  fetch?: (request: Request) => Promise<Response>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

export type CheckedOptions = Required<Omit<ParleyOptions, 'fetch'>> & Pick<ParleyOptions, 'fetch'>;

/** A JSON Web Token, whose three parts have dots between them, or the token of a call. API keys are neither. */
const TOKEN = /^([\w-]+\.[\w-]+\.[\w-]+|parley_call_[\da-f-]{36}_[\w-]{43})$/;

/** @throws ArgumentError that names the option and says what would be right */
export function checkOptions(options: ParleyOptions): CheckedOptions {
  const { baseUrl, apiKey, maxRetries = 2, timeoutMs = DEFAULT_TIMEOUT_MS, fetch } = options;
  if (!isWebAddress(baseUrl)) {
    throw new ArgumentError(
      'baseUrl must be the http(s) address of a Parley server, such as https://parley.example.com',
    );
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ArgumentError('apiKey must be an API key or a bearer token, without spaces');
  }
  checkNumbers({ maxRetries, timeoutMs });
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, maxRetries, timeoutMs, fetch };
}

/** @throws ArgumentError */
export function checkNumbers({ maxRetries, timeoutMs }: { maxRetries?: number; timeoutMs?: number }): void {
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw new ArgumentError('maxRetries must be a whole number from 0 on');
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new ArgumentError('timeoutMs must be a number of milliseconds above 0');
  }
}

export const credentialHeaders = (apiKey: string): Record<string, string> =>
  TOKEN.test(apiKey) ? { Authorization: `Bearer ${apiKey}` } : { 'X-API-Key': apiKey };

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && search === '' && hash === '';
}
