import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until';
import { CarrierTalk } from './support/carriers';
import type { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { sign } from './stand-ins/twilio/call';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';

const start = { greeting: 'Hello.' };
const refusal = async (url: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(url, { headers });
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.on('error', () => undefined);
  socket.terminate();
  return response.statusCode;
};

describe('What claims to come from Twilio', () => {
  let talk: CarrierTalk;
  let twilio: TwilioStandIn;
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio');
    twilio = talk.standIn as TwilioStandIn;
  });
  afterAll(() => talk.close());

  test('is refused without its signature, or if it was changed on its way', async () => {
    const body = new URLSearchParams({ CallSid: 'CA1', To: twilio.number, From: '+15551112222' });
    const good = sign(twilio.authToken, twilio.webhookUrl, body);
    expect(await twilio.requestDocument(body, '')).toBe(403);
    expect(await twilio.requestDocument(body, sign('another token', twilio.webhookUrl, body))).toBe(403);
    body.set('From', '+15553334444');
    expect(await twilio.requestDocument(body, good)).toBe(403);
  });

  test('is refused if it is sent again after its call, or if there never was one', async () => {
    const call = await talk.ring({ hangsUpAfterMs: 300 }, { options: { start } });
    const again = twilio.describeIncoming(twilio.calls.at(-1) as (typeof twilio.calls)[number]);
    expect(call.phone?.isOver).toBe(true);
    let asked = 0;
    talk.carrier.takeCalls(() => Promise.resolve(void asked++));
    expect(await twilio.requestDocument(again, sign(twilio.authToken, twilio.webhookUrl, again))).toBe(409);
    const none = new URLSearchParams({ CallSid: 'CA0', To: twilio.number, From: '+15551112222' });
    expect(await twilio.requestDocument(none, sign(twilio.authToken, twilio.webhookUrl, none))).toBe(409);
    expect(asked).toBe(0);
  });

  test('is no media stream without a signature of its address', async () => {
    const url = `${talk.publicUrl}/voice/twilio/media`;
    expect(await refusal(url)).toBe(403);
    expect(await refusal(url, { 'x-twilio-signature': sign(twilio.authToken, `${url}/other`) })).toBe(403);
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
  const event = (id: string, event_type = 'call.initiated') => {
    const payload = {
      ...{ call_control_id: `v3:${id}`, direction: 'incoming', to: telnyx.number, from: '+15551112222' },
    };
    return JSON.stringify({ data: { id, event_type, payload } });
  };

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
    const body = event('2');
    expect(await post(body, telnyx.signed(body))).toBe(200);
    expect(await post(body, telnyx.signed(body))).toBe(200);
    await until(() => asked.length > 0);
    expect(asked).toEqual(['+15551112222']);
  });

  test('is no media stream without the key of its call', async () => {
    const socket = new WebSocket(`${talk.publicUrl}/voice/telnyx/media`);
    await once(socket, 'open');
    const state = Buffer.from(JSON.stringify({ call: 'call-1', key: 'guessed' })).toString('base64');
    socket.send(JSON.stringify({ event: 'start', stream_id: 's', start: { client_state: state } }));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
  });

  test('places no second call if the answer to the request is lost', async () => {
    telnyx.losesAnswers = 1;
    const call = await talk.call({ hangsUpAfterMs: 300 }, { options: { start } });
    expect(call.end).toMatchObject({ reason: 'user_hangup' });
    expect(telnyx.calls.filter(({ to }) => to === call.phone?.to)).toHaveLength(1);
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
