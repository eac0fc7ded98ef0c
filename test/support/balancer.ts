import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The moment at which a server was seen to have done something for one or more calls. */
export interface Served {
  at: number;
  server: string;
}

const CHECK_EVERY_MS = 200;
/** It is longer than a server takes to find out that its database does not answer. */
const CHECK_TIMEOUT_MS = 5_000;

/** For servers that are not frozen, and are slow on a busy machine. */
export const PATIENT = { checkTimeoutMs: 60_000 };

interface Upstream {
  name: string;
  url: URL;
  isReady: boolean;
  readonly open: Set<ServerResponse>;
}

/** Sends each request to the next server whose /health/ready answers 200. */
export class Balancer {
  /** The calls that were answered with 200. */
  readonly accepted: Served[] = [];
  /** The servers that left a request without an answer, one entry for each request. */
  readonly unanswered: string[] = [];
  /** The number of answers with OUTCOME_UNKNOWN, or another status 500. */
  failures = 0;
  private readonly upstreams = new Map<string, Upstream>();
  private readonly server = createServer((incoming, response) => this.forward(incoming, response));
  private next = 0;
  private isStopped = false;

  private constructor(private readonly checkTimeoutMs: number) {}

  static async start({ checkTimeoutMs = CHECK_TIMEOUT_MS } = {}): Promise<Balancer> {
    const balancer = new Balancer(checkTimeoutMs);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a server, or another address of a server. */
  add(name: string, url: string): void {
    const upstream = { name, url: new URL(url), isReady: false, open: new Set<ServerResponse>() };
    this.upstreams.set(name, upstream);
    void this.watch(upstream);
  }

  remove(name: string): void {
    this.upstreams.delete(name);
  }

  isReady(name: string): boolean {
    return this.upstreams.get(name)?.isReady ?? false;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async watch(upstream: Upstream): Promise<void> {
    while (!this.isStopped && this.upstreams.get(upstream.name) === upstream) {
      const outcome = await fetch(new URL('/health/ready', upstream.url), {
        signal: AbortSignal.timeout(this.checkTimeoutMs),
        headers: { connection: 'close' },
      }).then(
        async (answer) => {
          await answer.body?.cancel();
          return answer.status;
        },
        (error: Error) => error.name,
      );
      upstream.isReady = outcome === 200;
      // A server that does not answer a probe does not answer the requests either.
      if (outcome === 'TimeoutError') for (const response of upstream.open) this.cut(upstream, response);
      await pause(CHECK_EVERY_MS);
    }
  }

  private choose(): Upstream | undefined {
    const ready = [...this.upstreams.values()].filter(({ isReady }) => isReady);
    this.next += 1;
    return ready[this.next % ready.length];
  }

  private refuse(response: ServerResponse): void {
    response.writeHead(503, { 'retry-after': '1' }).end();
  }

  private cut({ name }: Upstream, response: ServerResponse): void {
    this.unanswered.push(name);
    response.destroy();
  }

  private forward(incoming: IncomingMessage, response: ServerResponse): void {
    const upstream = this.choose();
    if (!upstream) {
      incoming.resume();
      this.refuse(response);
      return;
    }
    const { url, name, open } = upstream;
    // Destroying the request after its answer, or after its client has left, is an error of the request too.
    const fail = () => {
      if (!response.closed) this.cut(upstream, response);
    };
    open.add(response);
    response.once('close', () => open.delete(response));
    const outgoing = request(
      {
        host: url.hostname,
        port: url.port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, connection: 'close' },
        agent: false,
      },
      (answer) => {
        if (answer.statusCode === 200 && incoming.url?.endsWith('/calls') && incoming.method === 'POST') {
          this.accepted.push({ at: Date.now(), server: name });
        }
        if (answer.statusCode === 500) this.failures += 1;
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once('error', fail);
      },
    );
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      // The server did nothing if it did not accept the connection.
      if (error.code === 'ECONNREFUSED' && !response.headersSent) this.refuse(response);
      else fail();
    });
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}
