import type { Request } from 'express';

/**
 * The limit is larger than most uploads, whose senders can then read the refusal before the connection is closed.
 */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MS = 5_000;

/**
 * Discards the rest of a request that is answered early, so that its connection can be reused. Node would read it to
 * its end without a bound; this closes the connection if the rest is too large or too slow.
 */
export function discardBody(request: Request): void {
  let received = 0;
  const timer = setTimeout(() => request.socket.destroy(), MAX_MS).unref();
  request.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) request.socket.destroy();
  });
  // A form that was refused while it was being read is paused.
  request.resume();
}
