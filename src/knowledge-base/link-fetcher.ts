import { request, type Agent, type Dispatcher } from 'undici';
import { clientClosedRequest } from '../http/client-abort-signal';
import { connectionFailureOf } from '../outbound-http/connection-failure';
import { type AddressRule, outboundAgent } from '../outbound-http/public-address';
import { answersWithStatus } from './knowledge-base.errors';
import { readBounded } from './read-bounded';
import { SourceUnavailableError, UnreadableDocumentError } from '../documents/unreadable-document.error';

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

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

/** Gets what a link leads to, bounded in time, size and redirects, and never from a private address. */
export class LinkFetcher {
  private readonly agent: Agent;
  private readonly limits: FetchLimits;

  constructor(isAddressAllowed: AddressRule, limits: Partial<FetchLimits> = {}) {
    this.limits = { ...FETCH_LIMITS, ...limits };
    this.agent = outboundAgent({ isAddressAllowed, connectTimeoutMs: this.limits.timeoutMs });
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /**
   * @param gone aborted when the caller who waits for it is gone
   * @throws Unreadable with the reason, Unavailable where it may pass
   */
  async fetch(link: string, gone?: AbortSignal): Promise<FetchedDocument> {
    const limit = AbortSignal.timeout(this.limits.timeoutMs);
    try {
      return await this.follow(new URL(link), gone ? AbortSignal.any([limit, gone]) : limit);
    } catch (error) {
      throw gone?.aborted ? clientClosedRequest() : this.describe(error, limit);
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
        throw new UnreadableDocumentError(`it redirects more than ${this.limits.maxRedirects} times`);
      }
      const location = headerOf(answer, 'location');
      if (location === '' || !URL.canParse(location, url.href))
        throw new UnreadableDocumentError('it redirects to nowhere');
      url = new URL(location, url);
    }
  }

  private async read(answer: Dispatcher.ResponseData, url: URL): Promise<FetchedDocument> {
    try {
      if (answer.statusCode < 200 || answer.statusCode > 299) {
        const Refusal = PASSING_STATUSES.includes(answer.statusCode)
          ? SourceUnavailableError
          : UnreadableDocumentError;
        throw new Refusal(answersWithStatus(answer.statusCode));
      }
      const { maxBytes } = this.limits;
      const bytes = await readBounded(answer.body, headerOf(answer, 'content-encoding'), maxBytes);
      return { bytes, contentType: headerOf(answer, 'content-type'), url: url.href };
    } finally {
      discard(answer.body);
    }
  }

  private describe(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof UnreadableDocumentError) return error;
    const failure = connectionFailureOf(error, { signal, timeoutMs: this.limits.timeoutMs });
    if (!failure) return error;
    return failure.mayPass
      ? new SourceUnavailableError(failure.reason)
      : new UnreadableDocumentError(failure.reason);
  }
}

/** Frees the connection of an answer whose rest is of no use; destroying it is an error to the body, and one that is expected. */
const discard = (body: Dispatcher.ResponseData['body']) => void body.on('error', () => undefined).destroy();

function assertFetchable({ protocol, username, password }: URL) {
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new UnreadableDocumentError(`it leads to an address that begins with ${protocol}`);
  }
  if (username !== '' || password !== '')
    throw new UnreadableDocumentError('it carries a user name or a password');
}
