import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { asteriskStream } from '../src/doors/asterisk/media-frames';
import { StreamSockets } from '../src/doors/phone/stream-sockets';
import { telnyxStream } from '../src/doors/telnyx/media-frames';
import { twilioStream } from '../src/doors/twilio/media-frames';
import { relayProtocol } from '../src/doors/twilio/relay-frames';
import { VirtualClock } from '../src/rehearsal/virtual-clock';

const json = (frame: object) => JSON.stringify(frame);

// The doors of all carriers give their streams to this class.
describe.each([
  ['Twilio', twilioStream, json({ event: 'start', start: { streamSid: 'MZ1' } })],
  ['ConversationRelay', relayProtocol, json({ type: 'setup', sessionId: 'VX1' })],
  ['Telnyx', telnyxStream, json({ event: 'start', stream_id: 's', start: { client_state: null } })],
  ['Asterisk', asteriskStream, 'MEDIA_START connection_id:c channel:x format:ulaw'],
])('A stream of %s', (_, protocol, start) => {
  let server: Server;
  let clock: VirtualClock;
  let asked: number;
  beforeEach(async () => {
    clock = new VirtualClock();
    asked = 0;
    const find = () => void asked++;
    const streams = new StreamSockets({ clock, protocol, find });
    server = createServer().on('upgrade', (request, socket, head: Buffer) =>
      streams.upgrade(request, socket, head),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function connect() {
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const closed = once(socket, 'close') as Promise<[number]>;
    await once(socket, 'open');
    return { socket, closed };
  }

  test('that has named no call after 3 s is closed', async () => {
    const { socket, closed } = await connect();
    clock.advance(2_999);
    socket.ping();
    await once(socket, 'pong');
    clock.advance(1);
    expect((await closed)[0]).toBe(1006);
    expect(asked).toBe(0);
  });

  test('that names an unknown call is closed at once', async () => {
    const { socket, closed } = await connect();
    socket.send(start);
    expect((await closed)[0]).toBe(1008);
    expect(asked).toBe(1);
  });

  test('that does not begin with the name of its call is closed at once', async () => {
    const { socket, closed } = await connect();
    socket.send(Buffer.alloc(160));
    expect((await closed)[0]).toBe(1008);
    expect(asked).toBe(0);
  });
});
