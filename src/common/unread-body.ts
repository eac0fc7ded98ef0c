import type { Request } from 'express';

/** More than most uploads: their senders read why they were refused before the connection is closed. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Lets go of what has not come yet of a refused request. Node would read it to its end, however far that is, so that
 * the connection can carry the next request; this closes the connection where it is too far.
 */
export function discardBody(request: Request): void {
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) request.socket.destroy();
  });
}
