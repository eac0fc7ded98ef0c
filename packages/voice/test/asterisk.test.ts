import { once } from 'node:events';
import { AsteriskDoor } from '@parley/voice';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until';
import { AsteriskStandIn } from './stand-ins/asterisk/asterisk-stand-in';
import { CarrierTalk } from './support/carriers';

jest.setTimeout(30_000);

const start = { greeting: 'Hello.' };

function connect(asterisk: AsteriskStandIn, warnings: string[] = []): AsteriskDoor {
  const { apiUrl, username, password, app, number } = asterisk;
  return new AsteriskDoor(
    {
      ...{ apiUrl, username, password, app, number, endpoint: 'PJSIP/{number}@trunk' },
      ...{ websocketClient: 'parley', transferContext: 'parley-transfer' },
    },
    { warn: (sentence) => void warnings.push(sentence) },
  );
}

test('the calls that a killed runtime left at Asterisk end when it starts again', async () => {
  const asterisk = await AsteriskStandIn.listen();
  const left = asterisk.leave('+15551234567');
  const door = connect(asterisk);
  await until(() => left.isOver);
  expect(left.endedBy).toBe('runtime');
  await door.close();
  await asterisk.close();
});

test('a second runtime with the same application is named, and the first one takes no more calls', async () => {
  const asterisk = await AsteriskStandIn.listen();
  const warnings: string[] = [];
  const first = connect(asterisk, warnings);
  await until(() => asterisk.isConnected);
  const second = connect(asterisk);
  await until(() => warnings.some((sentence) => sentence.includes('give each runtime its own ASTERISK_APP')));
  await first.close();
  await second.close();
  await asterisk.close();
});

describe('With Asterisk', () => {
  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start('asterisk');
  });
  afterAll(() => talk.close());

  test('audio without the key of its call is refused', async () => {
    const socket = new WebSocket(`${talk.publicUrl}/voice/asterisk/media?call=call-1&key=guessed`);
    await once(socket, 'open');
    socket.send('MEDIA_START connection_id:1 format:ulaw optimal_frame_size:160');
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
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
