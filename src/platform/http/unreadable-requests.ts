import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, getErrorStatus } from './error-codes';
import { ApiError } from './errors';

/** The error codes by the code of Node's error. */
const ERROR_CODE_OF: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** A complete HTTP response in the envelope; the connection is closed after it. */
function rawResponse(errorCode: ErrorCode, details: string): string {
  const status = getErrorStatus(errorCode);
  const message = STATUS_CODES[status] ?? 'Refused';
  const body = JSON.stringify(new ApiError(errorCode, message, { details }).body);
  return (
    `HTTP/1.1 ${status} ${message}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

const noHttp = (errorCode: ErrorCode) => rawResponse(errorCode, 'The request could not be read as HTTP.');

/** Answers requests that Node refuses before Express sees them, in the envelope. */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    socket.end(noHttp(ERROR_CODE_OF[error.code ?? ''] ?? 'MALFORMED_REQUEST'));
  });
  // Node would close the connection without a response.
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, noHttp('MALFORMED_REQUEST'));
  });
  // Node would answer these two without a body.
  server.on('checkExpectation', ({ socket, headers: { expect } }: IncomingMessage) => {
    refuse(
      socket,
      rawResponse(
        'EXPECTATION_FAILED',
        `The server cannot meet the expectation "${expect}", only "100-continue".`,
      ),
    );
  });
  // `requireOneHost` refuses a request without the header in the envelope; Node would answer it without a body.
  Object.assign(server, { requireHostHeader: false });
}

/** Closes the connection without waiting for the client to close its side. */
function refuse(socket: Socket, response: string): void {
  socket.write(response);
  socket.destroySoon();
}

/** Must be the first middleware. If there are two Host headers, Node and a proxy may each use a different one. */
export function requireOneHost(request: IncomingMessage, _: ServerResponse, next: () => void): void {
  const { httpVersion, rawHeaders, socket } = request;
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1)
    return refuse(socket, rawResponse('MALFORMED_REQUEST', 'A request must have the header Host once.'));
  if (hosts === 1 || httpVersion !== '1.1') return next();
  refuse(socket, rawResponse('MALFORMED_REQUEST', 'A request in HTTP/1.1 must have the header Host.'));
}
