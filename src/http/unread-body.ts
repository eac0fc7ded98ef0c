import type { Request } from 'express';

/** More than most uploads: their senders read why they were refused before the connection is closed. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MS = 5_000;

/**
 * Discards what has not come yet of a request that is answered without it, so that its connection can carry the next
 * one. Node would read it to its end, however much and however slow; this closes the connection where it is too much.
 */
export function discardBody(request: Request): void {
  let received = 0;
  const timer = setTimeout(() => request.socket.destroy(), MAX_MS).unref();
  request.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) request.socket.destroy();
  });
  // A form that was refused while it was read is paused.
  request.resume();
}
