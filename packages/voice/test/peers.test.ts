import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Peers } from '@parley/voice';
import { WebSocket, WebSocketServer } from 'ws';

const secret = 'a secret that all processes share';

/** A process of several behind one address. It answers with its name, the path that it sees, and the body. */
class Process {
  peers = new Peers();
  private readonly sockets = new WebSocketServer({ noServer: true });

  private constructor(
    readonly name: string,
    private readonly server: Server,
  ) {}

  static async start(name: string): Promise<Process> {
    const server = createServer((request, response) =>
      own.peers.request(request, response, () => {
        void request.toArray().then((parts: Buffer[]) => {
          response.end(`${name} ${request.url} ${Buffer.concat(parts).toString()}`);
        });
      }),
    );
    server.on('upgrade', (request, socket, head: Buffer) =>
      own.peers.upgrade(request, socket, head, () => {
        own.sockets.handleUpgrade(request, socket, head, (client) => {
          client.on('message', (data: Buffer) => client.send(`${name} ${request.url} ${data.toString()}`));
        });
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own: Process = new Process(name, server);
    own.peers = new Peers({ peerUrl: own.url, secret });
    return own;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async post(path: string, body: string): Promise<string> {
    return (await fetch(`${this.url}${path}`, { method: 'POST', body })).text();
  }

  async ask(path: string, text: string): Promise<string> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}${path}`);
    await once(socket, 'open');
    socket.send(text);
    const [answer] = (await once(socket, 'message')) as [Buffer];
    socket.close();
    return answer.toString();
  }

  /** As a process that is killed. */
  kill(): void {
    this.server.closeAllConnections();
    for (const client of this.sockets.clients) client.terminate();
    this.server.close();
  }
}

describe('Several processes behind one address', () => {
  let one: Process;
  let two: Process;
  let threePath: string;
  beforeAll(async () => {
    [one, two] = [await Process.start('one'), await Process.start('two')];
    const three = await Process.start('three');
    threePath = three.peers.path;
    three.kill();
  });
  afterAll(() => {
    one.kill();
    two.kill();
  });

  test('pass requests on to the process that the path names', async () => {
    expect(await two.post(`${one.peers.path}/voice/x`, 'hello')).toBe('one /voice/x hello');
    expect(await one.post(`${one.peers.path}/voice/x`, 'hello')).toBe('one /voice/x hello');
    expect(await two.post('/voice/x', 'hello')).toBe('two /voice/x hello');
  });

  test('pass WebSockets on to the process that the path names', async () => {
    expect(await two.ask(`${one.peers.path}/voice/x`, 'hello')).toBe('one /voice/x hello');
    expect(await one.ask(`${one.peers.path}/voice/x`, 'hello')).toBe('one /voice/x hello');
  });

  test('answer for a process that is gone', async () => {
    expect(await two.post(`${threePath}/voice/x`, 'hello')).toBe('two /voice/x hello');
    expect(await two.ask(`${threePath}/voice/x`, 'hello')).toBe('two /voice/x hello');
  });

  test('pass nothing on to an address that they did not sign', async () => {
    const name = Buffer.from('http://169.254.169.254').toString('base64url');
    const forged = `${one.peers.path.replace(/at\/[^.]+/, `at/${name}`)}/latest`;
    expect(await two.post(forged, '')).toBe(`two ${forged} `);
  });
});
