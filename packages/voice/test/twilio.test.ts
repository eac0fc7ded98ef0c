import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TwilioDoor } from '@parley/voice';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until';
import type { SessionListener } from '../src/doors/session';
import { computeSignature } from '../src/doors/twilio/signature';
import { VirtualClock } from './support/virtual-clock';

/** The carrier's side is played by the test: it answers the REST requests, calls back, and opens the streams. */
const account = { accountSid: 'AC1', authToken: 'token-1', number: '+15550100000' };
let carrier: Server;
let doorServer: Server;
let door: TwilioDoor;
let clock: VirtualClock;
let publicUrl: string;
const streams: WebSocket[] = [];
let requests: { method?: string; path?: string; form: URLSearchParams }[] = [];
let answer: { status: number; body: object } = { status: 201, body: { sid: 'CA1' } };
/** Is called before the carrier answers. */
let beforeAnswer: () => void = () => undefined;

beforeEach(async () => {
  requests = [];
  answer = { status: 201, body: { sid: 'CA1' } };
  beforeAnswer = () => undefined;
  carrier = await listening((request, body) => {
    requests.push({ method: request.method, path: request.url, form: new URLSearchParams(body) });
    beforeAnswer();
    return answer;
  });
  doorServer = createServer((request, response) => {
    if (!door.handle(request, response)) response.writeHead(404).end();
  });
  doorServer.on('upgrade', (request, socket, head: Buffer) => void door.upgrade(request, socket, head));
  doorServer.listen(0, '127.0.0.1');
  await once(doorServer, 'listening');
  publicUrl = `ws://127.0.0.1:${getPort(doorServer)}`;
  clock = new VirtualClock();
  const apiUrl = `http://127.0.0.1:${getPort(carrier)}`;
  door = new TwilioDoor({ ...account, apiUrl, publicUrl }, { warn: () => undefined }, clock);
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.terminate();
  for (const server of [carrier, doorServer]) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(reply: (request: IncomingMessage, body: string) => typeof answer): Promise<Server> {
  const server = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      const { status, body } = reply(request, Buffer.concat(parts).toString());
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const getPort = (server: Server) => (server.address() as AddressInfo).port;

const call = {
  id: 'call-1',
  to: '+15551234567',
  from: '',
  detectsMachine: true,
  maximumMs: 600_000,
  speech: { language: 'en', voice: '', terms: [] },
};

/** Places the call, up to the answer of the carrier. */
async function dial(signal = new AbortController().signal) {
  const session = door.dial(call, signal);
  session.catch(() => undefined);
  await until(() => requests.length === 1);
  const parameter = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(requests[0]?.form.get('Twiml') ?? '')?.[1] ?? '';
  return { session, key: parameter('key') };
}

async function callBack(kind: 'status' | 'amd', fields: Record<string, string>, token = account.authToken) {
  const url = `${publicUrl.replace('ws', 'http')}/voice/twilio/call-1/${kind}`;
  const form = new URLSearchParams(fields);
  const headers = { 'x-twilio-signature': computeSignature(token, url, form) };
  return (await fetch(url, { method: 'POST', headers, body: form })).status;
}

async function openStream(key: string) {
  const url = `${publicUrl}/voice/twilio/media`;
  const headers = { 'x-twilio-signature': computeSignature(account.authToken, url) };
  const socket = new WebSocket(url, { headers });
  streams.push(socket);
  const frames: { event: string; streamSid?: string }[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as (typeof frames)[0]));
  const closed = once(socket, 'close');
  await once(socket, 'open');
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  send({
    event: 'start',
    streamSid: 'MZ1',
    start: { streamSid: 'MZ1', callSid: 'CA1', customParameters: { call: 'call-1', key } },
  });
  return { socket, frames, send, closed };
}

function listener() {
  const heard: string[] = [];
  const note = (name: string) => (value?: unknown) =>
    void heard.push(['string', 'boolean'].includes(typeof value) ? `${name} ${String(value)}` : name);
  const names = ['media', 'text', 'dtmf', 'stop', 'lost', 'returned', 'gone', 'machine'] as const;
  const members = Object.fromEntries(names.map((name) => [name, note(name)]));
  return { heard, of: members as unknown as SessionListener };
}

test('the signature is the one of the documentation of Twilio', () => {
  const form = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+12349013030',
    Digits: '1234',
    From: '+12349013030',
    To: '+18005551212',
  });
  expect(computeSignature('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', form)).toBe(
    '0/KCTR6DLpKmkAf8muzZqo1nDgQ=',
  );
});

test('a call is placed with its stream, its callbacks and the machine detection', async () => {
  await dial();
  const [request] = requests;
  expect([request?.method, request?.path]).toEqual(['POST', '/2010-04-01/Accounts/AC1/Calls.json']);
  const form = Object.fromEntries(request?.form ?? []);
  expect(form).toMatchObject({
    To: '+15551234567',
    From: '+15550100000',
    MachineDetection: 'DetectMessageEnd',
    AsyncAmd: 'true',
  });
  expect(form.Twiml).toContain(`<Connect><Stream url="${publicUrl}/voice/twilio/media">`);
  expect(request?.form.getAll('StatusCallbackEvent')).toEqual([
    'initiated',
    'ringing',
    'answered',
    'completed',
  ]);
});

test('the stream of an answered call carries audio, digits and marks', async () => {
  const { session: dialling, key } = await dial();
  const stream = await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  stream.send({ event: 'media', media: { payload: Buffer.alloc(160, 0xff).toString('base64') } });
  stream.send({ event: 'dtmf', dtmf: { digit: '5' } });
  await until(() => heard.length === 2);
  expect(heard).toEqual(['media', 'dtmf 5']);
  session.frame(new Int16Array(160));
  session.mark('a');
  session.clear();
  await until(() => stream.frames.length === 3);
  expect(stream.frames.map(({ event, streamSid }) => `${event} ${streamSid}`)).toEqual([
    'media MZ1',
    'mark MZ1',
    'clear MZ1',
  ]);
  expect(await callBack('amd', { AnsweredBy: 'machine_end_beep' })).toBe(204);
  stream.send({ event: 'stop', stop: {} });
  await until(() => heard.length === 4);
  expect(heard.slice(2)).toEqual(['machine true', 'stop']);
});

test('a stream that was cut comes back, or the person is gone after 10 s', async () => {
  const { session: dialling, key } = await dial();
  const first = await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  first.socket.terminate();
  await until(() => heard.includes('lost'));
  const second = await openStream(key);
  await until(() => heard.includes('returned'));
  clock.advance(11_000);
  expect(heard).toEqual(['lost', 'returned']);
  second.socket.terminate();
  await until(() => heard.length === 3);
  clock.advance(10_000);
  expect(heard).toEqual(['lost', 'returned', 'lost', 'gone']);
});

test.each([
  ['busy', '', 'dial_busy'],
  ['no-answer', '', 'dial_no_answer'],
  ['failed', '', 'dial_failed'],
  ['failed', '404', 'invalid_destination'],
  ['failed', '486', 'dial_busy'],
])('the status %s %s is %s', async (CallStatus, SipResponseCode, reason) => {
  const { session } = await dial();
  expect(await callBack('status', { CallStatus: 'ringing' })).toBe(204);
  expect(await callBack('status', { CallStatus, SipResponseCode })).toBe(204);
  await expect(session).rejects.toMatchObject({ reason });
});

test.each([
  [{ status: 400, body: { code: 21211, message: 'Not a number' } }, 'invalid_destination'],
  [{ status: 401, body: { code: 20003, message: 'Authenticate' } }, 'dial_failed'],
  [{ status: 503, body: {} }, 'dial_failed'],
])('a call that the carrier refuses by %j fails as %s, and is not placed again', async (given, reason) => {
  answer = given;
  const { session } = await dial();
  await expect(session).rejects.toMatchObject({ reason });
  expect(requests).toHaveLength(1);
});

test('a callback without a good signature, or a stream without the key, changes nothing', async () => {
  const { session: dialling, key } = await dial();
  expect(await callBack('status', { CallStatus: 'busy' }, 'wrong')).toBe(403);
  const foreign = await openStream(`${key.slice(1)}x`);
  await foreign.closed;
  const own = await openStream(key);
  await expect(dialling).resolves.toBeDefined();
  const third = await openStream(key);
  await third.closed;
  expect(own.socket.readyState).toBe(WebSocket.OPEN);
});

test('the end of a conversation hangs up, once', async () => {
  const { session: dialling, key } = await dial();
  const stream = await openStream(key);
  const session = await dialling;
  session.end();
  session.end();
  await stream.closed;
  await until(() => requests.length === 2);
  expect(requests[1]?.path).toBe('/2010-04-01/Accounts/AC1/Calls/CA1.json');
  expect(requests[1]?.form.get('Status')).toBe('completed');
});

test('a call that is taken back while it rings is taken back at the carrier', async () => {
  const controller = new AbortController();
  const { session } = await dial(controller.signal);
  await callBack('status', { CallStatus: 'ringing' });
  controller.abort(new Error('hung up'));
  await expect(session).rejects.toThrow('hung up');
  await until(() => requests.length === 2);
  expect(requests[1]?.form.get('Status')).toBe('completed');
});

test('a call that is taken back while it is placed is taken back at the carrier', async () => {
  const controller = new AbortController();
  // The carrier answers the request after the hang-up.
  beforeAnswer = () => controller.abort(new Error('hung up'));
  await expect(door.dial(call, controller.signal)).rejects.toThrow('hung up');
  await until(() => requests.length === 2);
  expect(requests[1]?.form.get('Status')).toBe('completed');
});

test('where no callback comes, the carrier is asked for the call', async () => {
  const { session } = await dial();
  answer = { status: 200, body: { status: 'no-answer' } };
  await callBack('status', { CallStatus: 'initiated' });
  clock.advance(60_000);
  await expect(session).rejects.toMatchObject({ reason: 'dial_no_answer' });
});
