import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../test/support/until';
import { AsteriskStandIn } from './stand-ins/asterisk/asterisk-stand-in';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import { OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { OpenAiRealtimeStandIn } from './stand-ins/openai-realtime/openai-realtime-stand-in';
import { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';
import { refusal } from './support/refusal';

/** A program without the client of this package: it answers webhooks with a document, and takes streams. */
let program: Server;
let sockets: WebSocketServer;
let document: string | undefined;
let address: string;
/** The messages of the streams. */
let messages: Record<string, unknown>[];
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  program = createServer((_, response) =>
    document === undefined
      ? response.writeHead(403).end()
      : response.writeHead(200, { 'content-type': 'text/xml' }).end(document),
  ).listen(0, '127.0.0.1');
  await once(program, 'listening');
  sockets = new WebSocketServer({ server: program });
  messages = [];
  sockets.on('connection', note);
  address = `ws://127.0.0.1:${(program.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  for (const client of sockets.clients) client.terminate();
  program.closeAllConnections();
  program.close();
});

/** A stand-in that ends with the test. */
function used<StandIn extends { close(): unknown }>(standIn: StandIn): StandIn {
  ends.push(() => standIn.close());
  return standIn;
}

function note(socket: WebSocket): void {
  socket.on('message', (data: Buffer, isBinary) => {
    const text = data.toString();
    messages.push(!isBinary && text.startsWith('{') ? (JSON.parse(text) as (typeof messages)[0]) : { text });
  });
}

/** The connection of the service to the program, or of the program to a service. */
const findStream = () => until(() => [...sockets.clients][0]);
async function connect(url: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers });
  ends.push(() => socket.terminate());
  note(socket);
  await once(socket, 'open');
  return socket;
}

/** @returns the status, and the word or number of the service for what is wrong */
async function ask(url: string, headers: Record<string, string>, body?: string | URLSearchParams) {
  const response = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body });
  const answer = (await response.json()) as {
    code?: number;
    message?: string;
    errors?: { code: string }[];
    error?: { code: string | null };
    detail?: { status: string };
  };
  const said = answer.code ?? answer.errors?.[0]?.code ?? answer.error?.code ?? answer.detail?.status;
  return [response.status, said ?? answer.message];
}
const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const CALLER = { to: '+15550100000', from: '+15551112222' };

describe('The stand-in of Twilio, as Twilio itself,', () => {
  let twilio: TwilioStandIn;
  beforeEach(async () => {
    twilio = used(await TwilioStandIn.listen());
    twilio.webhookUrl = address.replace('ws', 'http');
  });
  const connectTo = (noun: string) =>
    (document = `<Response><Connect>${noun.replace('/>', ` url="${address}"></${noun.slice(1, -2)}>`)}</Connect></Response>`);

  test('refuses a wrong token, a call that is none, and a parameter that it does not know', async () => {
    const { accountSid, authToken, apiUrl } = twilio;
    const calls = `${apiUrl}/2010-04-01/Accounts/${accountSid}/Calls`;
    const own = basic(accountSid, authToken);
    expect(await ask(`${calls}.json`, basic(accountSid, 'another'))).toEqual([401, 20003]);
    expect(await ask(`${calls}/CA${'1'.repeat(32)}.json`, own)).toEqual([404, 20404]);
    expect(await ask(`${calls}.json`, own, new URLSearchParams({ To: '+1', Wish: 'x' }))).toEqual([
      400, 20001,
    ]);
  });

  test.each([
    ['no document', undefined, /^11200 /],
    ['a document that is no XML', 'Hello', /^12100 /],
    ['a verb that it does not know', '<Response><Sing/></Response>', /^12200 /],
  ])('complains about %s, and ends the call', async (_, answer, complaint) => {
    document = answer;
    const call = await twilio.ringIn(CALLER);
    expect(call).toMatchObject({ endedBy: 'carrier', complaints: [expect.stringMatching(complaint)] });
  });

  test('ends a stream with a message that is none, and says so', async () => {
    connectTo('<Stream/>');
    const call = await twilio.ringIn(CALLER);
    const stream = await findStream();
    stream.send('{"event":"sing"}');
    expect((await once(stream, 'close'))[0]).toBe(1002);
    expect(call.complaints).toEqual([expect.stringMatching(/^31924 /)]);
  });

  test('names the direction of a call to ConversationRelay, and refuses a message that is none', async () => {
    connectTo('<ConversationRelay/>');
    const call = await twilio.ringIn(CALLER);
    const stream = await findStream();
    await until(() => messages.length > 0);
    expect(messages[0]).toMatchObject({ type: 'setup', direction: 'inbound', ...CALLER });
    stream.send('{"type":"sing"}');
    await until(() => messages.some(({ type }) => type === 'error'));
    expect(call.complaints).toEqual([expect.stringMatching(/^64107 /)]);
    expect(stream.readyState).toBe(WebSocket.OPEN);
  });
});

test('The stand-in of Telnyx refuses a wrong key, a call that is none, a wrong field and a frame that is none', async () => {
  const telnyx = used(await TelnyxStandIn.listen());
  const [calls, own] = [`${telnyx.apiUrl}/v2/calls`, bearer(telnyx.apiKey)];
  telnyx.webhookUrl = address.replace('ws', 'http');
  expect(await ask(`${calls}/v3:none`, bearer('another'))).toEqual([401, '10009']);
  expect(await ask(`${calls}/v3:none`, own)).toEqual([404, '10005']);
  const call = { connection_id: telnyx.connectionId, to: '+15551234567', from: telnyx.number };
  const create = (fields: object) => ask(calls, own, JSON.stringify({ ...call, ...fields }));
  expect(await create({ wish: 'x' })).toEqual([422, '10015']);
  expect(await create({ stream_url: 'http://127.0.0.1' })).toEqual([422, '10015']);
  document = '';
  expect(await create({ stream_url: address })).toEqual([200, undefined]);
  const stream = await findStream();
  stream.send('sing');
  await until(() => messages.some(({ event }) => event === 'error'));
  expect(messages).toContainEqual({ event: 'error', payload: { code: 100003, title: 'malformed_frame' } });
  expect(telnyx.calls[0]?.complaints).toEqual(['100003 malformed_frame undefined']);
});

test('The stand-in of Asterisk refuses a wrong password, a channel that is none and a wrong parameter, and complains about a command that is none', async () => {
  const asterisk = used(await AsteriskStandIn.listen());
  asterisk.webhookUrl = address;
  const [ari, own] = [`${asterisk.apiUrl}/ari`, basic(asterisk.username, asterisk.password)];
  const events = `${ari.replace('http', 'ws')}/events?app=parley`;
  expect(await refusal(events, basic(asterisk.username, 'another'))).toBe(401);
  expect(await ask(`${ari}/channels`, basic(asterisk.username, 'another'))).toEqual([401, 'Unauthorized']);
  expect(await ask(`${ari}/channels/none`, own)).toEqual([404, 'Channel not found']);
  expect(await ask(`${ari}/channels?wish=x`, own, '')).toEqual([400, 'There is no parameter wish']);
  await connect(events, own);
  const post = async (path: string) =>
    (await fetch(`${ari}/${path}`, { method: 'POST', headers: own })).status;
  expect(await post('channels?endpoint=PJSIP/%2B15551234567@trunk&app=parley&channelId=person')).toBe(200);
  const media = 'transport=websocket&encapsulation=none&connection_type=client&direction=both&format=ulaw';
  expect(await post(`channels/externalMedia?${media}&external_host=parley&app=parley&channelId=media`)).toBe(
    200,
  );
  expect(await post('bridges?type=mixing&bridgeId=both')).toBe(200);
  const stream = await findStream();
  await until(() => asterisk.calls[0]?.isInStasis);
  expect(await post('bridges/both/addChannel?channel=person,media')).toBe(204);
  stream.send('SING');
  await until(() => asterisk.calls[0]?.complaints.length);
  expect(asterisk.calls[0]?.complaints).toEqual(['an unknown command SING']);
});

test('The stand-in of Deepgram refuses a wrong key and a model that is none, and closes at a message that is none', async () => {
  const deepgram = used(await DeepgramStandIn.listen());
  const url = `${deepgram.baseUrl.replace('http', 'ws')}/v1/listen?encoding=linear16&sample_rate=16000`;
  const own = { authorization: `Token ${deepgram.apiKey}` };
  expect(await refusal(`${url}&model=nova-3`, { authorization: 'Token another' })).toBe(401);
  expect(await refusal(`${url}&model=none`, own)).toBe(400);
  for (const message of ['sing', Buffer.alloc(0)]) {
    const stream = await connect(`${url}&model=nova-3`, own);
    stream.send(message);
    expect((await once(stream, 'close'))[0]).toBe(1008);
  }
});

test('The stand-in of ElevenLabs refuses a wrong key, a voice that is none and a request without a text', async () => {
  const elevenLabs = used(await ElevenLabsStandIn.listen());
  const url = (voice: string) =>
    `${elevenLabs.baseUrl}/v1/text-to-speech/${voice}/stream?output_format=pcm_16000`;
  const own = { 'xi-api-key': elevenLabs.apiKey };
  expect(await ask(url('voice-1'), { 'xi-api-key': 'another' }, '{}')).toEqual([401, 'invalid_api_key']);
  expect(await ask(url('none'), own, '{}')).toEqual([404, 'voice_not_found']);
  expect(await ask(url('voice-1'), own, '{}')).toEqual([422, 'missing_text']);
});

test('The stand-in of chat completions refuses a wrong key, a model that is none and a wrong parameter', async () => {
  const chat = used(await OpenAiChatStandIn.listen());
  const url = `${chat.baseUrl}/chat/completions`;
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello.' }] };
  const send = (fields: object, key = chat.apiKey ?? '') =>
    ask(url, bearer(key), JSON.stringify({ ...body, ...fields }));
  expect(await send({}, 'another')).toEqual([401, 'invalid_api_key']);
  expect(await send({ model: 'none' })).toEqual([404, 'model_not_found']);
  expect(await send({ wish: 'x' })).toEqual([400, 'unknown_parameter']);
});

test('The stand-in of the Realtime API refuses a wrong key, a model that is none and an event that is none', async () => {
  const openAi = used(await OpenAiRealtimeStandIn.listen());
  const url = `${openAi.baseUrl.replace('http', 'ws')}/realtime?model=`;
  const own = { authorization: `Bearer ${openAi.apiKey}` };
  expect(await refusal(`${url}gpt-realtime`, { authorization: 'Bearer another' })).toBe(401);
  expect(await refusal(`${url}none`, own)).toBe(400);
  const socket = await connect(`${url}gpt-realtime`, own);
  socket.send('sing');
  await until(() => messages.some(({ type }) => type === 'error'));
  expect(openAi.complaints).toEqual([{ code: 'invalid_value', param: 'type' }]);
});
