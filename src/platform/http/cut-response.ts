import type { Response } from 'express';

/** Resets the connection of a response, so that the kernel drops the megabytes that the reader has not taken. */
export function cutResponse(response: Response): void {
  if (response.socket) response.socket.resetAndDestroy();
  else response.destroy();
}
