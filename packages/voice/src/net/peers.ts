import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface PeersOptions {
  /** The address at which the other processes reach this one, such as `http://10.0.0.5:3010`. undefined: there are none. */
  peerUrl?: string;
  /** The same for all processes. Without it, an address could name any machine. */
  secret?: string;
}

const PATH = /^\/voice\/at\/([\w-]{1,400})\.([\w-]{43})(\/.*)$/;
const CONNECT_MS = 2_000;
const FORWARDED = 'x-parley-forwarded';

/**
 * Lets several processes have one public address. The addresses that a process gives to carriers and browsers name it;
 * whichever process gets a request passes it on. A process that is gone is answered for here, where nobody knows its calls.
 */
export class Peers {
  /** The beginning of the paths of this process; '' if it is the only one. */
  readonly path: string;

  constructor(private readonly options: PeersOptions = {}) {
    const { peerUrl, secret } = options;
    if (peerUrl === undefined || secret === undefined) this.path = '';
    else {
      const name = Buffer.from(peerUrl).toString('base64url');
      this.path = `/voice/at/${name}.${sign(name, secret)}`;
    }
  }

  /** @param own handles requests of this process, whose paths have no name of a process any more */
  request(request: IncomingMessage, response: ServerResponse, own: () => void): void {
    const peer = this.find(request);
    if (!peer) return own();
    const { hostname, port, protocol } = new URL(peer);
    const forwarded = httpRequest({
      ...{ protocol, hostname, port, agent: false, timeout: 30_000 },
      method: request.method,
      path: request.url,
      headers: { ...request.headers, [FORWARDED]: '1' },
    });
    const gone = setTimeout(() => forwarded.destroy(new Error('The process does not answer')), CONNECT_MS);
    let isConnected = false;
    forwarded.on('socket', (socket: Socket) =>
      socket.once('connect', () => {
        isConnected = true;
        clearTimeout(gone);
        request.pipe(forwarded);
      }),
    );
    forwarded.on('timeout', () => forwarded.destroy(new Error('The process does not answer')));
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => {
      clearTimeout(gone);
      if (isConnected) return void response.destroy();
      strip(request);
      own();
    });
  }

  /** For the `upgrade` event of an HTTP server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, own: () => void): void {
    const peer = this.find(request);
    if (!peer) return own();
    const { hostname, port } = new URL(peer);
    const forwarded = connect({ host: hostname, port: Number(port) || 80 });
    let isConnected = false;
    const gone = setTimeout(() => forwarded.destroy(new Error('The process does not answer')), CONNECT_MS);
    forwarded.once('connect', () => {
      isConnected = true;
      clearTimeout(gone);
      forwarded.write(writeHead(request));
      forwarded.write(head);
      socket.pipe(forwarded).pipe(socket);
    });
    forwarded.on('error', () => undefined);
    socket.on('error', () => forwarded.destroy());
    socket.on('close', () => forwarded.destroy());
    forwarded.on('close', () => {
      clearTimeout(gone);
      if (isConnected) return void socket.destroy();
      strip(request);
      own();
    });
  }

  /** The process that a path names. undefined: this one; the path has lost the name then. */
  private find(request: IncomingMessage): string | undefined {
    const { peerUrl, secret } = this.options;
    const [, name = '', signature = ''] = PATH.exec(request.url ?? '') ?? [];
    if (name === '' || secret === undefined) return undefined;
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(name, secret))];
    // A path that nobody signed names nothing, and is no path of this process.
    if (!timingSafeEqual(given, expected)) return undefined;
    const peer = Buffer.from(name, 'base64url').toString();
    if (peer !== peerUrl && request.headers[FORWARDED] === undefined) return peer;
    strip(request);
    return undefined;
  }
}

function strip(request: IncomingMessage): void {
  request.url = PATH.exec(request.url ?? '')?.[3] ?? request.url;
}

const sign = (name: string, secret: string) =>
  createHmac('sha256', secret).update(`voice process ${name}`).digest('base64url');

function writeHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  return `${[...lines, `${FORWARDED}: 1`].join('\r\n')}\r\n\r\n`;
}
