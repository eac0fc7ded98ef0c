import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Peers, TelnyxDoor } from '@parley/voice';
import { until } from '../../../test/support/until';
import type { Session } from '../src/doors/session';
import type { Person } from './stand-ins/phone/handset';
import type { TelnyxCall } from './stand-ins/telnyx/call';
import type { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { CarrierTalk } from './support/carriers';

jest.setTimeout(30_000);

let talk: CarrierTalk;
let telnyx: TelnyxStandIn;
let calls = 0;
beforeAll(async () => {
  talk = await CarrierTalk.start('telnyx');
  telnyx = talk.standIn as TelnyxStandIn;
});
afterAll(() => talk.close());
afterEach(() => expect(talk.problems.splice(0)).toEqual([]));

/** Calls a person, without an agent. */
async function dial(person: Person): Promise<{ session: Session; phone: TelnyxCall }> {
  const to = `+1555${7_000_000 + calls++}`;
  telnyx.expect(to, person);
  const session = await talk.carrier.dial(
    {
      ...{ id: `call-${calls}`, to, from: '', detectsMachine: false, maximumMs: 60_000, mayTransfer: true },
      leaseSeconds: 30,
      speech: { language: 'en', voice: '', terms: [] },
    },
    new AbortController().signal,
  );
  const phone = telnyx.calls.find((call) => call.to === to);
  if (!phone) throw new Error('The call was not placed');
  return { session, phone };
}

/** Sends an event as Telnyx does. @returns the status of the answer */
async function send(url: string, type: string, payload: object): Promise<number> {
  const body = JSON.stringify({ data: { id: `${type} ${calls++}`, event_type: type, payload } });
  return (await fetch(url, { method: 'POST', body, headers: telnyx.signed(body) })).status;
}

test('an event that was made before a person was connected with a number, and comes later, ends nothing', async () => {
  const { session, phone } = await dial({ connectedMs: 500 });
  const { client_state } = phone.fields;
  expect(await session.transfer?.('+15559998888', 3_600)).toBe(true);
  session.end('call_transfer');
  const early = { call_control_id: phone.id, client_state };
  expect(await send(phone.callbackUrl, 'streaming.stopped', early)).toBe(200);
  await until(() => phone.isOver);
  expect(phone.endedBy).toBe('person');
});

test('what the machine detection of Telnyx finds reaches the call', async () => {
  const { session, phone } = await dial({});
  const heard: string[] = [];
  const ignore = () => undefined;
  session.listen({
    ...{ media: ignore, text: ignore, dtmf: ignore, stop: ignore, lost: ignore, returned: ignore },
    ...{ interrupted: ignore, answeredBy: (answerer) => void heard.push(answerer) },
  });
  const about = { call_control_id: phone.id, client_state: phone.fields.client_state };
  for (const [type, result] of [
    ['call.machine.premium.detection.ended', 'human_residence'],
    ['call.machine.premium.detection.ended', 'machine'],
    ['call.machine.premium.detection.ended', 'not_sure'],
    ['call.machine.premium.greeting.ended', 'beep_detected'],
  ] as const)
    expect(await send(phone.callbackUrl, type, { ...about, result })).toBe(200);
  expect(heard).toEqual(['person', 'machine', 'beep']);
  session.end('agent_hangup');
  await until(() => phone.isOver);
});

test('a call ends at its first webhook if both answers to the request that placed it were lost before', async () => {
  [telnyx.losesAnswers, telnyx.lostWebhooks] = [2, ['call.initiated']];
  await expect(dial({ ringMs: 1_000 })).rejects.toMatchObject({ reason: 'dial_failed' });
  const phone = telnyx.calls.at(-1);
  await until(() => phone?.isOver);
  telnyx.lostWebhooks = [];
  expect(phone?.endedBy).toBe('runtime');
});

test('a phone that rings for a call that no process holds stops ringing', async () => {
  const state = Buffer.from(JSON.stringify({ call: 'call-lost', key: 'k' })).toString('base64');
  const fields = { client_state: state, webhook_url: `${telnyx.webhookUrl}/call-lost` };
  const phone = telnyx['createCall']('+15550000001', telnyx.number, 'outgoing', { ringMs: 20_000 }, fields);
  phone.dial();
  await until(() => phone.isOver);
  expect(phone).toMatchObject({ endedBy: 'runtime', isAnswered: false });
});

test('an incoming call that is offered to a second process as well stays with the first one', async () => {
  const { apiUrl, apiKey, connectionId, publicKey, number } = telnyx;
  const account = { apiUrl, apiKey, connectionId, publicKey, number, publicUrl: talk.publicUrl };
  const second = new TelnyxDoor(account, { warn: (sentence) => void talk.problems.push(sentence) });
  const server = createServer((request, response) => void second.handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/voice/telnyx`;
  const call = { number, leaseSeconds: 30, speech: { language: 'en', voice: '', terms: [] } };
  let failed: unknown;
  second.takeCalls((_, { accepted }) => {
    accepted('call-of-second');
    return second
      .pickUp({ id: 'call-of-second', ...call }, new AbortController().signal)
      .catch((error: unknown) => (failed = error));
  });
  const ringing = talk.ring({ hangsUpAfterMs: 1_000 }, { options: { start: { greeting: 'Hello.' } } });
  const phone = await until(() => telnyx.calls.find(({ streams, isOver }) => streams === 1 && !isOver));
  const { id: call_control_id, to, from } = phone;
  expect(await send(url, 'call.initiated', { call_control_id, direction: 'incoming', to, from })).toBe(200);
  await until(() => failed !== undefined);
  expect(failed).toMatchObject({ reason: 'error' });
  expect((await ringing).end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup' });
  expect(phone.endedBy).toBe('person');
  server.closeAllConnections();
  server.close();
});

/** A call that a process has left at Telnyx. */
function leave(state: object): TelnyxCall {
  const client_state = Buffer.from(JSON.stringify({ call: `call-${calls++}`, key: 'k', ...state })).toString(
    'base64',
  );
  const call = telnyx['createCall']('+15550000002', telnyx.number, 'outgoing', {}, { client_state });
  call.isAnswered = true;
  return call;
}

test('a process that starts ends the calls of those that are gone, and no others', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  const gone = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(listener, 'listening'), once(gone, 'listening')]);
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [peer, left] = [urlOf(listener), urlOf(gone)];
  await once(gone.close(), 'close');
  const alone = leave({ holder: 'here', isTransferred: true });
  const connected = leave({ holder: 'here', isTransferred: true });
  const others = [
    ...[connected, leave({ holder: 'here', person: connected.id })],
    ...[leave({ holder: 'elsewhere' }), leave({ holder: 'elsewhere', peer })],
  ];
  const orphans = [
    ...[alone, leave({ holder: 'here' }), leave({ holder: 'elsewhere', peer: left })],
    leave({ holder: 'elsewhere', peer: 'http://127.0.0.1:9' }),
  ];
  const { apiUrl, apiKey, connectionId, publicKey, number } = telnyx;
  const peers = new Peers({ peerUrl: 'http://127.0.0.1:9', secret: 'a secret' });
  new TelnyxDoor(
    { apiUrl, apiKey, connectionId, publicKey, number, publicUrl: talk.publicUrl, holder: 'here', peers },
    { warn: (sentence) => void talk.problems.push(sentence) },
  );
  await until(() => orphans.every(({ isOver }) => isOver));
  expect(others.filter(({ isOver }) => isOver)).toEqual([]);
  listener.close();
});
