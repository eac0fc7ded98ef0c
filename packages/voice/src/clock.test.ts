import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from './clock';

/** Keeps the process busy, and longer than a timer has waited. */
function stall(): void {
  for (const until = performance.now() + 200; performance.now() < until;);
}

describe('A timer that a stall has delayed', () => {
  let server: Server;
  let client: Socket;
  let socket: Socket;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [socket] = (await once(server, 'connection')) as [Socket];
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  test('fires after what has arrived meanwhile', async () => {
    const order: string[] = [];
    const fired = new Promise<void>((resolve) => {
      systemClock.after(20, () => {
        order.push('timer');
        resolve();
      });
    });
    socket.on('data', () => order.push('data'));
    client.write('x');
    stall();
    await fired;
    expect(order).toEqual(['data', 'timer']);
  });

  test('does not fire if what has arrived cancels it', async () => {
    let hasFired = false;
    const cancel = systemClock.after(20, () => (hasFired = true));
    socket.on('data', cancel);
    client.write('x');
    stall();
    await once(socket, 'data');
    await nextTurn();
    expect(hasFired).toBe(false);
  });
});
