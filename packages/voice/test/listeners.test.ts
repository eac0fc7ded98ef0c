import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until';
import { systemClock } from '../src/clock';
import { BrowserDoor, listenUrl } from '../src/doors/browser/browser-door';
import { type Listeners, MAX_LISTENERS } from '../src/doors/browser/listeners';

const FRAME = 160;
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000);

/** A user who listens, with what was received. */
interface User {
  socket: WebSocket;
  frames: { event: string; media?: { payload: string } }[];
  code?: number;
}

describe('Users who listen to a call', () => {
  const door = new BrowserDoor();
  let server: Server;
  let address: string;
  let listeners: Listeners;
  let calls = 0;

  beforeAll(async () => {
    server = createServer();
    server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    listeners = door.openForListeners(`call-${++calls}`, IN_AN_HOUR());
  });
  afterEach(() => listeners.end('error'));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function come(secret = listeners.secret): User {
    const user: User = { socket: new WebSocket(listenUrl(address, `call-${calls}`, secret)), frames: [] };
    user.socket.on('message', (data: Buffer) =>
      user.frames.push(JSON.parse(data.toString()) as User['frames'][number]),
    );
    user.socket.on('close', (code) => (user.code = code));
    return user;
  }
  async function admitted(): Promise<User> {
    const user = come();
    await until(() => user.frames.some(({ event }) => event === 'ready'));
    return user;
  }
  const loudest = ({ frames }: User) =>
    frames
      .flatMap(({ media }) => (media ? [Buffer.from(media.payload, 'base64')] : []))
      .reduce((most, bytes) => {
        for (let at = 0; at < bytes.length; at += 2) most = Math.max(most, bytes.readInt16LE(at));
        return most;
      }, 0);

  test('hear both sides at once, until the call is over', async () => {
    const user = await admitted();
    expect(user.frames[0]).toMatchObject({ mediaFormat: { encoding: 'audio/l16', sampleRate: 16_000 } });
    await until(() => {
      // A tone of one level is heard at that level, whatever the rate.
      listeners.hear(new Int16Array(FRAME).fill(3_000));
      listeners.say(new Int16Array(FRAME).fill(5_000), systemClock.now());
      return loudest(user) > 7_500;
    });
    // A resampler exceeds the level of a tone that begins at once; a side that is heard twice has at least 11,000.
    expect(loudest(user)).toBeLessThan(10_000);

    listeners.end('user_hangup');
    await until(() => user.code !== undefined);
    expect(user.frames.at(-1)).toEqual({ event: 'ended', reason: 'user_hangup' });
    expect(user.code).toBe(1000);
    const late = come();
    await until(() => late.code !== undefined);
    expect(late.code).toBe(4401);
  });

  test('do not hear what was not played', async () => {
    const user = await admitted();
    listeners.say(new Int16Array(FRAME).fill(5_000), systemClock.now() + 100);
    listeners.clear();
    const heard = user.frames.length;
    await until(() => user.frames.length > heard + 25);
    expect(loudest(user)).toBe(0);
  });

  test('are not heard, and are at most five', async () => {
    const users = await Promise.all(Array.from({ length: MAX_LISTENERS }, () => admitted()));
    const sixth = come();
    await until(() => sixth.code !== undefined);
    expect(sixth.code).toBe(4409);

    users[0]?.socket.send('{"event":"media","media":{"payload":""}}');
    await until(() => users[0]?.code === 4400);
    expect((await admitted()).code).toBeUndefined();
  });

  test('need the secret of the address, before it expires', async () => {
    const stranger = come('x'.repeat(32));
    await until(() => stranger.code !== undefined);
    expect(stranger.code).toBe(4401);

    listeners.end('error');
    listeners = door.openForListeners(`call-${calls}`, new Date(Date.now() - 1));
    const late = come();
    await until(() => late.code !== undefined);
    expect(late.code).toBe(4401);
  });

  test('cost nothing while there are none', async () => {
    expect(listeners.isOpen).toBe(false);
    const user = await admitted();
    expect(listeners.isOpen).toBe(true);
    user.socket.close();
    await until(() => !listeners.isOpen);
  });
});
