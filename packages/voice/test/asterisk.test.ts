import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AsteriskDoor, Peers } from '@parley/voice';
import { until } from '../../../test/support/until';
import { AriClient } from '../src/doors/asterisk/ari-client';
import { AsteriskStandIn } from './stand-ins/asterisk/asterisk-stand-in';
import { OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { exampleCall } from '../../worker/src/example-call';
import { CarrierTalk } from './support/carriers';
import { refusal } from './support/refusal';
import { VirtualClock } from '../src/rehearsal/virtual-clock';
import type { Clock } from '../src/clock';
import type { OutgoingCall } from '../src/doors/carrier';

jest.setTimeout(30_000);

const start = { greeting: 'Hello.' };
const { llmConfig } = exampleCall().agent;

function connect(
  asterisk: AsteriskStandIn,
  warnings: string[] = [],
  clock?: Clock,
  processName?: string,
): AsteriskDoor {
  const { apiUrl, username, password, app, number } = asterisk;
  return new AsteriskDoor(
    {
      ...{ apiUrl, username, password, app, number, endpoint: 'PJSIP/{number}@trunk' },
      ...{ websocketClient: 'parley', transferContext: 'parley-transfer', processName },
    },
    { warn: (sentence) => void warnings.push(sentence) },
    clock,
  );
}

const outgoing: OutgoingCall = {
  ...{ id: 'call-1', to: '+15551234567', from: '', detectsMachine: false, maximumMs: 60_000 },
  mayTransfer: false,
  leaseSeconds: 30,
  speech: { language: 'en', voice: '', terms: [] },
};

test('a call that a killed runtime left at Asterisk without a time limit gets one when it starts again', async () => {
  const asterisk = await AsteriskStandIn.listen();
  const left = asterisk.leave('+15551234567');
  const door = connect(asterisk);
  await until(() => left.timeLimit === 15);
  await door.close();
  await asterisk.close();
});

test('a bridge that a killed runtime left at Asterisk is deleted, and the bridges of others stay', async () => {
  const asterisk = await AsteriskStandIn.listen();
  const clock = new VirtualClock();
  for (const [id, name, members] of [
    ['parley-call-0', 'parley', []],
    ['parley-call-1', 'parley', ['channel-1']],
    ['parley-call-2', 'parley-b', []],
    ['conference', '', []],
  ] as const)
    asterisk.bridges.set(id, { id, name, members: new Set(members) });
  const door = connect(asterisk, [], clock);
  await until(() => asterisk.isConnected);
  await until(() => {
    clock.advance(30_000);
    return asterisk.bridges.size === 3;
  });
  expect([...asterisk.bridges.keys()]).toEqual(['parley-call-1', 'parley-call-2', 'conference']);
  await door.close();
  await asterisk.close();
});

test('a second runtime with the same application is named, and the first one takes no more calls', async () => {
  const asterisk = await AsteriskStandIn.listen();
  const warnings: string[] = [];
  const first = connect(asterisk, warnings);
  await until(() => asterisk.isConnected);
  const second = connect(asterisk);
  await until(() => warnings.some((sentence) => sentence.includes('Give each runtime its own ASTERISK_APP')));
  await first.close();
  await second.close();
  await asterisk.close();
});

test('the stream of a call finds the process that holds the call, at the address of several', async () => {
  const asterisk = await AsteriskStandIn.listen();
  const secret = 'a secret that all processes share';
  const start = async () => {
    const server = createServer();
    server.on('upgrade', (request, socket, head: Buffer) =>
      peers.upgrade(request, socket, head, () => {
        if (!door.upgrade(request, socket, head)) socket.destroy();
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const peers = new Peers({ peerUrl: `http://127.0.0.1:${port}`, secret });
    const door = connect(asterisk, [], undefined, peers.name);
    const close = async () => {
      await door.close();
      server.closeAllConnections();
      server.close();
    };
    return { door, port, close };
  };
  const [first, second] = [await start(), await start()];
  asterisk.webhookUrl = `ws://127.0.0.1:${second.port}/voice/asterisk/media`;
  asterisk.expect(outgoing.to, {});
  const session = await first.door.dial(outgoing, new AbortController().signal);
  expect(asterisk.calls[0]).toMatchObject({ state: 'Up', complaints: [] });
  await until(() => asterisk.calls[0]?.streams === 1);
  session.end();
  await until(() => asterisk.calls[0]?.isOver);
  await first.close();
  await second.close();
  await asterisk.close();
});

test('the words of a refusal are repeated without the numbers in them', async () => {
  const message = 'Endpoint PJSIP/+15551234567@trunk of (555) 123-4567 not found, code 42';
  const server = createServer((_, response) => response.writeHead(400).end(JSON.stringify({ message })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new AriClient({ apiUrl, username: 'user', password: 'secret' });
  await expect(client.request('POST', 'channels')).rejects.toThrow(
    /^Asterisk answered 400: Endpoint PJSIP\/…@trunk of \(…not found, code 42$/,
  );
  server.closeAllConnections();
  server.close();
});

describe('With Asterisk', () => {
  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start('asterisk');
  });
  afterAll(() => talk.close());

  test('audio without the key of its call is refused', async () => {
    const url = `${talk.publicUrl}/voice/asterisk/media`;
    expect(await refusal(`${url}?call=call-1&key=guessed`)).toBe(403);
    expect(await refusal(url)).toBe(403);
  });

  test('a call has a time limit that is renewed until the person is connected with a number, and a long one from then on', async () => {
    const model = await OpenAiChatStandIn.listen([
      [
        { type: 'text', text: 'I am connecting you.' },
        { type: 'tool', name: 'sales', arguments: {} },
      ],
    ]);
    const agent = { llmConfig: { ...llmConfig, provider: 'openai' }, actions: ['sales tel:+15559998888'] };
    const talks = [{ afterMs: 300, forMs: 300 }];
    const talking = talk.call(
      { talks, connectedMs: 2_000 },
      {
        options: { start: { greeting: '', agent } },
        parts: { models: model.models },
      },
    );
    const asterisk = talk.standIn as AsteriskStandIn;
    await until(() => asterisk.calls.some(({ timeLimit, state }) => state === 'Up' && timeLimit === 15));
    const call = await talking;
    model.close();
    expect(model.complaints).toEqual([]);
    expect(call.end).toMatchObject({ reason: 'call_transfer' });
    // If the runtime were killed before, the person would be alone until the limit.
    expect(call.phone).toMatchObject({ transferredTo: '+15559998888', limitWhenContinued: 15 });
    expect(call.phone?.transferLimit).toBe(3_600);
    expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [] });
    await until(() => asterisk.bridges.size === 0);
  });

  test('a long text reaches the person as a whole, though Asterisk keeps 20 s of audio', async () => {
    const greeting = `Our house by the river ${'has a garden and '.repeat(200)} has a garden.`;
    // It would fill the queue if it were sent as soon as it is spoken.
    const call = await talk.call({ hangsUpAfterMs: 2_500 }, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup' });
    expect(call.phone?.handset?.heardSound).toBe(true);
    expect(call.phone).toMatchObject({ complaints: [], streams: 1 });
  });

  test('a call leaves no bridge behind', async () => {
    const asterisk = talk.standIn as AsteriskStandIn;
    const calling = talk.call({ hangsUpAfterMs: 500 }, { options: { start } });
    await until(() => asterisk.bridges.size === 1);
    expect([...asterisk.bridges.values()][0]?.name).toBe('parley');
    await calling;
    await until(() => asterisk.bridges.size === 0);
  });

  test('a runtime that is replaced keeps its calls: the new one neither ends them nor takes their audio', async () => {
    const asterisk = talk.standIn as AsteriskStandIn;
    const person = {
      losesStreamAfterMs: 600,
      presses: { afterMs: 1_500, digits: '5' },
      hangsUpAfterMs: 2_200,
    };
    const calling = talk.call(person, { options: { start } });
    await until(() => asterisk.bridges.size === 1);
    const successor = connect(asterisk);
    await until(() => talk.problems.length > 0);
    const call = await calling;
    await successor.close();
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
    expect(call.turns.map(({ text }) => text)).toContain('DTMF 5');
    expect(call.phone).toMatchObject({ endedBy: 'person', streams: 2, complaints: [] });
    expect(talk.problems.splice(0)).toEqual([expect.stringContaining('ASTERISK_APP')]);
    await talk.close();
    talk = await CarrierTalk.start('asterisk');
  });

  test('a person who answers while no events come is noticed when they come again', async () => {
    const asterisk = talk.standIn as AsteriskStandIn;
    const calling = talk.call({ ringMs: 300, hangsUpAfterMs: 500 }, { options: { start } });
    await until(() => asterisk.calls.at(-1)?.state === 'Ringing');
    asterisk.loseEvents();
    // No program takes the calls of the application, so Asterisk ends this one.
    const call = await calling;
    expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_no_answer' });
    expect(call.phone).toMatchObject({ isOver: true });
    talk.problems.splice(0);
  });

  test.each([
    [{ hangsUpAfterMs: 500 }, 'call.ended.v1', 'user_hangup', 1],
    [{ phone: 'busy' }, 'call.failed.v1', 'dial_busy', 0],
  ] as const)('early media of the network is no answer (%j)', async (person, type, reason, streams) => {
    const early = { ...person, hasEarlyMedia: true, ringMs: 300 };
    const call = await talk.call(early, { options: { start } });
    expect(call.end).toMatchObject({ type, reason });
    expect(call.phone).toMatchObject({ streams, complaints: [] });
  });

  test('no call is placed while no events come', async () => {
    const asterisk = await AsteriskStandIn.listen();
    const clock = new VirtualClock();
    const door = connect(asterisk, [], clock);
    await until(() => asterisk.isConnected);
    await door.close();
    asterisk.loseEvents();
    await until(() => !door['events'].isConnected);
    const dialling = door.dial(outgoing, new AbortController().signal);
    dialling.catch(() => undefined);
    clock.advance(10_000);
    await expect(dialling).rejects.toMatchObject({ reason: 'dial_failed' });
    expect(asterisk.calls).toEqual([]);
    await asterisk.close();
  });

  test('a call that is answered when no runtime is there ends at once', async () => {
    const asterisk = await AsteriskStandIn.listen();
    const door = connect(asterisk);
    await until(() => asterisk.isConnected);
    asterisk.expect('+15551234567', { ringMs: 300 });
    const hangUp = new AbortController();
    const ringing = door.dial(outgoing, hangUp.signal);
    ringing.catch(() => undefined);
    await until(() => asterisk.calls.length === 1);
    await door.close();
    asterisk.loseEvents();
    const [call] = asterisk.calls;
    await until(() => call?.isOver);
    expect(call?.endedBy).toBe('carrier');
    hangUp.abort(new Error('The test is over'));
    await expect(ringing).rejects.toThrow('The test is over');
    await asterisk.close();
  });

  test('calls go on when the connection of the events was lost for a moment', async () => {
    const asterisk = talk.standIn as AsteriskStandIn;
    asterisk.loseEvents();
    await until(() => asterisk.isConnected);
    const call = await talk.call({ hangsUpAfterMs: 500 }, { options: { start } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup' });
    expect(talk.problems).toEqual(['No events come from Asterisk: the connection was closed']);
  });
});
