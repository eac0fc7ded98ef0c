import { until } from '../../../test/support/until';
import type { SessionEnd, SessionListener } from '../src/doors/session';
import type { TelnyxCall } from './stand-ins/telnyx/call';
import { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { startTelnyxProcess } from './support/telnyx-process';

const NUMBER = '+15551234567';

describe('A stream of Telnyx that stops', () => {
  let telnyx: TelnyxStandIn;
  let runtime: Awaited<ReturnType<typeof startTelnyxProcess>>;
  let phone: TelnyxCall;
  let session: Awaited<ReturnType<typeof runtime.dial>>;
  let ends: SessionEnd[];
  let heard: string[];
  beforeEach(async () => {
    telnyx = await TelnyxStandIn.listen();
    runtime = await startTelnyxProcess(telnyx);
    session = await runtime.dial(NUMBER);
    phone = telnyx.calls[0] as TelnyxCall;
    ends = [];
    heard = [];
    const note = (word: string) => () => void heard.push(word);
    const ignored = { media: note('media'), text: note('text'), dtmf: note('dtmf') };
    const listener: SessionListener = {
      ...{ ...ignored, interrupted: note('interrupted'), answeredBy: note('answered by') },
      ...{ lost: note('lost'), returned: note('returned'), stop: (end) => void ends.push(end) },
    };
    session.listen(listener);
  });
  afterEach(async () => {
    session.end();
    await telnyx.close();
    runtime.close();
  });

  const untilLost = () => until(() => heard.includes('lost'));

  test('is a hang-up at once, and Telnyx is not asked, if its webhook says so', async () => {
    phone.end('normal_clearing', 'person');
    await until(() => ends.length > 0);
    runtime.clock.advance(10_000);
    expect(ends).toEqual([{ reason: 'user_hangup' }]);
    expect(telnyx.asked).toBe(0);
  });

  test('has the cause of the webhook that comes a moment later', async () => {
    phone.stopStream();
    await untilLost();
    runtime.clock.advance(2_999);
    expect(ends).toEqual([]);
    phone.end('time_limit', 'carrier');
    await until(() => ends.length > 0);
    expect(ends).toEqual([{ reason: 'max_duration_reached', detail: 'Telnyx: time_limit' }]);
    expect(telnyx.asked).toBe(0);
  });

  test('is a hang-up if no webhook comes, and Telnyx says that the call is over', async () => {
    telnyx.lostWebhooks = ['call.hangup'];
    phone.end('normal_clearing', 'person');
    await untilLost();
    expect(telnyx.asked).toBe(0);
    runtime.clock.advance(3_000);
    await until(() => ends.length > 0);
    expect(ends).toEqual([{ reason: 'user_hangup' }]);
    expect(telnyx.asked).toBe(1);
  });

  test('is connected again if no webhook comes, and Telnyx says that the call goes on', async () => {
    phone.stopStream();
    await untilLost();
    runtime.clock.advance(3_000);
    await until(() => heard.includes('returned'));
    expect(phone).toMatchObject({ isOver: false, streams: 2, complaints: [] });
    phone.end('normal_clearing', 'person');
    await until(() => ends.length > 0);
    expect(ends).toEqual([{ reason: 'user_hangup' }]);
  });

  /** The stream stops, and Telnyx says that the call goes on. */
  async function stopOnce(): Promise<void> {
    heard.length = 0;
    phone.stopStream();
    await untilLost();
    runtime.clock.advance(3_000);
    await until(() => heard.includes('returned') || ends.length > 0);
  }

  test('is an error if it stops for the sixth time within a minute, and the call ends', async () => {
    for (let streams = 1; streams <= 5; streams++) await stopOnce();
    expect([phone.streams, ends]).toEqual([6, []]);
    await stopOnce();
    const detail = 'The media stream of the carrier was lost 6 times within a minute';
    expect([phone.streams, ends]).toEqual([6, [{ reason: 'error', detail }]]);
    session.end();
    await until(() => phone.isOver);
    expect(phone.endedBy).toBe('runtime');
  });

  test('is connected again each time if it stops now and then', async () => {
    for (let streams = 1; streams <= 8; streams++) {
      await stopOnce();
      runtime.clock.advance(20_000);
    }
    expect(phone).toMatchObject({ isOver: false, streams: 9, complaints: [] });
    expect(ends).toEqual([]);
  });

  test('is an error if the call goes on, and the stream cannot be connected again', async () => {
    telnyx.isCutOff = true;
    phone.stopStream();
    await untilLost();
    runtime.clock.advance(3_000);
    await until(() => ends.length > 0);
    expect(ends).toEqual([{ reason: 'error', detail: 'Telnyx: streaming.failed, connection_failed' }]);
    session.end();
    await until(() => phone.isOver);
    expect(phone.endedBy).toBe('runtime');
  });

  test.each([
    ['fails', 'Telnyx answered 503'],
    ['stalls', 'it has not answered'],
  ] as const)(
    'is taken for a hang-up, which the detail says, if the request for the state %s',
    async (fault, why) => {
      telnyx.stateFault = fault;
      phone.stopStream();
      await untilLost();
      runtime.clock.advance(3_000);
      await until(() => telnyx.asked === 1);
      if (fault === 'stalls') runtime.clock.advance(3_000);
      await until(() => ends.length > 0);
      expect(ends).toEqual([
        {
          reason: 'user_hangup',
          detail: `The carrier did not report the end of the call, and its state is not known: ${why}`,
        },
      ]);
      session.end();
      await until(() => phone.isOver);
      expect(phone.endedBy).toBe('runtime');
    },
  );
});
