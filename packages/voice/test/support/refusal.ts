import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Requests a WebSocket. @returns the status of the refusal */
export async function refusal(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.on('error', () => undefined);
  socket.terminate();
  return response.statusCode;
}
