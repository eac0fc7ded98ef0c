import { errors as undiciErrors, request, type Agent, type Dispatcher } from 'undici';
import { type AddressRule, outboundAgent, PrivateAddressError } from '../common/public-address';
import { readBounded } from './read-bounded';
import { Unavailable, Unreadable } from './unreadable';

export interface FetchLimits {
  /** For everything: names, connections, redirects and the answer. */
  timeoutMs: number;
  /** Of the answer, packed and unpacked. */
  maxBytes: number;
  maxRedirects: number;
}

const FETCH_LIMITS: FetchLimits = { timeoutMs: 10_000, maxBytes: 10 * 1024 * 1024, maxRedirects: 5 };

export interface FetchedDocument {
  bytes: Buffer;
  /** As the server says it, with its parameters. */
  contentType: string;
  /** Where it was found in the end. */
  url: string;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** What a server says that may answer differently later. */
const PASSING_STATUSES = [408, 429, 500, 502, 503, 504];

/** How a connection ends that may succeed later. */
const PASSING_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
];

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

/** Gets what a link leads to, bounded in time, size and redirects, and never from a private address. */
export class LinkFetcher {
  private readonly agent: Agent;
  private readonly limits: FetchLimits;

  constructor(mayDial: AddressRule, limits: Partial<FetchLimits> = {}) {
    this.limits = { ...FETCH_LIMITS, ...limits };
    this.agent = outboundAgent({ mayDial, connectTimeoutMs: this.limits.timeoutMs });
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** @throws Unreadable with the reason, Unavailable where it may pass */
  async fetch(link: string): Promise<FetchedDocument> {
    const signal = AbortSignal.timeout(this.limits.timeoutMs);
    try {
      return await this.follow(new URL(link), signal);
    } catch (error) {
      throw this.describe(error, signal);
    }
  }

  private async follow(link: URL, signal: AbortSignal): Promise<FetchedDocument> {
    let url = link;
    for (let redirects = 0; ; redirects++) {
      assertFetchable(url);
      const answer = await request(url, {
        dispatcher: this.agent,
        signal,
        headers: {
          accept: 'text/html, application/pdf, text/plain, text/markdown, text/csv, */*;q=0.5',
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': 'Parley/1.0',
        },
      });
      if (!REDIRECTS.includes(answer.statusCode)) return await this.read(answer, url);
      discard(answer.body);
      if (redirects === this.limits.maxRedirects) {
        throw new Unreadable(`it redirects more than ${this.limits.maxRedirects} times`);
      }
      const location = headerOf(answer, 'location');
      if (location === '' || !URL.canParse(location, url.href))
        throw new Unreadable('it redirects to nowhere');
      url = new URL(location, url);
    }
  }

  private async read(answer: Dispatcher.ResponseData, url: URL): Promise<FetchedDocument> {
    try {
      if (answer.statusCode < 200 || answer.statusCode > 299) {
        const Refusal = PASSING_STATUSES.includes(answer.statusCode) ? Unavailable : Unreadable;
        throw new Refusal(`it answers with status ${answer.statusCode}`);
      }
      const { maxBytes } = this.limits;
      const bytes = await readBounded(answer.body, headerOf(answer, 'content-encoding'), maxBytes);
      return { bytes, contentType: headerOf(answer, 'content-type'), url: url.href };
    } finally {
      discard(answer.body);
    }
  }

  private describe(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof Unreadable) return error;
    if (signal.aborted || isTimeout(error)) {
      return new Unavailable(`it does not answer within ${this.limits.timeoutMs / 1_000} seconds`);
    }
    if (error instanceof PrivateAddressError) return new Unreadable(error.message);
    const { code } = error as { code?: unknown };
    if (code === 'ENOTFOUND') return new Unreadable('its host is not known');
    if (code === 'EAI_AGAIN') return new Unavailable('its host can not be looked up');
    // Sockets, TLS and undici give their errors a code; an error without one would be ours.
    if (typeof code === 'string') {
      const Refusal = PASSING_CODES.includes(code) ? Unavailable : Unreadable;
      return new Refusal(`it can not be fetched (${code})`);
    }
    return error instanceof undiciErrors.HTTPParserError ? new Unreadable('it does not speak HTTP') : error;
  }
}

/** Frees the connection of an answer whose rest is of no use; destroying it is an error to the body, and one that is expected. */
const discard = (body: Dispatcher.ResponseData['body']) => void body.on('error', () => undefined).destroy();

const isTimeout = (error: unknown) =>
  error instanceof undiciErrors.ConnectTimeoutError ||
  error instanceof undiciErrors.HeadersTimeoutError ||
  error instanceof undiciErrors.BodyTimeoutError;

function assertFetchable({ protocol, username, password }: URL) {
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new Unreadable(`it leads to an address that begins with ${protocol}`);
  }
  if (username !== '' || password !== '') throw new Unreadable('it carries a user name or a password');
}
