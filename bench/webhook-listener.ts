import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Receives webhooks.
 * @param holding whether it never answers, so that a server that sends one webhook at a time only stores the
 * others
 */
export async function startWebhookListener({ holding }: { holding: boolean }) {
  const server = createServer((_request, response) => {
    if (!holding) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/calls`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
