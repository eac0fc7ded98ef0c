import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The messages of the protocol of epmd, the port mapper of Erlang. */
const REGISTER = 120;
const REGISTERED = 118;
const FIND = 122;
const FOUND = 119;
const LIST = 110;

const HIDDEN_NODE = 72;
const VERSION = 6;

const uint = (bytes: number, value: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/**
 * A port mapper for one Erlang node. It names a proxy as the address of every other node, so that a test can cut
 * the link between two nodes.
 */
export class PortMapper {
  private readonly ports = new Map<string, number>();
  private readonly server = createServer((socket) => this.serve(socket));
  private registrations = 0;

  static async start(): Promise<PortMapper> {
    const mapper = new PortMapper();
    mapper.server.listen(0, '127.0.0.1');
    await once(mapper.server, 'listening');
    return mapper;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @param name without its host */
  add(name: string, port: number): void {
    this.ports.set(name, port);
  }

  /** The port of a node, which has registered itself. */
  find(name: string): number {
    const port = this.ports.get(name);
    if (port === undefined) throw new Error(`${name} is not registered.`);
    return port;
  }

  stop(): void {
    this.server.close();
  }

  private serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      this.answer(socket, received.subarray(2));
      received = Buffer.alloc(0);
    });
  }

  private answer(socket: Socket, request: Buffer): void {
    const tag = request.readUInt8(0);
    if (tag === REGISTER) this.register(socket, request);
    else if (tag === FIND) socket.end(this.describe(request.toString('latin1', 1)));
    else if (tag === LIST) {
      const lines = [...this.ports].map(([name, port]) => `name ${name} at port ${port}\n`);
      socket.end(Buffer.concat([uint(4, this.port), Buffer.from(lines.join(''))]));
    } else socket.destroy();
  }

  /** The registration lasts as long as its connection. */
  private register(socket: Socket, request: Buffer): void {
    const port = request.readUInt16BE(1);
    const name = request.toString('latin1', 11, 11 + request.readUInt16BE(9));
    this.registrations += 1;
    socket.write(Buffer.concat([Buffer.from([REGISTERED, 0]), uint(4, this.registrations)]));
    if (request.readUInt8(3) === HIDDEN_NODE) return;
    this.ports.set(name, port);
    socket.once('close', () => {
      if (this.ports.get(name) === port) this.ports.delete(name);
    });
  }

  private describe(name: string): Buffer {
    const port = this.ports.get(name);
    if (port === undefined) return Buffer.from([FOUND, 1]);
    const node = Buffer.from([77, 0, 0, VERSION, 0, VERSION - 1]);
    const length = uint(2, name.length);
    return Buffer.concat([
      Buffer.from([FOUND, 0]),
      uint(2, port),
      node,
      length,
      Buffer.from(name),
      uint(2, 0),
    ]);
  }
}
