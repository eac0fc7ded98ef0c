import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TwilioDoor } from '@parley/voice';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until';
import type { SessionListener } from '../src/doors/session';
import { computeSignature } from '../src/doors/twilio/signature';
import { VirtualClock } from '../src/rehearsal/virtual-clock';

/** The carrier's side is played by the test: it answers the REST requests, calls back, and opens the streams. */
const SID = `CA${'1'.repeat(32)}`;
const OTHER_SID = `CA${'2'.repeat(32)}`;
const account = { accountSid: 'AC1', authToken: 'token-1', number: '+15550100000' };
let carrier: Server;
let doorServer: Server;
let door: TwilioDoor;
let clock: VirtualClock;
let publicUrl: string;
const streams: WebSocket[] = [];
let requests: { method?: string; path?: string; form: URLSearchParams }[] = [];
let answer: { status: number; body: object } = { status: 201, body: { sid: SID } };
/** Is called before the carrier answers. */
let beforeAnswer: () => unknown = () => undefined;
/** Whether the carrier's answers are lost. */
let isCut = false;

beforeEach(async () => {
  requests = [];
  answer = { status: 201, body: { sid: SID } };
  beforeAnswer = () => undefined;
  isCut = false;
  carrier = await listening(async (request, body) => {
    requests.push({ method: request.method, path: request.url, form: new URLSearchParams(body) });
    await beforeAnswer();
    return isCut ? undefined : answer;
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

/** @param reply undefined: the connection is cut */
async function listening(
  reply: (request: IncomingMessage, body: string) => Promise<typeof answer | undefined>,
): Promise<Server> {
  const server = createServer((request, response) => {
    void request.toArray().then(async (parts: Buffer[]) => {
      const replied = await reply(request, Buffer.concat(parts).toString());
      if (!replied) return response.destroy();
      const { status, body } = replied;
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
  mayTransfer: false,
  leaseSeconds: 30,
  speech: { language: 'en', voice: '', terms: [] },
};

/** Places the call, up to the answer of the carrier. */
async function dial(signal = new AbortController().signal, answered = () => undefined as void) {
  const session = door.dial({ ...call, answered }, signal);
  session.catch(() => undefined);
  await until(() => requests.length > 0);
  const document = requests[0]?.form.get('Twiml') ?? '';
  const [key = '', nextKey = ''] = [...document.matchAll(/name="key" value="([^"]*)"/g)].map(
    ([, value]) => value,
  );
  return { session, key, nextKey };
}

async function callBack(
  kind: 'status' | 'amd' | 'transfer' | 'lost',
  fields: Record<string, string>,
  token = account.authToken,
) {
  const url = `${publicUrl.replace('ws', 'http')}/voice/twilio/call-1/${kind}`;
  const form = new URLSearchParams({ CallSid: SID, ...fields });
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
    start: { streamSid: 'MZ1', callSid: SID, customParameters: { call: 'call-1', key } },
  });
  return { socket, frames, send, closed };
}

function listener() {
  const heard: string[] = [];
  const note = (name: string) => (value?: unknown) => {
    const { reason } = Object(value) as { reason?: string };
    const shown = ['string', 'boolean'].includes(typeof value) ? String(value) : (reason ?? '');
    heard.push(`${name} ${shown}`.trim());
  };
  const names = ['media', 'text', 'dtmf', 'stop', 'lost', 'returned', 'answeredBy', 'interrupted'] as const;
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
  await until(() => heard.includes('lost'));
  // The callback about the end comes a moment later.
  expect(await callBack('status', { CallStatus: 'completed' })).toBe(204);
  expect(heard.slice(2)).toEqual(['answeredBy beep', 'lost', 'stop user_hangup']);
});

test('a result of the machine detection counts once', async () => {
  const { session: dialling, key } = await dial();
  await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  for (const AnsweredBy of ['human', 'human', 'machine_end_beep', 'human', 'machine_end_beep'])
    expect(await callBack('amd', { AnsweredBy })).toBe(204);
  expect(heard).toEqual(['answeredBy person', 'answeredBy beep']);
});

test.each([
  ['status', { CallSid: OTHER_SID, CallStatus: 'completed' }],
  ['transfer', { ParentCallSid: OTHER_SID, CallStatus: 'busy' }],
] as const)('a callback %s about another call is refused', async (kind, fields) => {
  const { session: dialling, key } = await dial();
  await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  expect(await callBack(kind, fields)).toBe(403);
  expect(heard).toEqual([]);
});

test('a caller who was refused as busy is no call later: the server is asked no more', async () => {
  answer = { status: 200, body: { status: 'ringing' } };
  let settled: AbortSignal | undefined;
  door.takeCalls((_, { signal }) => {
    settled = signal;
    return new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  const url = `${publicUrl.replace('ws', 'http')}/voice/twilio/incoming`;
  const form = new URLSearchParams({ CallSid: OTHER_SID, To: account.number, From: '+15551112222' });
  const headers = { 'x-twilio-signature': computeSignature(account.authToken, url, form) };
  const asked = fetch(url, { method: 'POST', headers, body: form });
  await until(() => settled !== undefined);
  clock.advance(11_999);
  expect(settled?.aborted).toBe(false);
  clock.advance(1);
  expect(await (await asked).text()).toContain('<Reject reason="busy"/>');
  expect(settled?.aborted).toBe(true);
});

test('a caller who hangs up before the answer ends the call, and one whose stream does not come is an error', async () => {
  for (const [status, reason, answers] of [
    ['canceled', 'user_hangup', 0],
    ['in-progress', 'error', 1],
  ] as const) {
    let failed: unknown;
    let answered = 0;
    answer = { status: 200, body: { status: 'ringing' } };
    door.takeCalls(async (_, { accepted }) => {
      accepted('call-2');
      const incoming = {
        id: 'call-2',
        number: account.number,
        leaseSeconds: 30,
        speech: call.speech,
        answered: () => void answered++,
      };
      await door.pickUp(incoming, new AbortController().signal).catch((error: unknown) => (failed = error));
    });
    const url = `${publicUrl.replace('ws', 'http')}/voice/twilio/incoming`;
    const form = new URLSearchParams({
      CallSid: status === 'canceled' ? SID : OTHER_SID,
      To: account.number,
      From: '+15551112222',
    });
    const headers = { 'x-twilio-signature': computeSignature(account.authToken, url, form) };
    const response = await fetch(url, { method: 'POST', headers, body: form });
    expect(await response.text()).toContain('<Connect>');
    answer = { status: 200, body: { status } };
    clock.advance(15_000);
    await until(() => failed !== undefined);
    expect(failed).toMatchObject({ reason });
    // The carrier charges only for a call that it has answered.
    expect(answered).toBe(answers);
  }
  // Another process may have the calls.
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('an incoming call whose webhook comes again, because its answer is late or lost, stays one call', async () => {
  answer = { status: 200, body: { status: 'ringing' } };
  let asked = 0;
  let decide = () => undefined as void;
  const decided = new Promise<void>((resolve) => (decide = resolve));
  const controller = new AbortController();
  door.takeCalls(async (_, { accepted }) => {
    asked++;
    await decided;
    accepted('call-2');
    const { leaseSeconds, speech } = call;
    const incoming = { id: 'call-2', number: account.number, leaseSeconds, speech };
    await door.pickUp(incoming, controller.signal).catch(() => undefined);
  });
  const url = `${publicUrl.replace('ws', 'http')}/voice/twilio/incoming`;
  const form = new URLSearchParams({ CallSid: SID, To: account.number, From: '+15551112222' });
  const headers = { 'x-twilio-signature': computeSignature(account.authToken, url, form) };
  const send = async () => (await fetch(url, { method: 'POST', headers, body: form })).text();
  const early = [send(), send()];
  await until(() => requests.length === 2);
  decide();
  const [document, again] = await Promise.all(early);
  expect(document).toContain('<Connect>');
  expect([again, await send()]).toEqual([document, document]);
  expect(asked).toBe(1);
  controller.abort(new Error('The test is over'));
});

test('a stream that was cut comes back, or the person is gone after 10 s', async () => {
  const { session: dialling, key, nextKey } = await dial();
  const first = await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  first.socket.terminate();
  await until(() => heard.includes('lost'));
  const second = await openStream(nextKey);
  await until(() => heard.includes('returned'));
  clock.advance(11_000);
  expect(heard).toEqual(['lost', 'returned']);
  second.socket.terminate();
  await until(() => heard.length === 3);
  clock.advance(10_000);
  expect(heard).toEqual(['lost', 'returned', 'lost', 'stop error']);
});

test('a stream that came back after it had stopped is missed as well', async () => {
  const { session: dialling, key, nextKey } = await dial();
  const first = await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  first.send({ event: 'stop', stop: {} });
  await until(() => heard.includes('lost'));
  first.socket.close();
  await first.closed;
  const second = await openStream(nextKey);
  await until(() => heard.includes('returned'));
  second.socket.terminate();
  await until(() => heard.length === 3);
  clock.advance(10_000);
  expect(heard).toEqual(['lost', 'returned', 'lost', 'stop error']);
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

test('a person who hangs up before the report of the answer has come was reached', async () => {
  const { session } = await dial();
  expect(await callBack('status', { CallStatus: 'completed' })).toBe(204);
  expect(await callBack('status', { CallStatus: 'in-progress' })).toBe(204);
  await expect(session).rejects.toMatchObject({ reason: 'user_hangup' });
});

test('the answer is reported once, before the stream comes', async () => {
  let answers = 0;
  const { session, key } = await dial(undefined, () => void answers++);
  expect(await callBack('status', { CallStatus: 'ringing' })).toBe(204);
  expect(answers).toBe(0);
  expect(await callBack('status', { CallStatus: 'in-progress' })).toBe(204);
  expect(answers).toBe(1);
  await openStream(key);
  expect(await callBack('status', { CallStatus: 'completed' })).toBe(204);
  expect(answers).toBe(1);
  (await session).end();
});

test('a call that was answered, and for which no stream can be opened, is an error, and ends', async () => {
  const { session } = await dial();
  const [, lost] = /<Redirect>(.*)<\/Redirect><\/Response>$/.exec(requests[0]?.form.get('Twiml') ?? '') ?? [];
  expect(lost).toBe(`${publicUrl.replace('ws', 'http')}/voice/twilio/call-1/lost`);
  expect(await callBack('status', { CallStatus: 'in-progress' })).toBe(204);
  expect(await callBack('lost', { CallStatus: 'in-progress' }, 'wrong')).toBe(403);
  expect(await callBack('lost', { CallStatus: 'in-progress' })).toBe(200);
  expect(await callBack('status', { CallStatus: 'completed' })).toBe(204);
  await expect(session).rejects.toMatchObject({
    reason: 'error',
    message: expect.stringContaining('could not be opened') as string,
  });
});

test('a call that was answered, and whose stream does not come, is an error after 15 s', async () => {
  const { session } = await dial();
  expect(await callBack('status', { CallStatus: 'in-progress' })).toBe(204);
  answer = { status: 200, body: { status: 'in-progress' } };
  clock.advance(15_000);
  await expect(session).rejects.toMatchObject({ reason: 'error' });
  await until(() => requests.at(-1)?.form.get('Status') === 'completed');
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
  expect(own.socket.readyState).toBe(WebSocket.OPEN);
});

test('the next stream of the document takes the place of one whose loss is not noticed yet', async () => {
  const { session: dialling, key, nextKey } = await dial();
  const former = await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  const next = await openStream(nextKey);
  await former.closed;
  next.send({ event: 'dtmf', dtmf: { digit: '5' } });
  await until(() => heard.includes('dtmf 5'));
  session.mark('a');
  await until(() => next.frames.length === 1);
  expect(heard).toEqual(['lost', 'returned', 'dtmf 5']);
});

test('a stream counts once: one that is sent again is refused while it is connected, and after it was cut', async () => {
  const { session: dialling, key, nextKey } = await dial();
  const refused = async () => (await (await openStream(key)).closed)[0] as number;
  const first = await openStream(key);
  const session = await dialling;
  const { heard, of } = listener();
  session.listen(of);
  expect(await refused()).toBe(1008);
  first.send({ event: 'dtmf', dtmf: { digit: '5' } });
  await until(() => heard.includes('dtmf 5'));
  first.socket.terminate();
  await until(() => heard.includes('lost'));
  expect(await refused()).toBe(1008);
  await openStream(nextKey);
  await until(() => heard.includes('returned'));
  expect(await refused()).toBe(1008);
  expect(heard).toEqual(['dtmf 5', 'lost', 'returned']);
});

test('a stream that comes after the next one of its document is refused', async () => {
  const { session: dialling, key, nextKey } = await dial();
  const next = await openStream(nextKey);
  await dialling;
  const late = await openStream(key);
  expect((await late.closed)[0]).toBe(1008);
  expect(next.socket.readyState).toBe(WebSocket.OPEN);
});

test('the end of a conversation hangs up, once', async () => {
  const { session: dialling, key } = await dial();
  const stream = await openStream(key);
  const session = await dialling;
  session.end();
  session.end();
  await stream.closed;
  await until(() => requests.length === 2);
  expect(requests[1]?.path).toBe(`/2010-04-01/Accounts/AC1/Calls/${SID}.json`);
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

test('a phone whose call was placed stops ringing if the answer is lost before the first callback', async () => {
  isCut = true;
  const { session } = await dial();
  await expect(session).rejects.toMatchObject({ reason: 'dial_failed' });
  isCut = false;
  answer = { status: 200, body: { calls: [] } };
  expect(await callBack('status', { CallStatus: 'ringing' })).toBe(204);
  await until(() => requests.length === 3);
  expect(requests.slice(1).map(({ path, form }) => [path, form.get('Status')])).toEqual([
    [`/2010-04-01/Accounts/AC1/Calls.json?ParentCallSid=${SID}`, null],
    [`/2010-04-01/Accounts/AC1/Calls/${SID}.json`, 'completed'],
  ]);
});

test('a phone rings on if the answer to the request that called it is lost after the first callback', async () => {
  let lost: () => void = () => undefined;
  isCut = true;
  beforeAnswer = () => new Promise<void>((resolve) => (lost = resolve));
  const { session: dialling, key } = await dial();
  expect(await callBack('status', { CallStatus: 'initiated' })).toBe(204);
  lost();
  expect(await callBack('status', { CallStatus: 'in-progress' })).toBe(204);
  await openStream(key);
  [isCut, beforeAnswer] = [false, () => undefined];
  (await dialling).end();
  await until(() => requests.length === 2);
  expect(requests[1]?.path).toBe(`/2010-04-01/Accounts/AC1/Calls/${SID}.json`);
  expect(requests[1]?.form.get('Status')).toBe('completed');
});

test('a call that ends before the answer to the request that placed it is hung up when that answer comes', async () => {
  let answerLate: () => void = () => undefined;
  beforeAnswer = () => new Promise<void>((resolve) => (answerLate = resolve));
  const { session: dialling, key } = await dial();
  await openStream(key);
  (await dialling).end();
  beforeAnswer = () => undefined;
  answerLate();
  await until(() => requests.length === 2);
  expect(requests[1]?.form.get('Status')).toBe('completed');
});

test.each([
  ['the other number is busy', [{ ParentCallSid: SID, CallStatus: 'busy' }], 'Twilio: busy'],
  ['the person has hung up', [], false],
  ['the person hangs up while it rings', [{ ParentCallSid: SID, CallStatus: 'canceled' }], false],
  ['the other number answers', [{ ParentCallSid: SID, CallStatus: 'in-progress' }], true],
] as const)('a transfer whose call has ended before the report that %s', async (_, reports, result) => {
  const { session: dialling, key } = await dial();
  await openStream(key);
  const session = await dialling;
  const transfer = session.transfer('+15559998888', 3_600).catch((error: Error) => error.message);
  await until(() => requests.length === 2);
  expect(await callBack('status', { CallStatus: 'completed' })).toBe(204);
  for (const report of reports) expect(await callBack('transfer', report)).toBe(204);
  clock.advance(3_000);
  expect(await transfer).toBe(result);
});

test('the words in which the carrier refuses a request, which may name numbers, are not repeated', async () => {
  const { session: dialling, key } = await dial();
  await openStream(key);
  const session = await dialling;
  answer = { status: 400, body: { code: 21211, message: "The 'To' number +15559998888 is not valid." } };
  await expect(session.transfer('+15559998888', 3_600)).rejects.toThrow(
    /^The carrier answered 400, code 21211$/,
  );
  answer = { status: 502, body: { detail: 'No route to +15559998888' } };
  await expect(session.transfer('+15559998888', 3_600)).rejects.toThrow(/^The carrier answered 502$/);
});

test('a late callback about a person who is connected with a number ends nothing', async () => {
  const { session: dialling, key } = await dial();
  await openStream(key);
  const session = await dialling;
  const transfer = session.transfer('+15559998888', 3_600);
  await until(() => requests.length === 2);
  await callBack('transfer', { ParentCallSid: SID, CallStatus: 'in-progress' });
  expect(await transfer).toBe(true);
  session.end();
  expect(await callBack('status', { CallStatus: 'in-progress' })).toBe(204);
  // A second call shows that no request came between.
  const other = door.dial({ ...call, id: 'call-2' }, new AbortController().signal);
  other.catch(() => undefined);
  await until(() => requests.length === 3);
  expect(requests[2]?.path).toBe('/2010-04-01/Accounts/AC1/Calls.json');
});

test('a person who is connected with a number has the time of a call of its own', async () => {
  const { session: dialling, key } = await dial();
  await openStream(key);
  const session = await dialling;
  const transfer = session.transfer('+15559998888', 3_600);
  await until(() => requests.length === 2);
  expect(requests[1]?.form.get('TimeLimit')).toBe('14400');
  await callBack('transfer', { ParentCallSid: SID, CallStatus: 'in-progress' });
  expect(await transfer).toBe(true);
});

test('where no callback comes, the carrier is asked for the call', async () => {
  const { session } = await dial();
  answer = { status: 200, body: { status: 'no-answer' } };
  await callBack('status', { CallStatus: 'initiated' });
  clock.advance(60_000);
  await expect(session).rejects.toMatchObject({ reason: 'dial_no_answer' });
});
