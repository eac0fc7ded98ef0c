import { format } from 'node:util';
import type { CallStart } from '@parley/worker';
import { until } from '../../../../test/support/until';
import { exampleCall } from '../../../worker/src/example-call';
import type { Person } from '../stand-ins/phone/handset';
import type { PhoneCallRecord } from '../stand-ins/phone/phone-stand-in';
import { DeepgramStandIn } from '../stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../stand-ins/elevenlabs/elevenlabs-stand-in';
import { type ModelPart, OpenAiChatStandIn } from '../stand-ins/openai-chat/openai-chat-stand-in';
import { OpenAiRealtimeStandIn } from '../stand-ins/openai-realtime/openai-realtime-stand-in';
import { findKeys } from './dtmf';
import { instantSpeech } from './instant-speech';
import { NUMBERS, type Row } from './live';
import type { CarriedCall, Offered, PhoneTalk, Way } from './phone-talk';

export const APOLOGY = 'I am sorry, something does not work here. Goodbye.';
export const greeting = 'Hello, this is the front desk. How can I help you today?';
const { callConfig, llmConfig, voiceConfig } = exampleCall().agent;

export interface SharedCallsOptions {
  service: 'twilio' | 'relay' | 'telnyx' | 'asterisk';
  row: Row;
  talk: () => PhoneTalk;
  /** The time within which a person answers. */
  answerMs: number;
  /** The value of a setting, such as the number with which the agent connects a person. */
  setting: (name: string) => string;
  /** Compares the record of a stand-in after the end of the call. The carrier itself has none. */
  expectAtStandIn?: ExpectRecord;
}

type ExpectRecord = (
  call: CarriedCall,
  record?: Partial<PhoneCallRecord>,
  more?: (phone: PhoneCallRecord) => void,
) => void;

/** A carrier counts whole seconds in its own way. */
const SPARE_SECONDS = 2;
/** The agent stops within this time beyond the time of voice that its fields ask for. */
const STOP_MS = 300;
/** A report takes this long at most, in seconds, from a stand-in to the runtime. */
const REPORT_SECONDS = 0.4;

/** Seconds that have begun count as whole ones. @param from by the clock of the stand-in, as `until` */
export function expectSeconds(reported: unknown, from = NaN, until = NaN): void {
  const seconds = (until - from) / 1_000;
  expect(reported).toBeGreaterThan(seconds - REPORT_SECONDS);
  expect(reported).toBeLessThan(Math.max(0, seconds) + 1 + REPORT_SECONDS);
}

/** A person who says something. A carrier that hears sends text, and no audio. */
export const findSpeaker = (service: SharedCallsOptions['service'], afterMs = 200): Person =>
  service === 'relay' ? { says: ['A table for two'] } : { talks: [{ afterMs, forMs: 300 }] };

/** The fields of an agent that leaves a message to voicemails. '': it has none. */
export const leavesMessage = (message: string) => ({
  voicemailConfig: { isEnabled: true, message },
  callConfig: { ...callConfig, voicemailDetection: { enabled: true, type: 'audio' } },
});

/** Declares a row for a call of the agent, and the same one for a call that comes in. */
export const inBothWays =
  (row: Row) =>
  (title: string, settings: string[], body: (way: Way) => Promise<void>): void => {
    row(title, [NUMBERS.answers, ...settings], () => body('call'));
    row(`${title}, in a call that comes in`, ['VOICE_LIVE_INCOMING_NUMBER', ...settings], () => body('ring'));
  };

/** The warnings with the words of the carrier. */
export const carrierSaid = ({ warnings }: CarriedCall) =>
  warnings.filter(({ code }) => code === 'carrier').map(({ text }) => text);

/** A conversation whose answers a model of the test writes. */
export async function converse(
  talk: PhoneTalk,
  person: Person,
  answers: ModelPart[][],
  agent: Partial<CallStart['agent']> = {},
  { way = 'call', ...offered }: Offered & { way?: Way } = {},
): Promise<CarriedCall> {
  const model = await OpenAiChatStandIn.listen(answers);
  const start = { greeting: '', agent: { llmConfig: { ...llmConfig, provider: 'openai' }, ...agent } };
  const options = { ...offered.options, start };
  const call = await talk[way](person, { ...offered, options, parts: { models: model.models } });
  model.close();
  expect(model.complaints).toEqual([]);
  return call;
}

/** The agent connects the person with a number after the first words. */
export function connectWithSales(
  talk: PhoneTalk,
  person: Person,
  number: string,
  offered?: Offered & { way?: Way },
): Promise<CarriedCall> {
  const answer: ModelPart[] = [
    { type: 'text', text: 'I am connecting you now.' },
    { type: 'tool', name: 'sales', arguments: {} },
  ];
  return converse(talk, person, [answer], { actions: [`sales tel:${number}`] }, offered);
}

/** Calls that go the same way with a stand-in and with the carrier itself. */
export function testSharedCalls(options: SharedCallsOptions): void {
  const { service, row, talk, answerMs, setting, expectAtStandIn } = options;
  const isRelay = service === 'relay';
  const carrier = isRelay ? 'twilio' : service;
  const speech = isRelay ? 'carrier' : 'local';
  const speaks = findSpeaker(service);
  const rows = inBothWays(row);
  const [PERSON, OTHER] = [NUMBERS.answers, 'VOICE_LIVE_TRANSFER_NUMBER'];

  /** The carrier is asked what became of the call. */
  const expectAtCarrier = async (...[call, record, more]: Parameters<ExpectRecord>): Promise<void> => {
    const { wasAnswered, seconds = Infinity } = await until(async () => {
      const found = await talk().ask(call);
      return found.isOver && found;
    });
    const isAnswered = call.end.type === 'call.ended.v1';
    expect(wasAnswered ?? isAnswered).toBe(isAnswered);
    const charged = isAnswered ? Number(call.analysis.carrier_seconds) : 0;
    expect(seconds + SPARE_SECONDS).toBeGreaterThanOrEqual(charged);
    expectAtStandIn?.(call, record, more);
  };

  rows('a person is heard and answered, and hangs up', [], async (way) => {
    // The agent waits for the hello of a person whom it calls, and greets a caller at once.
    const spoken = way === 'call' ? speaks : findSpeaker(service, 1_200);
    const person = { ...spoken, hangsUpAfterMs: 2_500 };
    const call = await talk()[way](person, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
    expect(call.turns).toContainEqual(expect.objectContaining({ speaker: 'user' }));
    expect(call.turns).toContainEqual(expect.objectContaining({ speaker: 'agent', text: greeting }));
    expect(carrierSaid(call)).toEqual([]);
    expect(call.analysis).toMatchObject({ carrier, stt_provider: speech, tts_provider: speech });
    expect(call.analysis.carrier_seconds).toBeGreaterThanOrEqual(1);
    await expectAtCarrier(call, { endedBy: 'person', streams: 1 }, ({ handset }) => {
      expect(handset?.heardSound).toBe(true);
      const order = ['A table for two', greeting];
      const said = call.turns.slice(0, 2).map(({ text }) => text);
      expect(said).toEqual(way === 'call' ? order : order.toReversed());
    });
  });

  rows('the agent says goodbye and hangs up', [], async (way) => {
    const goodbye: ModelPart[] = [
      { type: 'text', text: 'Goodbye.' },
      { type: 'tool', name: 'end_call', arguments: {} },
    ];
    const call = await converse(talk(), speaks, [goodbye], {}, { way });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup', by: 'agent' });
    expect(call.turns.at(-1)).toMatchObject({ speaker: 'agent', text: 'Goodbye.' });
    await expectAtCarrier(call, { endedBy: 'runtime' });
  });

  rows('a hang-up over REST ends a conversation', [], async (way) => {
    const long = 'This is a test. Please wait until the call ends. '.repeat(20);
    const call = await talk()[way]({}, { options: { start: { greeting: long }, hangUpAfterMs: answerMs } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'cancelled', by: 'system' });
    await expectAtCarrier(call, { endedBy: 'runtime' });
  });

  row('a hang-up over REST ends a call while it rings', [PERSON], async () => {
    const call = await talk().call({ ringMs: 50_000 }, { options: { hangUpAfterMs: 3_000 } });
    expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'cancelled' });
    await expectAtCarrier(call, { endedBy: 'runtime' });
  });

  // If the runtime is killed meanwhile, nothing else ends such a call.
  row('a phone that is not answered stops ringing within the lease of the call', [PERSON], async () => {
    const from = performance.now();
    const call = await talk().call({ ringMs: 50_000 }, { leaseSeconds: 10 });
    const seconds = (performance.now() - from) / 1_000;
    // Without the lease, it would ring for 30 s. A real carrier takes some seconds to dial.
    expect(seconds).toBeLessThan(25);
    expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_no_answer' });
    await expectAtCarrier(call, { endedBy: 'carrier' }, () => expect(seconds).toBeLessThan(15));
  });

  for (const [phone, reason, said] of [
    ['busy', 'dial_busy', /busy, SIP (486|600)|cause 17/],
    ['declines', 'dial_busy', /SIP (403|603)|cause 21/],
    ['no-answer', 'dial_no_answer', /no.answer|timeout|cause 1[89]/],
    ['does-not-exist', 'invalid_destination', /SIP (404|410|484)|cause [123] /],
    ['network-fails', 'dial_failed', /SIP 5\d\d|cause \d\d/],
  ] as const)
    row(
      format('a phone that is or does "%s" ends the call as %s, with the code of the carrier', phone, reason),
      [NUMBERS[phone]],
      async () => {
        const call = await talk().call({ phone }, { options: { start: { greeting } } });
        expect(call.end).toMatchObject({ type: 'call.failed.v1', reason });
        expect(carrierSaid(call)).toEqual([expect.stringMatching(said)]);
        expect(call.analyses).toEqual([]);
        await expectAtCarrier(call);
      },
    );

  row('a number that is none is refused', [], async () => {
    const call = await talk().call({}, { options: { start: { to_number: '+0' } } });
    expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'invalid_destination' });
    expect(carrierSaid(call)).toEqual([expect.stringMatching(/code (21211|10016)|cause 1 /)]);
  });

  row(
    'a voicemail gets the message after its beep, and the agent hangs up',
    [NUMBERS.voicemail],
    async () => {
      const agent = leavesMessage('Please call us back.');
      // A carrier that hears reports a greeting at its end. The agent may say hello before.
      const start = { greeting: isRelay ? '' : greeting, agent };
      const call = await talk().call({ phone: 'voicemail' }, { options: { start } });
      expect(call.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
      expect(call.turns.map(({ text }) => text)).toEqual(['Please call us back.']);
      // Asterisk has no machine detection: the runtime hears the beep.
      const found = carrier === 'twilio' ? 'Twilio: answered by machine_end' : 'Telnyx: call.machine';
      const said = carrierSaid(call).filter((text) => text.startsWith(found));
      // With a carrier that hears, the words of the greeting come before its detection.
      if (!isRelay) expect(said).toHaveLength(service === 'asterisk' ? 0 : 1);
      await expectAtCarrier(call, { endedBy: 'runtime' }, ({ handset }) =>
        expect(handset?.heardBeforeBeep).toBe(false),
      );
    },
  );

  row(
    'a voicemail hears nothing where the agent has no message, and the agent hangs up',
    [NUMBERS.voicemail],
    async () => {
      const start = { greeting: '', agent: leavesMessage('') };
      const call = await talk().call({ phone: 'voicemail' }, { options: { start } });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'voicemail_reached', by: 'agent' });
      expect(call.turns).toEqual([]);
      await expectAtCarrier(call, { endedBy: 'runtime' }, ({ handset }) =>
        expect(handset?.heardSound).toBe(false),
      );
    },
  );

  rows(
    'a person who interrupts stops the agent, and the carrier forgets what was not played',
    [],
    async (way) => {
      const long = 'Let me tell you everything about our house by the river. '.repeat(20);
      const says = way === 'call' ? ['Hello?', 'Wait.'] : ['Wait.'];
      const person = isRelay
        ? { says, interruptsAfterWords: 20, hangsUpAfterMs: 4_500 }
        : { interrupts: { afterMs: 1_000, forMs: 600 }, hangsUpAfterMs: 3_600 };
      const call = await talk()[way](person, { options: { start: { greeting: long } } });
      const cut = call.turns.findIndex(({ speaker }) => speaker === 'agent');
      expect(call.turns[cut]?.text.length).toBeLessThan(long.length / 2);
      expect(call.turns[cut + 1]).toMatchObject({ speaker: 'user' });
      await expectAtCarrier(call, {}, ({ handset }) => {
        expect(call.turns[cut + 1]?.text).toBe(isRelay ? 'Wait.' : 'A table for two');
        if (isRelay) expect(call.turns[cut]?.text).toBe(long.split(' ').slice(0, 20).join(' '));
        const { clears = [], talkingFrom = Infinity } = handset ?? {};
        const stoppedMs = (clears[0] ?? Infinity) - talkingFrom;
        if (!isRelay) expect(stoppedMs).toBeLessThan(1_000 * voiceConfig.voiceSeconds + STOP_MS);
      });
    },
  );

  rows('keys that the person presses are turns', [], async (way) => {
    const person = { presses: { afterMs: 1_900, digits: '5' }, hangsUpAfterMs: 2_500 };
    const call = await talk()[way](person, { options: { start: { greeting: 'Press five.' } } });
    expect(call.turns.map(({ text }) => text)).toContain('DTMF 5');
    await expectAtCarrier(call, { endedBy: 'person' });
  });

  rows('the agent presses keys, says goodbye and connects the person with a number', [OTHER], async (way) => {
    const answers: ModelPart[][] = [
      [{ type: 'tool', name: 'press_keys', arguments: { digits: '12' } }],
      [
        { type: 'text', text: 'I am connecting you now.' },
        { type: 'tool', name: 'sales', arguments: {} },
      ],
    ];
    const number = setting(OTHER);
    const call = await converse(talk(), speaks, answers, { actions: [`sales tel:${number}`] }, { way });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'call_transfer', by: 'agent' });
    expect(call.turns.flatMap(({ tool }) => tool?.name ?? [])).toEqual(['press_keys', 'sales']);
    await expectAtCarrier(call, { endedBy: 'person', transferredTo: number }, ({ digits, handset }) =>
      // Twilio has no request for keys: they are tones in the audio.
      expect(service === 'twilio' ? findKeys(handset?.bytes ?? []) : digits).toBe('12'),
    );
  });

  rows(
    'the seconds of two persons who were connected are a part of the call, and count twice at the carrier',
    [OTHER],
    async (way) => {
      const person = { ...speaks, connectedMs: 1_200 };
      const call = await connectWithSales(talk(), person, setting(OTHER), { way });
      expect(call.end.reason).toBe('call_transfer');
      const [first = {}, second = {}] = call.analyses;
      expect(first.transfer_seconds).toBeUndefined();
      // The server charges for the time from the connection to the end.
      const { type, body } = call.events.at(-1) ?? {};
      const [connectedAt, endedAt] = [body?.connected_at, body?.occurred_at].map((at) =>
        Date.parse(String(at)),
      );
      expect(type).toBe('call.ended.v1');
      expect(Number(endedAt) - Number(connectedAt)).toBeGreaterThanOrEqual(1_200);
      const transferred = second.transfer_seconds as number;
      expect(transferred).toBeGreaterThanOrEqual(1);
      expect(second).toEqual({
        ...{ ...first, transfer_seconds: transferred },
        carrier_seconds: (first.carrier_seconds as number) + 2 * transferred,
      });
      await expectAtCarrier(call, {}, ({ transferredAt, endedAt }) =>
        expectSeconds(transferred, transferredAt, endedAt),
      );
    },
  );

  rows(
    'the agent ends the call if the number to connect with is busy, and the timeline has the reason',
    [NUMBERS.busy],
    async (way) => {
      const person: Person = { ...speaks, transfer: 'busy' };
      const call = await connectWithSales(talk(), person, setting(NUMBERS.busy), { way });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup', by: 'agent' });
      const failed = call.warnings.filter(({ code }) => code === 'transfer_failed');
      expect(failed.map(({ text }) => text)).toEqual([expect.stringMatching(/busy/i)]);
      await expectAtCarrier(call, { isOver: true }, ({ transferredTo }) =>
        expect(transferredTo).toBeUndefined(),
      );
    },
  );

  async function expectApology(call: CarriedCall): Promise<void> {
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(call.turns.at(-1)).toMatchObject({ speaker: 'agent', text: APOLOGY });
    await expectAtCarrier(call, { endedBy: 'runtime' });
  }

  rows('a model that dies in mid-sentence, twice, ends the call with an apology', [], async (way) => {
    const broken: ModelPart[] = [{ type: 'text', text: 'We have a table' }, { type: 'cut' }];
    await expectApology(await converse(talk(), speaks, [broken, broken], {}, { way }));
  });

  row(
    'a model that hears and speaks and dies in mid-sentence, twice, ends the call with an apology',
    [PERSON],
    async () => {
      const openAi = await OpenAiRealtimeStandIn.listen();
      openAi.answers.push(...[1, 2].map(() => [{ text: 'We have a table for you at the window.' }]));
      openAi.faults.push({ closesAt: 0.5 }, { closesAt: 0.7 });
      const model = { ...llmConfig, provider: 'openai-realtime', model: 'gpt-realtime' };
      const call = await talk().call(speaks, {
        options: { start: { greeting: '', agent: { llmConfig: model } } },
        parts: { accounts: { 'openai-realtime': openAi } },
      });
      openAi.close();
      expect(openAi.complaints).toEqual([]);
      await expectApology(call);
    },
  );

  if (isRelay) return;

  rows(
    'a recogniser that dies in mid-sentence, three times, ends the call with an apology',
    [],
    async (way) => {
      const deepgram = await DeepgramStandIn.listen();
      deepgram.faults.push(...[1, 2, 3].map(() => ({ closesAfter: 0.1 })));
      const call = await talk()[way](speaks, {
        options: { start: { greeting: '' } },
        parts: { accounts: { deepgram } },
      });
      deepgram.close();
      await expectApology(call);
    },
  );

  rows('a voice that dies in mid-sentence, twice, ends the call with an apology', [], async (way) => {
    const elevenlabs = await ElevenLabsStandIn.listen();
    elevenlabs.faults.push({ cutsAt: 0.5 }, { cutsAt: 0.7 });
    const own = instantSpeech();
    const agent = { voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' } };
    // A caller who speaks at once would interrupt the greeting.
    const person = way === 'call' ? speaks : {};
    const call = await talk()[way](person, {
      options: { start: { greeting, agent } },
      parts: { speech: own, accounts: { elevenlabs } },
    });
    elevenlabs.close();
    expect(own.spoken.join(' ')).toBe(APOLOGY);
    await expectApology(call);
  });
}
