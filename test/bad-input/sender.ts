import { connect } from 'node:net';
import { Pool } from 'undici';
import type { Case, Message, Wire } from './case';
import { readAnswer, type Received } from './received';

/** Longer than any answer takes, also where many wait for it at once. */
const BOUND_MS = 10_000;

/** How many requests are under way at once. */
const AT_ONCE = 32;

/** Sends to one server, and takes note of how much and how long. */
export class Sender {
  count = 0;
  slowestMs = 0;

  private constructor(
    private readonly url: URL,
    private readonly pool: Pool,
  ) {}

  static to(url: string): Sender {
    const bounds = { headersTimeout: BOUND_MS, bodyTimeout: BOUND_MS };
    return new Sender(new URL(url), new Pool(url, { connections: AT_ONCE, pipelining: 1, ...bounds }));
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  /** The answers of cases, in their order; an error where there was none in time. */
  async send(cases: Case[]): Promise<(Received | Error)[]> {
    const answers: (Received | Error)[] = [];
    const left = cases.entries();
    const sendOneByOne = async () => {
      for (const [index, { request }] of left) {
        const start = performance.now();
        const answer = 'pieces' in request ? this.overWire(request) : this.message(request);
        answers[index] = await answer.catch((error: Error) => error);
        this.slowestMs = Math.max(this.slowestMs, performance.now() - start);
        this.count += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendOneByOne));
    return answers;
  }

  private async message({ method, path, headers, body }: Message): Promise<Received> {
    const answer = await this.pool.request({ method, path, headers, body });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  /** Each of these asks for its connection to be closed after the answer. */
  private async overWire({ pieces, isConnectionLost }: Wire): Promise<Received> {
    const socket = connect(Number(this.url.port), this.url.hostname);
    const parts: Buffer[] = [];
    // A server may close while it is written to.
    socket.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
    const closed = new Promise<void>((resolve, reject) => {
      socket.on('close', () => resolve());
      socket.setTimeout(BOUND_MS, () => reject(new Error('It says nothing and does not end.')));
    });
    for (const piece of pieces) socket.write(piece);
    if (isConnectionLost) socket.end();
    await closed.finally(() => socket.destroy());
    return readAnswer(Buffer.concat(parts));
  }
}
