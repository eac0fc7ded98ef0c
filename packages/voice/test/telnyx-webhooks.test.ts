import { until } from '../../../test/support/until';
import type { Person } from './stand-ins/phone/handset';
import { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { startTelnyxProcess } from './support/telnyx-process';

const NUMBER = '+15551234567';
const OTHER = '+15559998888';
/** All but the end of a call. */
const OVERTAKEN = [
  'call.initiated',
  'call.answered',
  'call.bridged',
  'streaming.started',
  'streaming.stopped',
];

describe.each([
  ['once', 'in order', []],
  ['once', 'after the end of the call', OVERTAKEN],
  ['twice', 'in order', []],
  ['twice', 'after the end of the call', OVERTAKEN],
])('If the webhooks of Telnyx come %s and %s', (times, _, lateWebhooks) => {
  let telnyx: TelnyxStandIn;
  let runtime: Awaited<ReturnType<typeof startTelnyxProcess>>;
  beforeEach(async () => {
    telnyx = await TelnyxStandIn.listen();
    telnyx.repeatsWebhooks = times === 'twice';
    telnyx.lateWebhooks = lateWebhooks;
    runtime = await startTelnyxProcess(telnyx);
  });
  afterEach(async () => {
    await telnyx.close();
    runtime.close();
  });

  /** Waits until the call is over and its webhooks have come, and lets the time pass in which they may come. */
  async function untilReported() {
    const call = await until(() => telnyx.calls.find(({ isOver }) => isOver));
    await call.reported;
    runtime.clock.advance(3_000);
    return call;
  }

  test.each<[Person, string]>([
    [{ hangsUpAtOnce: true }, 'user_hangup'],
    [{ phone: 'busy' }, 'dial_busy'],
    [{ phone: 'declines' }, 'dial_busy'],
    [{ phone: 'no-answer' }, 'dial_no_answer'],
    [{ phone: 'does-not-exist' }, 'invalid_destination'],
    [{ phone: 'network-fails' }, 'dial_failed'],
  ])('a person with %j ends the call as %s', async (person, reason) => {
    telnyx.expect(NUMBER, person);
    const failed = runtime.dial(NUMBER).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(await untilReported()).toMatchObject({ complaints: [], streams: 0 });
    expect(await failed).toMatchObject({ reason });
  });

  test('a person is connected with a number until both hang up', async () => {
    const session = await runtime.dial(NUMBER);
    const transferred = session.transfer(OTHER, 3_600);
    expect(await untilReported()).toMatchObject({ complaints: [], streams: 1, transferredTo: OTHER });
    expect(await transferred).toBe(true);
    expect(await session.handedOver?.ended).toMatchObject({ at: expect.any(Date) as Date });
    session.end();
  });
});
