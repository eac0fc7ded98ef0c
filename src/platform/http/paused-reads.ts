import type { Socket } from 'node:net';

const pauses = new WeakMap<Socket, number>();

/** Pauses the reads of a connection until each function that this returned for it has been called, once. */
export function pauseReads(socket: Socket): () => void {
  pauses.set(socket, (pauses.get(socket) ?? 0) + 1);
  socket.pause();
  return () => {
    const others = (pauses.get(socket) ?? 1) - 1;
    pauses.set(socket, others);
    if (others === 0) socket.resume();
  };
}
