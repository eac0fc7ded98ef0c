import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@parley/worker';
import type { Carrier } from '../carrier';
import { TwilioDoor } from '../twilio/twilio-door';
import { ParleyLine, type ParleyLineOptions } from './parley-line';

export interface StartedLine {
  carrier: Carrier;
  line: ParleyLine;
  close(): Promise<void>;
}

/** Starts {@link ParleyLine} and a door for it, on loopback addresses of this machine. */
export async function startLine(
  options: ParleyLineOptions & { logger: Pick<Logger, 'warn'> },
): Promise<StartedLine> {
  const { logger } = options;
  const line = await ParleyLine.listen({ problem: (sentence) => logger.warn(sentence), ...options });
  const server = createServer((request, response) => {
    if (!door.handle(request, response)) response.writeHead(404).end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!door.upgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const publicUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { apiUrl, accountSid, authToken, number } = line;
  const door = new TwilioDoor({ apiUrl, accountSid, authToken, number, publicUrl }, logger);
  return {
    carrier: door,
    line,
    async close() {
      await door.close();
      await line.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
