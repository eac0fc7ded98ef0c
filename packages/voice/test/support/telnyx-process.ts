import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Peers, TelnyxDoor } from '@parley/voice';
import { VirtualClock } from '../../src/rehearsal/virtual-clock';
import type { TelnyxStandIn } from '../stand-ins/telnyx/telnyx-stand-in';

const secret = 'a secret that all processes share';

/**
 * A process with Telnyx, in which time passes as a test lets it pass.
 * @param publicUrl the address at which Telnyx reaches it, through another process. Default: its own
 */
export async function startTelnyxProcess(telnyx: TelnyxStandIn, publicUrl?: string) {
  const server = createServer((request, response) =>
    peers.request(request, response, () => void carrier.handle(request, response)),
  );
  server.on('upgrade', (request, socket, head: Buffer) =>
    peers.upgrade(request, socket, head, () => void carrier.upgrade(request, socket, head)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const clock = new VirtualClock();
  const peers = new Peers({ peerUrl: url, secret });
  const { apiUrl, apiKey, connectionId, publicKey, number } = telnyx;
  const account = { apiUrl, apiKey, connectionId, publicKey, number };
  const address = { publicUrl: (publicUrl ?? url).replace('http', 'ws'), processPath: peers.path };
  const carrier = new TelnyxDoor({ ...account, ...address, peers }, { warn: () => undefined }, clock);
  return {
    ...{ url, clock },
    dial: (to: string) =>
      carrier.dial(
        {
          ...{ id: `call-${to.slice(1)}`, to, from: '', detectsMachine: false, maximumMs: 60_000 },
          ...{ mayTransfer: true, leaseSeconds: 30, speech: { language: 'en', voice: '', terms: [] } },
        },
        new AbortController().signal,
      ),
    /** Takes no further connections. Those that are open already go on, such as streams. */
    leave: () => void server.close(),
    /** Takes connections again. @returns a function that counts them */
    async comeBack(): Promise<() => number> {
      let connections = 0;
      server.on('connection', () => connections++);
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return () => connections;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
