import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The fault of one request. */
export type Fault =
  /** Answers it itself. */
  | { answer: number; headers?: Record<string, string>; body?: object | string }
  /** Closes the connection: before the server gets the request, or after the server has answered. */
  | { cut: 'request' | 'answer' | 'body' }
  /** Passes it on, and answers when the next request comes, which is too late. */
  | { late: true };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Whether the server got it. */
  isPassedOn: boolean;
  /** Whether the server has answered a request with a fault. */
  isAnswered: boolean;
}

/** A proxy between the client and a server, with faults for the next requests. */
export class FaultyProxy {
  readonly requests: SeenRequest[] = [];
  private faults: (Fault | undefined)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: () => string,
  ) {}

  /** @param target the address of the server, which may start later */
  static async start(target: () => string): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server, target);
    server.on('request', (incoming, response) => void proxy.handle(incoming, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets what happens to the next requests, a fault or none each, and forgets the requests so far. */
  fail(...faults: (Fault | undefined)[]): void {
    this.faults = faults;
    this.requests.splice(0);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const seen: SeenRequest = { method, path: url, headers, isPassedOn: false, isAnswered: false };
    this.requests.push(seen);
    const fault = this.faults.shift();
    const body = await buffer(incoming);
    if (fault && 'answer' in fault) return answer(response, fault);
    if (fault && 'cut' in fault && fault.cut === 'request') return void incoming.socket.destroy();
    seen.isPassedOn = true;
    const upstream = await this.passOn(incoming, body);
    // A client that goes away ends a stream of the server.
    response.on('close', () => upstream.destroy());
    if (!fault) return void upstream.pipe(response.writeHead(upstream.statusCode ?? 0, upstream.headers));
    const answered = await readAnswer(upstream);
    seen.isAnswered = true;
    if ('cut' in fault && fault.cut === 'answer') return void incoming.socket.destroy();
    if ('late' in fault) await once(this.server, 'request');
    response.writeHead(upstream.statusCode ?? 0, upstream.headers);
    if ('late' in fault) return void response.end(answered);
    response.write(answered.subarray(0, answered.length / 2), () => incoming.socket.destroy());
  }

  private passOn({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const upstream = request(`${this.target()}${url ?? ''}`, { method, headers }, resolve);
      upstream.on('error', reject);
      upstream.end(body);
    });
  }
}

/** Reads a whole answer, or the first part of a stream, which has no end. */
async function readAnswer(upstream: IncomingMessage): Promise<Buffer> {
  if (!upstream.headers['content-type']?.startsWith('text/event-stream')) return buffer(upstream);
  const [first] = (await once(upstream, 'data')) as [Buffer];
  upstream.destroy();
  return first;
}

function answer(response: ServerResponse, fault: Extract<Fault, { answer: number }>): void {
  const text = typeof fault.body === 'object' ? JSON.stringify(fault.body) : (fault.body ?? '');
  const type = typeof fault.body === 'object' ? 'application/json' : 'text/html';
  response.writeHead(fault.answer, { 'content-type': type, ...fault.headers }).end(text);
}

/** The answer of the server to a refused request. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  answer: status,
  headers,
  body: { status, message: 'The proxy refuses it', error_code: code },
});
