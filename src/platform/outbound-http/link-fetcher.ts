import { request, type Agent, type Dispatcher } from 'undici';
import { outboundAgent } from './outbound-agent';
import { answersWithStatus, OutboundRequestError, toOutboundRequestError } from './outbound-request.error';
import type { AddressRule } from './public-address';
import { readBody } from './read-body';

export interface FetchLimits {
  /** The time for all steps: names, connections, redirects and the response. */
  timeoutMs: number;
  /** The size of the response, both compressed and decompressed. */
  maxBytes: number;
  maxRedirects: number;
}

const FETCH_LIMITS: FetchLimits = { timeoutMs: 10_000, maxBytes: 10 * 1024 * 1024, maxRedirects: 5 };

export interface FetchOptions {
  /** The header Accept. */
  accept?: string;
  /** Ends the request. */
  signal?: AbortSignal;
  /** The part of the limits that pages which forward to the link took. The request adds to it. */
  spent?: SpentLimits;
}

/** A part of the limits of a link that is fetched by several requests, because pages forward to others. */
export interface SpentLimits {
  ms: number;
  redirects: number;
}

export interface FetchedContent {
  bytes: Buffer;
  /** The media type as the server sends it, with its parameters. */
  contentType: string;
  /** The address after all redirects. */
  url: string;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** The same request may succeed later after these statuses. */
const TEMPORARY_STATUSES = [408, 429, 500, 502, 503, 504];

const readHeader = ({ headers }: Dispatcher.ResponseData, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

/** Fetches the content of links, with limits on time, size and redirects, and only from allowed addresses. */
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

  /** @throws OutboundRequestError, or the reason of the signal */
  async fetch(
    link: string,
    { accept = '*/*', signal, spent = { ms: 0, redirects: 0 } }: FetchOptions = {},
  ): Promise<FetchedContent> {
    const { timeoutMs } = this.limits;
    const limit = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs - spent.ms)));
    const ends = signal ? AbortSignal.any([limit, signal]) : limit;
    const start = performance.now();
    try {
      const content = await this.follow(new URL(link), accept, ends, spent);
      spent.ms += performance.now() - start;
      return content;
    } catch (error) {
      signal?.throwIfAborted();
      throw toOutboundRequestError(error, { signal: limit, timeoutMs }) ?? error;
    }
  }

  private async follow(
    link: URL,
    accept: string,
    signal: AbortSignal,
    spent: SpentLimits,
  ): Promise<FetchedContent> {
    const headers = { accept, 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Parley/1.0' };
    let url = link;
    for (;;) {
      this.assertRedirects(spent);
      assertFetchable(url);
      const response = await request(url, { dispatcher: this.agent, signal, headers });
      if (!REDIRECTS.includes(response.statusCode)) return await this.read(response, url);
      discard(response.body);
      const location = readHeader(response, 'location');
      if (location === '' || !URL.canParse(location, url.href))
        throw new OutboundRequestError('it redirects without a valid location');
      url = new URL(location, url);
      spent.redirects++;
    }
  }

  private assertRedirects({ redirects }: SpentLimits): void {
    const { maxRedirects } = this.limits;
    if (redirects > maxRedirects)
      throw new OutboundRequestError(`it redirects more than ${maxRedirects} times`);
  }

  private async read(response: Dispatcher.ResponseData, url: URL): Promise<FetchedContent> {
    const { statusCode, body } = response;
    try {
      if (statusCode < 200 || statusCode > 299) {
        throw new OutboundRequestError(
          answersWithStatus(statusCode),
          TEMPORARY_STATUSES.includes(statusCode),
        );
      }
      const bytes = await readBody(body, readHeader(response, 'content-encoding'), this.limits.maxBytes);
      return { bytes, contentType: readHeader(response, 'content-type'), url: url.href };
    } finally {
      discard(body);
    }
  }
}

/** Closes the connection of a response that is not read further. Its body then emits an error, which is expected. */
const discard = (body: Dispatcher.ResponseData['body']) => void body.on('error', () => undefined).destroy();

function assertFetchable({ protocol, username, password }: URL) {
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new OutboundRequestError(`it leads to an address that begins with ${protocol}`);
  }
  if (username !== '' || password !== '') {
    throw new OutboundRequestError('it carries a user name or a password');
  }
}
