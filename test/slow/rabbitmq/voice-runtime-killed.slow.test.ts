import { DeepgramStandIn } from '../../../packages/voice/test/stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../../../packages/voice/test/stand-ins/elevenlabs/elevenlabs-stand-in';
import { OpenAiChatStandIn } from '../../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import type { PhoneCallRecord } from '../../../packages/voice/test/stand-ins/phone/phone-stand-in';
import { TelnyxStandIn } from '../../../packages/voice/test/stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from '../../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { describeAccount, findWebhook, listenAs } from '../../../packages/voice/test/support/carriers';
import { findSpeaker } from '../../../packages/voice/test/support/shared-calls';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import { createAgent } from '../../support/agents';
import { Child } from '../../support/child';
import { TestParley, type TestWorkspace } from '../../support/parley';
import { countConsumers, rabbitmqUrl } from '../../support/rabbitmq';
import { startProxy } from '../../support/several-runtimes';
import { until } from '../../support/until';

const SECRET = 'a secret that both of them share';
/**
 * The shortest lease for which docs/carriers/README.md promises the end of a call. The longest way to it has pauses of 7 s, so
 * that a busy machine has 8 s more.
 */
const LEASE_SECONDS = 15;

const carriers = {
  twilio: 'twilio',
  relay: 'twilio that speaks',
  telnyx: 'telnyx',
  asterisk: 'asterisk',
} as const;
type Carrier = keyof typeof carriers;

/** `is dialled`: the carrier has the request that places the call, and has not answered it. */
const MOMENTS = ['talks', 'rings', 'is dialled', 'comes in', 'is answered and has no stream'] as const;
/** The agent has connected the person with a number. */
const CONNECTED = 'is connected';
const ALL_MOMENTS = [...MOMENTS, CONNECTED] as const;
type Moment = (typeof ALL_MOMENTS)[number];

/** The number of the other person in each call. Only the last two call themselves. */
const NUMBERS: Record<Moment, string> = {
  talks: '+15551234567',
  rings: '+15551234568',
  'is dialled': '+15551234569',
  [CONNECTED]: '+15551234566',
  'comes in': '+15551112222',
  'is answered and has no stream': '+15551112223',
};
/** The number in a call that another runtime conducts, and that goes on. */
const OTHER_NUMBER = '+15551234560';
const OWN_NUMBER = '+15550200000';
const SALES = '+15559998888';
/** The time for which the server lets two persons talk. */
const TRANSFER_MINUTES = 10;

/** This agent waits for a person who says nothing. */
const AGENT = {
  greeting: 'Hello, this is the front desk.',
  timeoutConfig: { silenceTimeout: 600, maximumDuration: 600 },
};
/** This one connects the person who says something. */
const CONNECTING_AGENT = { ...AGENT, greeting: '', actions: [`sales tel:${SALES}`] };

interface Kill {
  carrier: Carrier;
  /** The number of runtimes behind one address. */
  runtimes: 1 | 2;
  afterwards: 'stays away' | 'is started again';
}

const KILLS: Kill[] = [
  ...Object.keys(carriers).flatMap((carrier) =>
    ([1, 2] as const).map((runtimes): Kill => ({
      carrier: carrier as Carrier,
      runtimes,
      afterwards: 'stays away',
    })),
  ),
  { carrier: 'telnyx', runtimes: 1, afterwards: 'is started again' },
];

/** A call at the carrier and at the server, after the kill. */
interface Left {
  /** There are two if it was placed twice. */
  calls: PhoneCallRecord[];
  records: { call_id: string; status: string; disconnect_reason: string; charge: number }[];
  entries: string[];
  /** Whether a call went on at the carrier when all records and the other calls had ended. */
  goesOn: boolean;
}

interface Outcome {
  /** The time of the kill, or at which the process is up again, by the clock of the stand-ins. */
  since: number;
  left: Map<Moment, Left>;
}

type StandIn = Awaited<ReturnType<typeof listenAs>>;
type Proxy = Awaited<ReturnType<typeof startProxy>>;

const isTalking = (call: PhoneCallRecord) =>
  call.handset?.heardSound || ('spoken' in call && (call.spoken as string[]).length > 0);

const isConnected = ({ transferredTo, transferLimit }: PhoneCallRecord) =>
  transferredTo === SALES && transferLimit === TRANSFER_MINUTES * 60;

/** Begins a call of each kind. Each is in its state from then on, for some seconds at least. */
async function beginCalls(
  carrier: Carrier,
  standIn: StandIn,
  proxy: Proxy,
  workspace: TestWorkspace,
): Promise<void> {
  const { api } = workspace;
  const find = (number: string) => standIn.calls.find(({ to, from }) => [to, from].includes(number));
  const outbound = await createAgent(workspace, AGENT);
  const connecting = await createAgent(workspace, CONNECTING_AGENT);
  const inbound = await createAgent(workspace, { ...AGENT, type: 'inbound' });
  await api.put(`/api/agents/${inbound}/phone-number`, { phone_number: OWN_NUMBER });
  const dial = async (
    moment: Moment,
    hasBegun: (call: PhoneCallRecord) => unknown,
    agentId: string = outbound,
  ) => {
    await api.post(`/api/agents/${agentId}/calls`, { to_number: NUMBERS[moment] });
    await until(() => {
      const call = find(NUMBERS[moment]);
      return call && hasBegun(call);
    });
  };
  // An incoming call is answered later, or never.
  const ring = (moment: Moment) => void standIn.ringIn({ to: OWN_NUMBER, from: NUMBERS[moment] });

  for (const moment of ['rings', 'is dialled'] as const) standIn.expect(NUMBERS[moment], { ringMs: 120_000 });
  standIn.expect(NUMBERS[CONNECTED], { ...findSpeaker(carrier), connectedMs: TRANSFER_MINUTES * 60_000 });
  await dial(CONNECTED, isConnected, connecting);
  await dial('talks', isTalking);
  await dial('rings', () => true);
  standIn.unanswered = /^POST .*\/(Calls\.json|v2\/calls|ari\/channels(\?.*)?)$/;
  await dial('is dialled', () => true);
  standIn.unanswered = undefined;

  proxy.holdsStreams = true;
  ring('is answered and has no stream');
  await until(() => find(NUMBERS['is answered and has no stream'])?.handset);
  // The answer to Twilio is that to its webhook.
  if (standIn instanceof TwilioStandIn) proxy.losesAnswers = true;
  else standIn.losesPickUps = true;
  ring('comes in');
  await until(async () => {
    const { body } = await api.get('/api/calls');
    return (body.data as { from_number: string }[]).some(
      ({ from_number }) => from_number === NUMBERS['comes in'],
    );
  });
}

/** Kills a runtime that has a call of each kind, and waits for their ends. */
async function kill({ carrier, runtimes, afterwards }: Kill): Promise<Outcome> {
  const parley = await TestParley.start({
    ...{ LEASE_SECONDS: `${LEASE_SECONDS}`, TRANSFER_MAX_MINUTES: `${TRANSFER_MINUTES}` },
  });
  const standIn = await listenAs(carriers[carrier]);
  const [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
  const model = await OpenAiChatStandIn.listen([[{ type: 'tool', name: 'sales', arguments: {} }]]);
  const [port = 0, otherPort = 0] = await freePorts(2);
  // The public address leads to the first one, and to the second one if the first one is gone.
  const proxy = await startProxy(runtimes === 1 ? [port] : [port, otherPort]);
  standIn.webhookUrl = findWebhook(standIn, proxy.url);
  // As docs/carriers/telnyx.md sets it.
  if (standIn instanceof TelnyxStandIn) standIn.firstCommandSeconds = 15;
  const children: Child[] = [];
  const queue = parley.topology.phoneCallsQueue;
  const start = async (ownPort: number, places: number) => {
    const settings = {
      ...describeAccount(standIn, carrier === 'relay'),
      ...{ VOICE_PORT: `${ownPort}`, VOICE_DRAIN_SECONDS: '0', RABBITMQ_URL: rabbitmqUrl ?? '' },
      BROKER_PREFIX: parley.topology.callsQueue.replace('.calls.default', ''),
      // Web calls have the other half.
      ...{ VOICE_PUBLIC_URL: proxy.url, VOICE_CAPACITY: `${places * 2}` },
      ...(runtimes > 1 ? { VOICE_PEER_URL: `http://127.0.0.1:${ownPort}`, VOICE_PEER_SECRET: SECRET } : {}),
      ...{ DEEPGRAM_API_KEY: deepgram.apiKey, DEEPGRAM_BASE_URL: deepgram.baseUrl },
      ...{ ELEVENLABS_API_KEY: elevenlabs.apiKey, ELEVENLABS_BASE_URL: elevenlabs.baseUrl },
      ...{ LLM_API_KEY: model.apiKey ?? '', LLM_BASE_URL: model.baseUrl, PARLEY_API_URL: parley.url },
    };
    const child = new Child('packages/voice/dist/cli.js', settings, [process.execPath]);
    children.push(child);
    // The first one makes the queue of phone calls. A call that is placed before is in the queue of all other runtimes.
    const answers = until(async () => {
      const response = await fetch(`http://127.0.0.1:${ownPort}/healthz`).catch(() => undefined);
      return response?.ok && (await countConsumers(queue)) > 0;
    });
    const hasEnded = child.ended.then(() => {
      throw new Error(`The runtime ended: ${child.output}`);
    });
    hasEnded.catch(() => undefined);
    await Promise.race([answers, hasEnded]);
    return child;
  };
  try {
    const workspace = await parley.workspace();
    const { api } = workspace;
    if (runtimes > 1) {
      // It has a place for this call only, so all others are at the one that is killed.
      await start(otherPort, 1);
      const agentId = await createAgent(workspace, AGENT);
      await api.post(`/api/agents/${agentId}/calls`, { to_number: OTHER_NUMBER });
      await until(() => standIn.calls.some(isTalking));
    }
    const killed = await start(port, ALL_MOMENTS.length);
    await beginCalls(carrier, standIn, proxy, workspace);

    const others = standIn.calls.filter(({ to }) => to === OTHER_NUMBER);
    const calls = standIn.calls.filter(({ to }) => to !== OTHER_NUMBER);
    let since = performance.now();
    await killed.kill();
    [proxy.holdsStreams, proxy.losesAnswers, standIn.losesPickUps] = [false, false, false];
    proxy.release();
    if (afterwards === 'is started again') {
      await start(port, ALL_MOMENTS.length);
      since = performance.now();
    }
    const readRecords = async () => {
      const { body } = await api.get('/api/calls');
      return (body.data as (Left['records'][number] & { to_number: string; from_number: string })[]).filter(
        ({ to_number }) => to_number !== OTHER_NUMBER,
      );
    };
    const records = await until(async () => {
      const read = await readRecords();
      return read.every(({ status }) => ['disconnected', 'failed'].includes(status)) && read;
    });
    if (standIn instanceof TelnyxStandIn && isAlone({ carrier, runtimes, afterwards }))
      for (const call of standIn.calls) if (call.isAnswered && !isConnected(call)) call.reachTimeLimit();
    await until(() => calls.every((call) => call.isOver || isConnected(call)));
    expect(others.map(({ isOver }) => isOver)).not.toContain(true);

    const entries = await parley.sql<{ conversation_id: string; kind: string; amount: number }>(
      'SELECT conversation_id, kind, amount FROM credit_entries WHERE workspace_id = $1 ORDER BY id',
      [workspace.workspaceId],
    );
    const left = ALL_MOMENTS.map((moment): [Moment, Left] => {
      const has = (numbers: (string | undefined)[]) => numbers.includes(NUMBERS[moment]);
      const ownCalls = standIn.calls.filter(({ to, from }) => has([to, from]));
      const own = records.filter(({ to_number, from_number }) => has([to_number, from_number]));
      const ids = own.map(({ call_id }) => call_id);
      return [
        moment,
        {
          ...{ calls: ownCalls, goesOn: ownCalls.some(({ isOver }) => !isOver), records: own },
          entries: entries
            .filter(({ conversation_id }) => ids.includes(conversation_id))
            .map(({ kind, amount }) => `${kind} ${amount}`),
        },
      ];
    });
    return { since, left: new Map(left) };
  } finally {
    proxy.close();
    for (const child of children) await child.kill();
    await standIn.close();
    deepgram.close();
    elevenlabs.close();
    model.close();
    await parley.stop();
  }
}

/** Nothing at Telnyx ends a call whose only runtime is gone: docs/promise.md has the failure window. */
const isAlone = ({ carrier, runtimes, afterwards }: Kill) =>
  carrier === 'telnyx' && runtimes === 1 && afterwards === 'stays away';

/** The time limits that docs/carriers/telnyx.md names, in seconds. The longest duration of an agent is 10 minutes here. */
const LIMITS_OF_TELNYX: Partial<Record<Moment, number>> = {
  talks: 660,
  'is answered and has no stream': 14_400,
};

/** The seconds for which a call may go on at the carrier without its runtime. */
const findLimit = (kill: Kill, moment: Moment) =>
  (isAlone(kill) ? LIMITS_OF_TELNYX[moment] : undefined) ?? LEASE_SECONDS;

/**
 * The seconds for which a call went on at the carrier without its runtime, or more. The carrier's own limits began before,
 * and count as they are: a busy machine may notice them late.
 */
const secondsLeftAlone = ({ endedAt = Infinity, endedByLimit }: PhoneCallRecord, since: number) =>
  endedByLimit ?? (endedAt - since) / 1_000;

/** One kill has a row for each moment. */
const outcomes = new Map<Kill, Promise<Outcome>>();
const findOutcome = (each: Kill): Promise<Outcome> => {
  const outcome = outcomes.get(each) ?? kill(each);
  outcomes.set(each, outcome);
  return outcome;
};

test.concurrent.each(
  MOMENTS.flatMap((moment) =>
    KILLS.map((each) => ({ ...each, moment, each, limit: findLimit(each, moment) })),
  ),
)(
  '$carrier: a call that $moment when its runtime, one of $runtimes, is killed and $afterwards is over within $limit s, and is one record that is charged at most once',
  async ({ each, moment, limit, runtimes }) => {
    const { since, left } = await findOutcome(each);
    const { calls, records, entries } = left.get(moment) as Left;
    expect(calls).toHaveLength(1);
    for (const call of calls) {
      expect(call.endedBy).not.toBe('person');
      expect(secondsLeftAlone(call, since)).toBeLessThanOrEqual(limit);
      // Another runtime answers what the carrier sends to the one that is gone.
      const refused = call.complaints.filter((complaint) => complaint.startsWith('11200'));
      expect(runtimes > 1 ? refused : []).toEqual([]);
    }
    expectRecord(moment === 'talks', { records, entries });
  },
);

test.concurrent.each(KILLS.map((each) => ({ ...each, each })))(
  '$carrier: two persons who are connected when their runtime, one of $runtimes, is killed and $afterwards talk on for the time that the server has allowed, and their call is one record that ends and is charged once',
  async ({ each }) => {
    const { calls, records, entries, goesOn } = (await findOutcome(each)).left.get(CONNECTED) as Left;
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ transferredTo: SALES, transferLimit: TRANSFER_MINUTES * 60 });
    expect(goesOn).toBe(true);
    expectRecord(true, { records, entries });
  },
);

function expectRecord(wasConnected: boolean, { records, entries }: Pick<Left, 'records' | 'entries'>): void {
  expect(records).toEqual([
    expect.objectContaining({
      status: wasConnected ? 'disconnected' : 'failed',
      disconnect_reason: 'worker_lost',
      charge: wasConnected ? 1 : 0,
    }),
  ]);
  expect(entries).toEqual(['hold -1', 'release 1', ...(wasConnected ? ['charge -1'] : [])]);
}
