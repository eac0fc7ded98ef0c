import { once } from 'node:events';
import { IncomingRefused } from '@parley/worker';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until';
import { CarrierTalk } from './support/carriers';
import { refusal } from './support/refusal';
import type { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { sign } from './stand-ins/twilio/call';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';

const start = { greeting: 'Hello.' };
/** None of a call at the stand-in. */
const SID = `CA${'1'.repeat(32)}`;

describe('What claims to come from Twilio', () => {
  let talk: CarrierTalk;
  let twilio: TwilioStandIn;
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio');
    twilio = talk.standIn as TwilioStandIn;
  });
  afterAll(() => talk.close());

  test('is refused without its signature, or if it was changed on its way', async () => {
    const body = new URLSearchParams({ CallSid: SID, To: twilio.number, From: '+15551112222' });
    const good = sign(twilio.authToken, twilio.webhookUrl, body);
    expect(await twilio.requestDocument(body, '')).toBe(403);
    expect(await twilio.requestDocument(body, sign('another token', twilio.webhookUrl, body))).toBe(403);
    body.set('From', '+15553334444');
    expect(await twilio.requestDocument(body, good)).toBe(403);
  });

  test('counts with a signature of its address without the port, which Twilio may leave out, and not with a changed one', async () => {
    const none = new URLSearchParams({ CallSid: SID, To: twilio.number, From: '+15551112222' });
    const withoutPort = (url: string) => url.replace(/:\d+/, '');
    const { authToken, webhookUrl } = twilio;
    // There is no such call.
    expect(await twilio.requestDocument(none, sign(authToken, withoutPort(webhookUrl), none))).toBe(409);
    const foreign = sign('another token', withoutPort(webhookUrl), none);
    expect(await twilio.requestDocument(none, foreign)).toBe(403);
    const other = sign(authToken, webhookUrl.replace(/:\d+/, ':1'), none);
    expect(await twilio.requestDocument(none, other)).toBe(403);
    const url = `${talk.publicUrl}/voice/twilio/media`;
    const headers = { 'x-twilio-signature': sign(authToken, withoutPort(url)) };
    const socket = new WebSocket(url, { headers });
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'start', streamSid: 'MZ1', start: { streamSid: 'MZ1' } }));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
    expect(await refusal(url, { 'x-twilio-signature': sign('another token', withoutPort(url)) })).toBe(403);
  });

  test('is refused if it is sent again after its call, or if there never was one', async () => {
    const call = await talk.ring({ hangsUpAfterMs: 300 }, { options: { start } });
    const again = twilio.describeIncoming(twilio.calls.at(-1) as (typeof twilio.calls)[number]);
    expect(call.phone?.isOver).toBe(true);
    let asked = 0;
    talk.carrier.takeCalls(() => Promise.resolve(void asked++));
    expect(await twilio.requestDocument(again, sign(twilio.authToken, twilio.webhookUrl, again))).toBe(409);
    const none = new URLSearchParams({ CallSid: SID, To: twilio.number, From: '+15551112222' });
    expect(await twilio.requestDocument(none, sign(twilio.authToken, twilio.webhookUrl, none))).toBe(409);
    expect(asked).toBe(0);
  });

  test('is no media stream without a signature of its address', async () => {
    const url = `${talk.publicUrl}/voice/twilio/media`;
    expect(await refusal(url)).toBe(403);
    expect(await refusal(url, { 'x-twilio-signature': sign(twilio.authToken, `${url}/other`) })).toBe(403);
  });

  test('and names no call does not keep the streams of calls out, and is closed', async () => {
    const url = `${talk.publicUrl}/voice/twilio/media`;
    const headers = { 'x-twilio-signature': sign(twilio.authToken, url) };
    const closed: Promise<unknown>[] = [];
    // More than wait at once, and all of them from one address.
    while (closed.length < 1_001) {
      const opened = Array.from({ length: 91 }, () => {
        const socket = new WebSocket(url, { headers, localAddress: '127.0.0.2' });
        socket.on('error', () => undefined);
        closed.push(new Promise((resolve) => socket.once('close', resolve)));
        return once(socket, 'open');
      });
      await Promise.all(opened);
    }
    const call = await talk.call({ hangsUpAfterMs: 300 }, { options: { start } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup' });
    expect(call.phone).toMatchObject({ streams: 1, complaints: [] });
    await Promise.all(closed);
  });
});

describe('What claims to come from ConversationRelay', () => {
  test('is refused without a signature of its address, or without the key of its call', async () => {
    const talk = await CarrierTalk.start('twilio that speaks');
    const url = `${talk.publicUrl}/voice/twilio/media`;
    expect(await refusal(url)).toBe(403);
    const { authToken } = talk.standIn as TwilioStandIn;
    const socket = new WebSocket(url, { headers: { 'x-twilio-signature': sign(authToken, url) } });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'setup', customParameters: { call: 'call-1', key: 'guessed' } }));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
    await talk.close();
  });
});

describe('What claims to come from Telnyx', () => {
  let talk: CarrierTalk;
  let telnyx: TelnyxStandIn;
  beforeAll(async () => {
    talk = await CarrierTalk.start('telnyx');
    telnyx = talk.standIn as TelnyxStandIn;
  });
  afterAll(() => talk.close());

  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(telnyx.webhookUrl, { method: 'POST', body, headers })).status;
  const event = (id: string, call_control_id = `v3:${id}`) => {
    const payload = { call_control_id, direction: 'incoming', to: telnyx.number, from: '+15551112222' };
    return JSON.stringify({ data: { id, event_type: 'call.initiated', payload } });
  };
  /** A caller whom Telnyx has not reported. */
  const createCaller = () => {
    const caller = telnyx['createCall'](telnyx.number, '+15551112222', 'incoming', {}, {});
    callers.push(caller);
    return caller;
  };
  const callers: { isOver: boolean }[] = [];
  afterEach(() => callers.splice(0).forEach((caller) => (caller.isOver = true)));

  test('is refused without its signature, if it was changed on its way, or if it is older than five minutes', async () => {
    const body = event('1');
    expect(await post(body, {})).toBe(403);
    expect(await post(`${body} `, telnyx.signed(body))).toBe(403);
    const old = String(Math.floor(Date.now() / 1_000) - 301);
    expect(await post(body, telnyx.signed(body, old))).toBe(403);
    expect(await post(body, { ...telnyx.signed(body), 'telnyx-timestamp': old })).toBe(403);
  });

  test('counts once, also if it is sent again', async () => {
    const asked: string[] = [];
    talk.carrier.takeCalls(({ from_number }) => Promise.resolve(void asked.push(from_number)));
    const body = event('2', createCaller().id);
    expect(await post(body, telnyx.signed(body))).toBe(200);
    expect(await post(body, telnyx.signed(body))).toBe(200);
    await until(() => asked.length > 0);
    expect(asked).toEqual(['+15551112222']);
  });

  test('makes no call of a caller who has gone, such as if it is sent again after a restart', async () => {
    const asked: unknown[] = [];
    talk.carrier.takeCalls(({ external_id }) => Promise.resolve(void asked.push(external_id)));
    const [gone, caller] = [createCaller(), createCaller()];
    gone.isOver = true;
    const bodies = [event('3'), event('4', gone.id), event('5', caller.id)];
    for (const body of bodies) expect(await post(body, telnyx.signed(body))).toBe(200);
    await until(() => asked.length > 0);
    expect(asked).toEqual([caller.id]);
    expect(telnyx.asked).toBeGreaterThanOrEqual(2);
    expect(talk.problems).toEqual([]);
  });

  test('is taken for a caller who waits if Telnyx does not say whether the call goes on', async () => {
    const asked: unknown[] = [];
    talk.carrier.takeCalls(({ external_id }) => Promise.resolve(void asked.push(external_id)));
    telnyx.stateFault = 'fails';
    const caller = createCaller();
    const body = event('6', caller.id);
    expect(await post(body, telnyx.signed(body))).toBe(200);
    await until(() => asked.length > 0);
    telnyx.stateFault = undefined;
    expect(asked).toEqual([caller.id]);
    expect(talk.problems.splice(0)).toEqual([
      'Telnyx did not say whether an incoming call goes on: Telnyx answered 503',
    ]);
  });

  test('is no media stream without the key of its call', async () => {
    const url = `${talk.publicUrl}/voice/telnyx/media`;
    expect(await refusal(url)).toBe(403);
    expect(await refusal(`${url}/call-1`)).toBe(403);
    const ringing = talk.call({ ringMs: 1_000, hangsUpAfterMs: 300 }, { options: { start } });
    const phone = await until(() => telnyx.calls.find(({ isOver }) => !isOver));
    const callId = phone.callbackUrl.split('/').at(-1);
    expect(await refusal(`${url}/${callId}`)).toBe(403);
    const socket = new WebSocket(phone.fields.stream_url ?? '');
    await once(socket, 'open');
    const state = Buffer.from(JSON.stringify({ call: callId, key: 'guessed' })).toString('base64');
    socket.send(JSON.stringify({ event: 'start', stream_id: 's', start: { client_state: state } }));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
    expect((await ringing).end).toMatchObject({ reason: 'user_hangup' });
    expect(await refusal(phone.fields.stream_url ?? '')).toBe(403);
  });

  test('places no second call if the answer to the request is lost', async () => {
    telnyx.losesAnswers = 1;
    const call = await talk.call({ hangsUpAfterMs: 300 }, { options: { start } });
    expect(call.end).toMatchObject({ reason: 'user_hangup' });
    expect(telnyx.calls.filter(({ to }) => to === call.phone?.to)).toHaveLength(1);
  });

  test('is refused if it is about another call than its address or its state names', async () => {
    const calling = talk.call({ hangsUpAfterMs: 1_000 }, { options: { start } });
    const isHeld = ({ streams, isOver }: (typeof telnyx.calls)[number]) => streams === 1 && !isOver;
    await until(() => telnyx.calls.some(isHeld));
    const held = telnyx.calls.find(isHeld) as (typeof telnyx.calls)[number];
    const hangup = (call_control_id: string, client_state?: string) =>
      JSON.stringify({
        data: {
          ...{ id: `foreign ${call_control_id} ${client_state}`, event_type: 'call.hangup' },
          payload: { call_control_id, client_state, hangup_cause: 'normal_clearing' },
        },
      });
    const state = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64');
    const own = JSON.parse(Buffer.from(held.fields.client_state ?? '', 'base64').toString()) as object;
    for (const body of [
      hangup('v3:another', held.fields.client_state),
      hangup('v3:another'),
      hangup(held.id, state({ ...own, call: 'call-other' })),
      hangup('v3:another', state({ ...own, key: 'guessed', person: held.id })),
    ]) {
      const response = await fetch(held.callbackUrl, { method: 'POST', body, headers: telnyx.signed(body) });
      expect(response.status).toBe(403);
    }
    expect(held.isOver).toBe(false);
    const call = await calling;
    expect(call.end).toMatchObject({ reason: 'user_hangup' });
    expect(held.endedBy).toBe('person');
    expect(talk.problems.splice(0)).toHaveLength(4);
  });

  test('about a leg to another number that ended ends the call of a process that is gone', async () => {
    const call = telnyx['createCall']('+15550000002', telnyx.number, 'outgoing', {}, {});
    call.isAnswered = true;
    const state = { call: 'call-lost', key: 'k', person: call.id };
    const payload = {
      ...{ call_control_id: 'v3:other-leg', hangup_cause: 'user_busy' },
      client_state: Buffer.from(JSON.stringify(state)).toString('base64'),
    };
    const body = JSON.stringify({ data: { id: 'other-leg', event_type: 'call.hangup', payload } });
    const url = `${telnyx.webhookUrl}/call-lost`;
    expect((await fetch(url, { method: 'POST', body, headers: telnyx.signed(body) })).status).toBe(200);
    await until(() => call.isOver);
    expect(call.endedBy).toBe('runtime');
  });

  test('about a call that no process holds ends it at the carrier', async () => {
    const call = telnyx['createCall'](
      '+15550000001',
      telnyx.number,
      'outgoing',
      {},
      {
        client_state: Buffer.from(JSON.stringify({ call: 'call-lost', key: 'k' })).toString('base64'),
        webhook_url: `${telnyx.webhookUrl}/call-lost`,
      },
    );
    call.answer();
    await until(() => call.isOver);
    expect(call.endedBy).toBe('runtime');
  });
});

describe.each(['twilio', 'telnyx', 'asterisk'] as const)('An incoming call of a client (%s)', (name) => {
  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start(name);
  });
  afterAll(() => talk.close());

  test('does not get the caller whose id it names, and ends before the carrier is asked for anything', async () => {
    let refuse: () => void = () => undefined;
    const asked = new Promise<string>((resolve) =>
      talk.carrier.takeCalls(({ external_id = '' }) => {
        resolve(external_id);
        return new Promise((_, reject) => (refuse = () => reject(new IncomingRefused('do_not_call'))));
      }),
    );
    const ringing = talk.standIn.ringIn({ to: '+15550100000', from: '+15551112222' });
    const waiting = await asked;
    // Asterisk gets the time limit of a channel that waits.
    const listRequests = () => talk.standIn.requests.filter((line) => !line.includes('/variable?'));
    const before = listRequests();
    for (const external_id of [waiting, `${waiting}/../other`, '../Conferences/CF1', '..', '']) {
      const call = await talk.call({}, { options: { start: { direction: 'inbound', external_id } } });
      expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_failed' });
      expect(call.warnings).toEqual([
        { code: 'carrier', text: expect.stringMatching(/^No caller waits for this call/) as string },
      ]);
      expect(call.analyses).toEqual([]);
    }
    expect(listRequests()).toEqual(before);
    refuse();
    // The caller has waited all the time.
    expect((await ringing).refusedAs).toMatch(/rejected/i);
    expect(talk.problems).toEqual([]);
  });
});
