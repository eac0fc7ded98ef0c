import { until } from '../../../test/support/until';
import { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { startTelnyxProcess } from './support/telnyx-process';

type TelnyxProcess = Awaited<ReturnType<typeof startTelnyxProcess>>;

let telnyx: TelnyxStandIn;
let other: TelnyxProcess;
let holder: TelnyxProcess;
beforeEach(async () => {
  telnyx = await TelnyxStandIn.listen();
  other = await startTelnyxProcess(telnyx);
  holder = await startTelnyxProcess(telnyx, other.url);
});
afterEach(async () => {
  await telnyx.close();
  for (const each of [other, holder]) each.close();
});

/** Lets time pass in the process that does not reach the other one, until something has happened. */
const pass = (condition: () => unknown) =>
  until(() => {
    other.clock.advance(1_000);
    return condition();
  });

test('A call of Telnyx is hung up if its process is never reached again, and not if one connection is refused', async () => {
  const session = await holder.dial('+15551234567');
  const [call] = telnyx.calls;
  let reports = 0;
  const report = async () => {
    const payload = { call_control_id: call?.id, client_state: call?.fields.client_state, digit: '1' };
    const data = { id: `report ${reports++}`, event_type: 'call.dtmf.received', payload };
    const body = JSON.stringify({ data });
    const headers = telnyx.signed(body);
    return (await fetch(call?.callbackUrl ?? '', { method: 'POST', body, headers })).status;
  };

  holder.leave();
  expect(await report()).toBe(200);
  const countConnections = await holder.comeBack();
  await pass(() => countConnections() > 0);
  other.clock.advance(10_000);
  expect(call?.isOver).toBe(false);

  holder.leave();
  expect(await report()).toBe(200);
  await pass(() => call?.isOver);
  expect(call?.endedBy).toBe('runtime');
  session.end();
});

test('A process of Telnyx that is not reached at first hears why the other number of a transfer was not connected', async () => {
  telnyx.expect('+15551234567', { transfer: 'busy' });
  const session = await holder.dial('+15551234567');
  const [call] = telnyx.calls;
  holder.leave();
  const transferred = session.transfer('+15559998888', 3_600).then(
    () => 'no failure',
    (error: Error) => error.message,
  );
  await until(() => call?.commands.has('transfer-call-15551234567') && !call.otherLeg);
  await call?.reported;
  await holder.comeBack();
  let failure: string | undefined;
  void transferred.then((message) => (failure = message));
  expect(await pass(() => failure)).toMatch(/user_busy/);
  expect(call?.isOver).toBe(false);
  session.end();
});

test('A person at Telnyx is not left alone if the other number of a transfer is busy and the process is never reached again', async () => {
  telnyx.expect('+15551234567', { transfer: 'busy' });
  const session = await holder.dial('+15551234567');
  const [call] = telnyx.calls;
  holder.leave();
  const transferred = session.transfer('+15559998888', 3_600);
  await pass(() => call?.isOver);
  expect(call?.endedBy).toBe('runtime');
  session.end();
  expect(await transferred).toBe(false);
});
