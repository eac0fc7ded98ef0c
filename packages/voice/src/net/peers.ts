import { createHmac } from 'node:crypto';
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isSameSecret } from '../same-secret';

export interface PeersOptions {
  /** The address at which the other processes reach this one, such as `http://10.0.0.5:3010`. undefined: there are none. */
  peerUrl?: string;
  /** The same for all processes. Without it, an address could name any machine. */
  secret?: string;
}

const PATH = /^\/voice\/at\/([\w-]{1,400})\.([\w-]{43})(\/.*)$/;
/** For a carrier whose paths cannot name a process. */
const QUERY = /[?&]at=([\w-]{1,400})\.([\w-]{43})(?:&|$)/;
const CONNECT_MS = 2_000;
const PASS_MS = 30_000;
const FORWARDED = 'x-parley-forwarded';

/**
 * Lets several processes have one public address. The addresses that a process gives to carriers and browsers name it;
 * whichever process gets a request passes it on. A process that is gone is answered for here, where nobody knows its calls.
 */
export class Peers {
  /** Names this process, with a signature, such as in the query of an address. undefined: it is the only one. */
  readonly name?: string;

  constructor(private readonly options: PeersOptions = {}) {
    const { peerUrl, secret } = options;
    if (peerUrl === undefined || secret === undefined) return;
    const name = Buffer.from(peerUrl).toString('base64url');
    this.name = `${name}.${sign(name, secret)}`;
  }

  /** The beginning of the paths of this process; '' if it is the only one. */
  get path(): string {
    return this.name === undefined ? '' : `/voice/at/${this.name}`;
  }

  /** The address at which the other processes reach this one. */
  get url(): string | undefined {
    return this.options.peerUrl;
  }

  /** The address of the process that a name is of. @returns undefined if its signature is wrong: it could be any machine's */
  read(signedName: string): string | undefined {
    const { secret } = this.options;
    const [name = '', signature] = signedName.split('.');
    if (secret === undefined || !isSameSecret(signature, sign(name, secret))) return undefined;
    return Buffer.from(name, 'base64url').toString();
  }

  /** Whether the address of another process accepts no connection. */
  isGone(peerUrl: string): Promise<boolean> {
    if (!/^http:\/\//.test(peerUrl) || !URL.canParse(peerUrl)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const socket = connect({ ...readAddress(peerUrl), timeout: CONNECT_MS });
      const settle = (isGone: boolean) => {
        resolve(isGone);
        socket.destroy();
      };
      socket.once('connect', () => settle(false));
      socket.once('timeout', () => settle(true));
      socket.once('error', () => settle(true));
    });
  }

  /** Sends a request on to another process, which was not reached when the request came. @throws if it does not answer */
  async pass(peerUrl: string, path: string, headers: Record<string, string>, body: string): Promise<void> {
    const response = await fetch(new URL(path, peerUrl), {
      ...{ method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(PASS_MS) },
      headers: { ...headers, [FORWARDED]: '1' },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The process answered ${response.status}`);
  }

  /** @param own handles requests of this process, whose paths have no name of a process any more */
  request(request: IncomingMessage, response: ServerResponse, own: () => void): void {
    const peer = this.find(request);
    if (!peer) return own();
    this.forward(peer, request, response, () => {
      strip(request);
      own();
    });
  }

  /** @param unreached is called if the process accepts no connection */
  forward(peer: string, request: IncomingMessage, response: ServerResponse, unreached: () => void): void {
    const forwarded = httpRequest({
      ...{ ...readAddress(peer), agent: false, timeout: PASS_MS },
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
      unreached();
    });
  }

  /** For the `upgrade` event of an HTTP server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, own: () => void): void {
    const peer = this.find(request);
    if (!peer) return own();
    const forwarded = connect(readAddress(peer));
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

  /** The process that an address names. undefined: this one; the path has lost the name then. */
  private find(request: IncomingMessage): string | undefined {
    const { peerUrl } = this.options;
    const url = request.url ?? '';
    const [, name, signature] = PATH.exec(url) ?? QUERY.exec(url) ?? [];
    const peer = name === undefined ? undefined : this.read(`${name}.${signature}`);
    if (peer === undefined) return undefined;
    if (peer !== peerUrl && !isForwarded(request)) return peer;
    strip(request);
    return undefined;
  }
}

/** The place at which a process listens. The brackets of an IPv6 address are no part of it. */
export function readAddress(peerUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(peerUrl);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || 80 };
}

/** Whether another process has sent a request on to this one, which sends it no further. */
export const isForwarded = ({ headers }: IncomingMessage) => headers[FORWARDED] !== undefined;

/** The beginning of the path of a request that named a process, as it was sent; '' if it named none. */
export const getProcessPath = (request: IncomingMessage) => processPaths.get(request) ?? '';

const processPaths = new WeakMap<IncomingMessage, string>();

function strip(request: IncomingMessage): void {
  const [, name, signature, path] = PATH.exec(request.url ?? '') ?? [];
  if (path === undefined) return;
  processPaths.set(request, `/voice/at/${name}.${signature}`);
  request.url = path;
}

const sign = (name: string, secret: string) =>
  createHmac('sha256', secret).update(`voice process ${name}`).digest('base64url');

function writeHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  return `${[...lines, `${FORWARDED}: 1`].join('\r\n')}\r\n\r\n`;
}
