import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Person } from './handset';
import { Ticks } from './ticks';

/** The HTTP server of a carrier, and the people whom the carrier can call. */
export abstract class CarrierServer {
  readonly ticks = new Ticks();
  protected readonly people = new Map<string, Person>();
  protected readonly server = createServer();

  get apiUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  expect(number: string, person: Person): void {
    this.people.set(number, person);
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
