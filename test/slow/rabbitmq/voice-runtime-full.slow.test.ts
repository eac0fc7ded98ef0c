import { VoiceProcess } from '@parley/voice';
import { TwilioStandIn } from '../../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { describeAccount, findWebhook } from '../../../packages/voice/test/support/carriers';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import { createAgent } from '../../support/agents';
import { useOwnParley } from '../../support/parley';
import { countConsumers, rabbitmqUrl } from '../../support/rabbitmq';
import { startProxy } from '../../support/several-runtimes';
import { silentLogger } from '../../support/silent-logger';
import { until } from '../../support/until';

const secret = 'a secret that both of the runtimes share';
const parley = useOwnParley();

let numbers = 0;

/** An agent at a number of a stand-in, and two runtimes at one address. Each has one place for phone calls. */
async function prepare() {
  const twilio = await TwilioStandIn.listen();
  const ports = await freePorts(2);
  // All that the carrier sends reaches the first one that runs.
  const proxy = await startProxy(ports);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  twilio.webhookUrl = findWebhook(twilio, proxy.url);
  const workspace = await parley.workspace();
  const number = `+1555031${1_000 + numbers++}`;
  const agentId = await createAgent(workspace, { type: 'inbound', greeting: 'Good day!' });
  await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: number });
  const runtimes: VoiceProcess[] = [];
  const running: Promise<void>[] = [];
  const start = async (index: number) => {
    const consumers = await countConsumers(parley.topology.phoneCallsQueue);
    const runtime = await VoiceProcess.start(
      {
        ...{ RABBITMQ_URL: rabbitmqUrl, VOICE_PORT: `${ports[index]}`, VOICE_PUBLIC_URL: proxy.url },
        BROKER_PREFIX: parley.topology.callsQueue.replace('.calls.default', ''),
        ...{ ...describeAccount(twilio, true), VOICE_CAPACITY: '2', VOICE_DRAIN_SECONDS: '60' },
        ...{ VOICE_PEER_URL: urls[index], VOICE_PEER_SECRET: secret },
      },
      { logger: silentLogger },
    );
    runtimes.push(runtime);
    running.push(runtime.run());
    await until(async () => (await countConsumers(parley.topology.phoneCallsQueue)) > consumers);
    return runtime;
  };
  const ring = (hangsUpAfterMs?: number) =>
    twilio.ringIn({ to: number, from: '+15551110001', person: { hangsUpAfterMs } });
  return {
    ...{ twilio, urls, start },
    /** A call that is conducted, and goes on. */
    talk: async () => {
      const call = await ring();
      await until(() => call.spoken.length > 0);
      return call;
    },
    /** A call whose person hangs up after a second. @returns it, once it is over */
    finish: async () => {
      const call = await ring(1_000);
      await until(() => call.isOver);
      return call;
    },
    /** A call that waits for a place. @returns its end, once it was conducted */
    wait: async (): Promise<() => Promise<object>> => {
      const ringing = ring(1_000);
      const asks = (id = '') => twilio.requests.some((request) => request.includes(id));
      await until(() => asks(twilio.calls.at(-1)?.id));
      return async () => {
        const call = await ringing;
        await until(() => call.isOver);
        return call;
      };
    },
    /** The reasons for which the calls ended, once this many are over. */
    listReasons: async (count: number): Promise<string[]> => {
      const listed = await until(async () => {
        const { body } = await workspace.api.get('/api/calls');
        const calls = body.data as { status: string; disconnect_reason: string }[];
        return calls.filter(({ status }) => status === 'disconnected').length === count && calls;
      });
      return listed.map(({ disconnect_reason }) => disconnect_reason);
    },
    close: async (): Promise<void> => {
      for (const runtime of runtimes) await runtime.drain();
      await Promise.all(running);
      proxy.close();
      await twilio.close();
    },
  };
}

const conducted = { endedBy: 'person', streams: 1, complaints: [] };
const hungUp = (count: number) => Array.from({ length: count }, () => 'user_hangup');

test('a call that reaches a runtime that is full, or is stopping, is conducted by another one at the same address', async () => {
  const { start, talk, finish, listReasons, close } = await prepare();
  const full = await start(0);
  await start(1);
  const first = await talk();
  expect(await finish()).toMatchObject(conducted);
  await listReasons(1);
  const stopping = full.drain();
  expect(await finish()).toMatchObject(conducted);
  expect(first.isOver).toBe(false);
  first.end('completed', 'person');
  expect(await listReasons(3)).toEqual(hungUp(3));
  await stopping;
  await close();
});

test('a call that reaches a runtime that is full is conducted by one that started a moment ago', async () => {
  const { twilio, urls, start, talk, finish, listReasons, close } = await prepare();
  await start(1);
  const first = await talk();
  // The address leads to this one now, so it announces itself to itself.
  await start(0);
  twilio.deliversTo = [findWebhook(twilio, urls[1] ?? '')];
  expect(await finish()).toMatchObject(conducted);
  expect(first.isOver).toBe(false);
  first.end('completed', 'person');
  expect(await listReasons(2)).toEqual(hungUp(2));
  await close();
});

test('a call that comes in while all runtimes are full is conducted as soon as one of them has a place', async () => {
  const { start, talk, wait, listReasons, close } = await prepare();
  await start(0);
  await start(1);
  const first = await talk();
  const second = await talk();
  const third = await wait();
  second.end('completed', 'person');
  expect(await third()).toMatchObject(conducted);
  const fourth = await talk();
  const fifth = await wait();
  first.end('completed', 'person');
  expect(await fifth()).toMatchObject(conducted);
  fourth.end('completed', 'person');
  expect(await listReasons(5)).toEqual(hungUp(5));
  await close();
});
