import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { describeError } from '../errors';
import { isPublicAddress } from '../net/public-address';
import { SentError } from './tools';

/** The person waits for the answer. */
const TIMEOUT_MS = 8_000;
/** The language model has to read it. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** The IP addresses that actions may reach. */
export type AddressRule = (address: string) => boolean;

/**
 * Sends what the language model wants to do to an address that the agent's owner named. It checks the address of the
 * connected socket too, and follows no redirect, so that nobody reaches the network of this machine with it.
 */
export class ActionClient {
  constructor(private readonly isAllowed: AddressRule = isPublicAddress) {}

  /**
   * @param key the header `Idempotency-Key`, by which the address knows a request that was repeated
   * @returns the JSON or the text of the answer
   * @throws SentError if it was sent and not refused, else an error that says why it was not done
   */
  async post(address: string, body: object, key: string): Promise<unknown> {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.isAllowed(host)) throw new Error('The address is private');
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const progress = { isConnected: false };
    const explain = (error: unknown) =>
      limit.aborted ? `The address did not answer within ${TIMEOUT_MS / 1_000} s` : describeError(error);
    let response: IncomingMessage;
    try {
      response = await this.send(url, JSON.stringify(body), key, limit, progress);
    } catch (error) {
      const why = explain(error);
      throw progress.isConnected
        ? createUnknown(`The answer was not received (${why})`)
        : new Error(why, { cause: error });
    }
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      response.destroy();
      throw createRefusal(status, response);
    }
    try {
      return parsed(await read(response));
    } catch (error) {
      throw new SentError(`This was done. Its answer cannot be read: ${explain(error)}`, false);
    }
  }

  private send(
    url: URL,
    body: string,
    key: string,
    signal: AbortSignal,
    progress: { isConnected: boolean },
  ): Promise<IncomingMessage> {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': key,
      'user-agent': 'Parley/1.0',
    };
    const isEncrypted = url.protocol === 'https:';
    const request = isEncrypted ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = request(url, {
        ...{ method: 'POST', headers, signal, agent: false, maxHeaderSize: 16_384 },
        lookup: this.lookup,
      });
      sent.once('error', reject).once('response', resolve);
      sent.once('socket', (socket: Socket) => {
        socket.once('connect', () => {
          if (!this.isAllowed(socket.remoteAddress ?? '')) sent.destroy(new Error('The address is private'));
          else if (!isEncrypted) progress.isConnected = true;
        });
        socket.once('secureConnect', () => (progress.isConnected = true));
      });
      sent.end(body);
    });
  }

  /** Refuses a name if one of its addresses is not allowed, because any of them may be connected to. */
  private readonly lookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, '', 0);
      if (!first || !addresses.every(({ address }) => this.isAllowed(address))) {
        return callback(new Error('The address is private'), '', 0);
      }
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** The outcome of a request without a status of success. Most errors of a server come before or after it has acted. */
function createRefusal(status: number, { headers }: IncomingMessage): Error {
  const sentence = `The address answered with status ${status}`;
  const isAway = status === 503 && headers['retry-after'] !== undefined;
  return isAway || (status >= 400 && status <= 499) ? new Error(sentence) : createUnknown(sentence);
}

const createUnknown = (why: string) => new SentError(`${why}. It is not known whether this was done.`, true);

async function read(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_ANSWER_BYTES) {
      response.destroy();
      throw new Error(`The answer is larger than ${MAX_ANSWER_BYTES / 1_024} KB`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
