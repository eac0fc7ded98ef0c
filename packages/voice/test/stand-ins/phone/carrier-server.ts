import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Person } from './handset';
import { Ticks } from './ticks';

/** No program listens there. */
export const UNREACHABLE = 'ws://127.0.0.1:9';

/** The HTTP server of a carrier, and the people whom the carrier can call. */
export abstract class CarrierServer {
  readonly ticks = new Ticks();
  /** The requests of the runtime, such as `POST /2010-04-01/…`. */
  readonly requests: string[] = [];
  /** No stream can be connected. */
  isCutOff = false;
  /** The addresses that get the webhook of an incoming call, signed for `webhookUrl`. None: that address alone */
  deliversTo: string[] = [];
  /** Whether they get it at the same time, or each after the answer to the last one. */
  deliversAtOnce = false;
  /** Requests, such as `POST /v2/calls`, that are done and not answered. */
  unanswered?: RegExp;
  /** Requests that are refused, and not done. */
  refuses?: { requests: RegExp; status: number };
  /** The number of requests that were refused so. */
  refused = 0;
  /** Requests that answer an incoming call do not arrive. */
  losesPickUps = false;
  protected readonly people = new Map<string, Person>();
  protected readonly server = createServer();

  get apiUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  expect(number: string, person: Person): void {
    this.people.set(number, person);
  }

  /** @param answer resolves with undefined if the connection is cut */
  protected serve(
    answer: (request: IncomingMessage) => Promise<[status: number, body?: object] | undefined>,
  ): void {
    this.server.on('request', (request, response) => {
      const line = `${request.method} ${request.url}`;
      this.requests.push(line);
      const end = (status: number, body?: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
      if (this.refuses?.requests.test(line)) {
        this.refused++;
        return void end(this.refuses.status, {});
      }
      // For a carrier whose calls are answered by a request.
      if (this.losesPickUps && /^POST .*\/answer$/.test(line)) return;
      void answer(request).then((answered) => {
        if (!answered) response.destroy();
        else if (!this.unanswered?.test(line)) end(...answered);
      });
    });
  }

  protected async begin(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  protected end(): void {
    this.ticks.close();
    this.server.closeAllConnections();
    this.server.close();
  }
}
