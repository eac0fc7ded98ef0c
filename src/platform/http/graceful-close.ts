import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/**
 * The time for which idle connections stay open: the next request may be in transit, and its outcome would be
 * unknown.
 */
const IDLE_MS = 200;

/** The time after which requests that have not arrived completely are cut. No handler has seen them. */
const INCOMPLETE_MS = 2_000;

/** The time limit of the requests in progress. */
const RESPONSE_MS = 5_000;

/**
 * The time after which responses without a known end are cut. Their clients connect again, or see that they are
 * cut.
 */
const STREAM_MS = 2_000;

const closeAfter = (response: ServerResponse) => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/**
 * Closes the HTTP server without cutting a response. From `begin` on it accepts no connection, and each response has
 * `Connection: close`. One more request on each open connection is answered: all that it needs is still running.
 */
@Injectable()
export class GracefulClose implements OnModuleInit, BeforeApplicationShutdown {
  /** The pending responses of each open connection. */
  private readonly connections = new Map<Socket, Set<ServerResponse>>();
  private readonly streams = new Set<ServerResponse>();
  private areStreamsOver = false;
  private isDraining = false;
  private closed: Promise<unknown> | undefined;
  private cut = 0;

  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server.on('connection', (socket: Socket) => {
      // A request with `Upgrade` that is answered as any other begins its connection anew.
      if (this.connections.has(socket)) return;
      this.connections.set(socket, new Set());
      socket.once('close', () => this.connections.delete(socket));
    });
    this.server.prependListener('request', (_, response: ServerResponse) => this.expect(response));
  }

  /** Closes each connection with its next answer, so that clients connect to another server. It still listens. */
  drain(): void {
    this.isDraining = true;
    for (const responses of this.connections.values()) for (const response of responses) closeAfter(response);
  }

  /** Begins to close the server, and returns at once. */
  begin(): void {
    this.closed = once(this.server, 'close');
    // The HTTP server's own close would also cut the idle connections, at once; patches.test.ts checks that it does.
    NetServer.prototype.close.call(this.server);
    // This time-out closes the connection of a response whose headers were sent already.
    this.server.keepAliveTimeout = IDLE_MS;
    for (const responses of this.connections.values()) {
      // With pipelined requests only the last response may close the connection.
      const last = [...responses].at(-1);
      if (last) closeAfter(last);
    }
    const timers = [
      // If the timer is late, requests that arrived meanwhile are read first.
      setTimeout(() => setImmediate(() => this.server.closeIdleConnections()), IDLE_MS),
      setTimeout(() => this.endStreams(), STREAM_MS),
      setTimeout(() => this.cutIncomplete(), INCOMPLETE_MS),
      setTimeout(() => this.cutAll(), RESPONSE_MS),
    ];
    this.server.once('close', () => timers.forEach(clearTimeout));
  }

  /** Runs work that writes a response without a known end, which a stop cuts and does not count. */
  async streaming(response: ServerResponse, work: () => Promise<void>): Promise<void> {
    if (this.areStreamsOver) response.destroy();
    this.streams.add(response);
    try {
      await work();
    } finally {
      this.streams.delete(response);
    }
  }

  // Otherwise Nest would close what the last responses need.
  async beforeApplicationShutdown(): Promise<void> {
    await this.closed;
  }

  /** The number of requests that were cut although they had arrived completely. */
  get cutRequests(): number {
    return this.cut;
  }

  private get server(): Server {
    return this.adapter.httpAdapter.getHttpServer() as Server;
  }

  private expect(response: ServerResponse): void {
    const responses = this.connections.get(response.req.socket);
    responses?.add(response);
    response.once('close', () => responses?.delete(response));
    if (this.closed || this.isDraining) closeAfter(response);
  }

  private endStreams(): void {
    this.areStreamsOver = true;
    for (const response of this.streams) response.destroy();
  }

  private cutIncomplete(): void {
    for (const [socket, responses] of this.connections) {
      if (![...responses].some(({ req }) => req.complete)) socket.destroy();
    }
  }

  private cutAll(): void {
    for (const [socket, responses] of this.connections) {
      this.cut += responses.size;
      socket.destroy();
    }
  }
}
