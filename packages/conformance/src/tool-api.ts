import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Body, type Json, readBody } from './messages';
import type { Server } from './server';

/** A request of the runtime for a tool. */
export interface Asking {
  path: string;
  key: string;
  credential: string;
  body: Body | undefined;
}

interface Invocation {
  id: string;
  arguments: Json;
  settledAt: number;
}

const DEFAULT_WAIT_MS = 8_000;

/** Plays the part of the REST API by which runtimes ask for tools, for one scenario. */
export class ToolApi {
  readonly askings: Asking[] = [];
  /** The answer of the tool: a random text, so that a runtime cannot make it up. */
  readonly result = { booking: randomUUID() };
  /** The credential of the calls. */
  readonly token = `parley_call_${randomUUID()}`;
  /** The number of askings that get no answer. */
  unanswered = 0;
  /** The time that the tool takes. */
  seconds = 0;
  private readonly invocations = new Map<string, Invocation>();
  private readonly http: HttpServer;

  private constructor(private readonly server: Server) {
    this.http = createServer((request, response) => void this.receive(request, response));
  }

  /** Starts it, and lets the server give its address to calls. */
  static async start(server: Server): Promise<ToolApi> {
    const api = new ToolApi(server);
    await once(api.http.listen(0, '127.0.0.1'), 'listening');
    const { port } = api.http.address() as AddressInfo;
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    server.api = { url: `http://127.0.0.1:${port}`, token: api.token, expires_at };
    return api;
  }

  stop(): void {
    this.http.close();
    this.http.closeAllConnections();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A runtime may be ended while it asks.
    const data = await text(request).catch(() => '');
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', 'http://kit');
    this.server.keep('from-runtime', `${method} ${url.pathname}`, '', Buffer.from(data), false);
    const invocation = method === 'POST' ? this.ask(url.pathname, headers, data) : this.find(url.pathname);
    if (invocation === 'unanswered') return void request.socket.destroy();
    const body = readBody(data);
    const waitMs = Number(url.searchParams.get('wait_ms') ?? body?.['wait_ms'] ?? DEFAULT_WAIT_MS);
    if (invocation) await pause(Math.min(waitMs, invocation.settledAt - Date.now()));
    const answer = invocation
      ? { status: 200, message: 'Invocation', data: this.present(invocation) }
      : { status: 404, message: 'Invocation not found', error_code: 'INVOCATION_NOT_FOUND' };
    const answered = Buffer.from(JSON.stringify(answer));
    this.server.keep('to-runtime', `answer to ${method} ${url.pathname}`, '', answered, false);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered);
  }

  private ask(path: string, headers: IncomingMessage['headers'], data: string): Invocation | 'unanswered' {
    const body = readBody(data);
    const key = String(headers['idempotency-key'] ?? '');
    this.askings.push({ path, key, credential: headers.authorization ?? '', body });
    const known = key === '' ? undefined : this.invocations.get(key);
    const settledAt = Date.now() + this.seconds * 1_000;
    const invocation = known ?? { id: randomUUID(), arguments: body?.['arguments'] ?? {}, settledAt };
    this.invocations.set(key === '' ? invocation.id : key, invocation);
    return this.askings.length <= this.unanswered ? 'unanswered' : invocation;
  }

  private find(path: string): Invocation | undefined {
    return [...this.invocations.values()].find(({ id }) => path.endsWith(`/tools/invocations/${id}`));
  }

  private present({ id, arguments: given, settledAt }: Invocation) {
    const isSettled = Date.now() >= settledAt;
    return {
      invocation_id: id,
      state: isSettled ? 'done' : 'running',
      result: isSettled ? this.result : null,
      error: null,
      arguments: given,
      variables: {},
      repeated: false,
    };
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, Math.max(0, milliseconds)).unref());
