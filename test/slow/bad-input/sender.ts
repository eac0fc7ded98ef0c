import { connect } from 'node:net';
import { Pool } from 'undici';
import type { Case, HttpRequest, RawRequest } from './case';
import { readAnswer, type Received } from './received';

/** The time is longer than any answer takes under the concurrency below. */
const TIMEOUT_MS = 30_000;

/**
 * The number of requests that are sent concurrently: more would wait for each other, and on a busy machine be
 * refused.
 */
const CONCURRENCY = 8;

/** The server does not end a stream of events. */
const isEndless = (contentType: unknown) =>
  typeof contentType === 'string' && contentType.startsWith('text/event-stream');

/** Sends requests to one server, and records their count and the slowest answer. */
export class Sender {
  count = 0;
  slowestMs = 0;

  private constructor(
    private readonly url: URL,
    private readonly pool: Pool,
  ) {}

  static to(url: string): Sender {
    const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    return new Sender(new URL(url), new Pool(url, { connections: CONCURRENCY, pipelining: 1, ...timeouts }));
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  /** Returns the answers in the order of the cases; an error if there was none in time. */
  async send(cases: Case[]): Promise<(Received | Error)[]> {
    const answers: (Received | Error)[] = [];
    const remaining = cases.entries();
    const sendOneByOne = async () => {
      for (const [index, { request }] of remaining) {
        const start = performance.now();
        const answer = 'pieces' in request ? this.sendRaw(request) : this.sendHttp(request);
        answers[index] = await answer.catch((error: Error) => error);
        this.slowestMs = Math.max(this.slowestMs, performance.now() - start);
        this.count += 1;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, sendOneByOne));
    return answers;
  }

  private async sendHttp({ method, path, headers, body }: HttpRequest): Promise<Received> {
    const answer = await this.pool.request({ method, path, headers, body });
    const { statusCode: status, headers: received } = answer;
    if (!isEndless(received['content-type'])) {
      return { status, headers: received, text: await answer.body.text() };
    }
    answer.body.destroy();
    return { status, headers: received, text: '' };
  }

  /** Each of these requests has `Connection: close`. */
  private async sendRaw({ pieces, isConnectionLost }: RawRequest): Promise<Received> {
    const socket = connect(Number(this.url.port), this.url.hostname);
    const parts: Buffer[] = [];
    // The server may close the connection during a write.
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      if (isEndless(readAnswer(Buffer.concat(parts)).headers['content-type'])) socket.destroy();
    });
    const closed = new Promise<void>((resolve, reject) => {
      socket.on('close', () => resolve());
      socket.setTimeout(TIMEOUT_MS, () =>
        reject(new Error('The server neither answered nor closed the connection.')),
      );
    });
    for (const piece of pieces) socket.write(piece);
    if (isConnectionLost) socket.end();
    await closed.finally(() => socket.destroy());
    return readAnswer(Buffer.concat(parts));
  }
}
