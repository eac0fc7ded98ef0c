import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isAnswering } from './sequential-requests';

/** @returns whether it has taken the connection */
type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Offers the server's WebSocket requests to a handler. All other requests with `Upgrade`, such as those of clients that
 * propose HTTP/2, are answered as if they had none.
 */
export function takeUpgrades(server: Server, handler: UpgradeHandler): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node.js would never send the answer to a request that begins anew behind another one, and would keep it.
    if (isAnswering(socket)) return void socket.destroy();
    if (handler(request, socket, head)) return;
    // Node.js reads no request on this connection any longer, and starts again with the one that is put back.
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
    server.emit('connection', socket);
  });
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() === 'upgrade') continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

const withoutUpgrade = (options: string) =>
  options
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option.toLowerCase() !== 'upgrade')
    .join(', ');
