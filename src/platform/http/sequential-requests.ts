import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pauseReads } from './paused-reads';

/** The number of requests of a connection that wait for the one before. A connection with more is cut. */
export const MAX_WAITING = 32;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  isBusy: boolean;
  waiting: (() => void)[];
  resumeReads: (() => void) | undefined;
}

const connections = new WeakMap<Duplex, Connection>();

/** Whether a request of the connection has no complete answer yet. */
export const isAnswering = (socket: Duplex): boolean => connections.get(socket)?.isBusy ?? false;

/**
 * Handles the requests of a connection one after the other. Node.js would handle pipelined requests at once and keep
 * their answers until the ones before are read: behind a stream, for as long as it lasts.
 */
export function sequential(handle: Handle): Handle {
  const start = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    connection.isBusy = true;
    response.once('close', () => {
      connection.isBusy = false;
      // After an answer with `Connection: close`, no other one can be sent.
      if (request.socket.writable) connection.waiting.shift()?.();
      if (connection.waiting.length > 0) return;
      connection.resumeReads?.();
      connection.resumeReads = undefined;
    });
    handle(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { isBusy: false, waiting: [], resumeReads: undefined };
    if (!connection.isBusy) {
      connections.set(socket, connection);
      return start(connection, request, response);
    }
    if (connection.waiting.length >= MAX_WAITING) return void socket.destroy();
    connection.waiting.push(() => start(connection, request, response));
    // Reads are paused even if Node.js has resumed them since.
    connection.resumeReads ??= pauseReads(socket);
  };
}
