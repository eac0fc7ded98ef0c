import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A complete HTTP answer in the envelope; the connection is closed after it. */
function rawAnswer(status: number, details: string): string {
  const message = STATUS_CODES[status];
  const body = JSON.stringify({ status, message, details });
  return (
    `HTTP/1.1 ${status} ${message}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

const noHttp = (status: number) => rawAnswer(status, 'The request could not be read as HTTP.');

/** Answers requests that Node refuses before Express sees them, in the envelope. */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    socket.end(noHttp(STATUS_BY_CODE[error.code ?? ''] ?? 400));
  });
  // Node would close the connection without an answer.
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, noHttp(400));
  });
  // Node would answer these two without a body.
  server.on('checkExpectation', ({ socket, headers: { expect } }: IncomingMessage) => {
    refuse(socket, rawAnswer(417, `The expectation "${expect}" can not be met; "100-continue" could.`));
  });
  Object.assign(server, { requireHostHeader: false });
}

/** Closes the connection without waiting for the client to close its side. */
function refuse(socket: Socket, answer: string): void {
  socket.write(answer);
  socket.destroySoon();
}

/** Must be the first middleware. Of two Host headers, Node and a proxy may each use a different one. */
export function requireOneHost(request: IncomingMessage, _: ServerResponse, next: () => void): void {
  const { httpVersion, rawHeaders, socket } = request;
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1) return refuse(socket, rawAnswer(400, 'A request must have the header Host once.'));
  if (hosts === 1 || httpVersion !== '1.1') return next();
  refuse(socket, rawAnswer(400, 'A request in HTTP/1.1 must have the header Host.'));
}
