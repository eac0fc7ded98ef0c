import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AsteriskDoor, TelnyxDoor, TwilioDoor, type VoiceRuntimeParts } from '@parley/voice';
import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import type { OutgoingCall } from '../src/doors/carrier';
import { CarrierTalk } from './support/carriers';

jest.setTimeout(60_000);

const KEY = 'k3y-0123456789abcdef';
const SECRETS = [KEY, Buffer.from(`user:${KEY}`).toString('base64')];
const { llmConfig, sttConfig, voiceConfig } = exampleCall().agent;

/** A service that refuses everything, and repeats the headers of the request in its words. */
let echo: Server;
let echoUrl: string;
let requests = 0;
/** The texts of the logs, of the program and of the calls. */
let written: string[];
const note = (text: unknown) => void written.push(String(text));
const logger = { warn: note, error: note };

beforeAll(async () => {
  const describe = ({ headers }: IncomingMessage) => {
    requests++;
    const basic = /^Basic (.*)/.exec(headers.authorization ?? '')?.[1] ?? '';
    return `Not allowed: ${JSON.stringify(headers)} ${Buffer.from(basic, 'base64').toString()}`;
  };
  echo = createServer((request, response) => {
    const message = describe(request);
    const error = { message, type: 'invalid_request_error', code: 'invalid_api_key' };
    response.writeHead(401, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ code: 20003, message, error, detail: { status: 'invalid_api_key', message } },
        errors: [{ code: '10009', title: message, detail: message }],
      }),
    );
  });
  echo.on('upgrade', (request, socket) => {
    const message = describe(request);
    socket.end(`HTTP/1.1 401 ${message.slice(0, 500)}\r\ndg-error: ${message}\r\nContent-Length: 0\r\n\r\n`);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
});
afterAll(() => {
  echo.closeAllConnections();
  echo.close();
});

beforeEach(() => {
  [written, requests] = [[], 0];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    jest
      .spyOn(console, method)
      .mockImplementation((...texts: unknown[]) => note(texts.map(String).join(' ')));
});
afterEach(() => jest.restoreAllMocks());

/** Errors were written, and none of them has a key. */
function expectNoKey(): void {
  expect(requests).toBeGreaterThan(0);
  expect(written).not.toEqual([]);
  for (const text of written) for (const secret of SECRETS) expect(text).not.toContain(secret);
}

const outgoing: OutgoingCall = {
  ...{ id: 'call-1', to: '+15551234567', from: '', detectsMachine: false, maximumMs: 60_000 },
  ...{ mayTransfer: false, leaseSeconds: 30, speech: { language: 'en', voice: '', terms: [] } },
};
const number = '+15550100000';
const publicUrl = 'wss://voice.example.com';
const publicKey = generateKeyPairSync('ed25519')
  .publicKey.export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('base64');

const connectTwilio = () => {
  const account = { apiUrl: echoUrl, accountSid: 'user', authToken: KEY, number, publicUrl };
  const door = new TwilioDoor(account, logger);
  return { door, hangUp: () => door['hangUp']('call-1', 'CA1') };
};
const connectTelnyx = () => {
  const account = { apiUrl: echoUrl, apiKey: KEY, connectionId: '1', publicKey, number, publicUrl };
  const door = new TelnyxDoor(account, logger);
  return { door, hangUp: () => door['hangUp']('call-1', 'v3:1') };
};

test.each([
  ['Twilio', connectTwilio],
  ['Telnyx', connectTelnyx],
])('the key of %s is in no log, also if the carrier repeats it in a refusal', async (_, connect) => {
  const { door, hangUp } = connect();
  await door.dial(outgoing, new AbortController().signal).catch(note);
  expect(written).toHaveLength(1);
  hangUp();
  await until(() => written.length === 2);
  await door.close();
  expectNoKey();
});

test('the password of Asterisk is in no log, also if Asterisk repeats it in a refusal', async () => {
  const dialplan = { endpoint: 'PJSIP/{number}@trunk', websocketClient: 'parley', transferContext: 'x' };
  const door = new AsteriskDoor(
    { apiUrl: echoUrl, username: 'user', password: KEY, app: 'parley', number, ...dialplan },
    logger,
  );
  // The connection of the events is refused.
  await until(() => written.length === 1);
  door['hangUp']('call-1', 'channel-1');
  await until(() => written.length === 2);
  await door.close();
  expectNoKey();
});

const own = { ...llmConfig, provider: 'openai' };
test.each<[string, () => object, () => Partial<VoiceRuntimeParts>]>([
  [
    'deepgram',
    () => ({ sttConfig: { ...sttConfig, provider: 'deepgram' } }),
    () => ({ accounts: { deepgram: { baseUrl: echoUrl, apiKey: KEY } } }),
  ],
  [
    'elevenlabs',
    () => ({ voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' } }),
    () => ({ accounts: { elevenlabs: { baseUrl: echoUrl, apiKey: KEY } } }),
  ],
  [
    'openai-realtime',
    () => ({ llmConfig: { ...llmConfig, provider: 'openai-realtime', model: 'gpt-realtime' } }),
    () => ({ accounts: { 'openai-realtime': { baseUrl: echoUrl, apiKey: KEY } } }),
  ],
  [
    'chat completions',
    () => ({ llmConfig: own }),
    () => ({ models: new Map([['openai', { baseUrl: `${echoUrl}/v1`, apiKey: KEY }]]) }),
  ],
])('the key of %s is in no log and no timeline, also if the service repeats it', async (_, agent, parts) => {
  const talk = await CarrierTalk.start('twilio');
  const call = await talk.call(
    { talks: [{ afterMs: 200, forMs: 300 }] },
    { options: { start: { greeting: '', agent: agent() } }, parts: parts() },
  );
  await talk.close();
  expect(call.end).toMatchObject({ reason: 'error' });
  const { events, warnings, analyses } = call;
  written.push(...talk.problems, JSON.stringify({ events, warnings, analyses }));
  expectNoKey();
});
