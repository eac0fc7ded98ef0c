import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { exampleCall } from '../../../worker/src/example-call';
import { until } from '../../../../test/support/until';
import { AccountLimit } from '../../src/speech/account-limit';
import { AsteriskChannel } from '../stand-ins/asterisk/channels';
import { DeepgramStandIn } from '../stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../stand-ins/elevenlabs/elevenlabs-stand-in';
import { OpenAiChatStandIn } from '../stand-ins/openai-chat/openai-chat-stand-in';
import type { CarrierServer } from '../stand-ins/phone/carrier-server';
import type { PhoneCallRecord } from '../stand-ins/phone/phone-stand-in';
import { TelnyxCall } from '../stand-ins/telnyx/call';
import { TwilioCall } from '../stand-ins/twilio/call';
import { type CarriedCall, type CarrierName, CarrierTalk } from './carriers';

/** The stand-in of the model says it when it has no other answer. */
const ANSWER = 'Goodbye.';
const CALLS_AT_ONCE = 20;
/** The persons speak one after the other. */
const TALK_EVERY_MS = 60;
const WAIT_MS = 90_000;
const { llmConfig, timeoutConfig, voiceConfig } = exampleCall().agent;

export interface ManyCalls {
  ended: CarriedCall[];
  /** The calls at the carrier that went on until the persons hung up. */
  atOnce: number;
  /** The calls that the carrier still had to hold afterwards. */
  left: number;
  /** The calls that are still in the memory of the runtime afterwards. */
  kept: number;
  problems: string[];
  /** Until all of them had their streams, in seconds. */
  placedSeconds: number;
  /** The requests for speech at once, and those that the provider refused. */
  voices: { most: number; refused: number };
  /** From the first word of each person to the agent's first sound, in milliseconds. None if the carrier speaks. */
  answerMs: number[];
  /** The calls in which a frame of the agent's words came late, and those of them whose phone had nothing to play. */
  late: number;
  starved: number;
  /** The processors that this process uses, with both sides of all calls in it. */
  cores: number;
  megabytes: number;
}

/**
 * One runtime conducts this many calls at once with providers. All persons say something, are answered, and hang up.
 * @param maxVoices the requests that the account for speech allows at once. With it, all persons speak together
 */
export async function conductCalls(name: CarrierName, count: number, maxVoices?: number): Promise<ManyCalls> {
  const talk = await CarrierTalk.start(name);
  const [deepgram, elevenlabs, model] = [
    await DeepgramStandIn.listen(),
    await ElevenLabsStandIn.listen(),
    await OpenAiChatStandIn.listen(),
  ];
  elevenlabs.maxConcurrent = maxVoices ?? count;
  elevenlabs.waitsFor = maxVoices ?? 0;
  const { baseUrl, apiKey } = elevenlabs;
  const limit =
    maxVoices === undefined ? undefined : new AccountLimit('ELEVENLABS_MAX_CONCURRENT', maxVoices);
  const agent = {
    llmConfig: { ...llmConfig, provider: 'openai' },
    voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' },
    timeoutConfig: { ...timeoutConfig, silenceTimeout: 600 },
  };
  const parts = {
    accounts: { deepgram, elevenlabs: { baseUrl, apiKey, limit } },
    models: model.models,
  };
  const start = { greeting: '', agent };
  const { standIn } = talk;
  const { ticks } = standIn as unknown as CarrierServer;
  const calls: ReturnType<CarrierTalk['call']>[] = [];
  let answered = 0;
  // The runtime has heard from the carrier that the answer was played. A person who hangs up before has not heard it.
  const onTurn = (text: string) => void (answered += Number(text === ANSWER));
  const from = performance.now();
  // A carrier places a certain number of calls a second. Audio begins when all are there.
  ticks.isPaused = true;
  while (calls.length < count) {
    for (let more = Math.min(CALLS_AT_ONCE, count - calls.length); more > 0; more--) {
      const afterMs = 300 + (limit ? 0 : calls.length * TALK_EVERY_MS);
      const talks = [{ afterMs, forMs: 500 }];
      // A carrier that hears and speaks sends what is said as text, at once.
      const person = name === 'twilio that speaks' ? { says: ['A table for two.'] } : { talks };
      calls.push(talk.call(person, { options: { start }, parts, onTurn }));
    }
    const isThere = ({ streams, isOver }: PhoneCallRecord) => streams > 0 || isOver;
    await until(() => standIn.calls.filter(isThere).length === calls.length, WAIT_MS);
  }
  const placedSeconds = (performance.now() - from) / 1_000;
  const [talkedFrom, cpu] = [performance.now(), process.cpuUsage()];
  ticks.isPaused = false;
  const countOver = () => standIn.calls.filter(({ isOver }) => isOver).length;
  await until(() => answered + countOver() >= count, WAIT_MS);
  const { user, system } = process.cpuUsage(cpu);
  const cores = (user + system) / 1_000 / (performance.now() - talkedFrom);
  const megabytes = Math.round(process.memoryUsage().rss / 1e6);
  const atOnce = standIn.calls.length - countOver();
  const countKept = watchMemory(talk);
  for (const call of standIn.calls) hangUp(call);
  const ended = await Promise.all(calls);
  const answerMs = standIn.calls.map(findAnswerMs).filter((ms) => !Number.isNaN(ms));
  const late = standIn.calls.filter(isLate).length;
  const starved = standIn.calls.filter((call) => findWords(call).some(({ isSound }) => !isSound)).length;
  const left = getHeldCalls(talk).size;
  // Requests that the end of the carrier cuts off are no problem of a call.
  const problems = [...talk.problems, ...model.complaints.map(({ message }) => message)];
  await talk.close();
  deepgram.close();
  elevenlabs.close();
  model.close();
  // The sockets of the carrier close a moment later.
  await until(() => countKept() === 0, WAIT_MS).catch(() => undefined);
  const kept = countKept();
  const voices = { most: elevenlabs.most, refused: elevenlabs.refused };
  return {
    ended,
    atOnce,
    left,
    kept,
    problems,
    placedSeconds,
    answerMs,
    late,
    starved,
    cores,
    megabytes,
    voices,
  };
}

/** The calls that a carrier holds, by their ids. */
function getHeldCalls({ carrier }: CarrierTalk): Map<string, { session: object }> {
  const { sessions, channels } = carrier as unknown as Record<string, Map<string, { session: object }>>;
  return sessions ?? channels ?? new Map();
}

/** @returns a function that counts those of the calls of now which something still refers to */
function watchMemory(talk: CarrierTalk): () => number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const sessions = [...getHeldCalls(talk).values()].map(({ session }) => new WeakRef(session));
  return () => {
    collectGarbage();
    return sessions.filter((session) => session.deref() !== undefined).length;
  };
}

function hangUp(call: PhoneCallRecord): void {
  if (call instanceof TwilioCall) call.end('completed', 'person');
  if (call instanceof TelnyxCall) call.end('normal_clearing', 'person');
  if (call instanceof AsteriskChannel) call.destroy(16, 'person');
}

function findAnswerMs({ handset }: PhoneCallRecord): number {
  const heard = handset?.heard.find(({ isSound }) => isSound);
  return Math.round((heard?.at ?? NaN) - (handset?.talkingFrom ?? NaN));
}

/** A telephone hears no gap if a frame comes 60 ms after the one before: it keeps two in store. */
const LATE_MS = 60;

/** The frames that a phone has played, from the first sound of the agent to the last one. */
function findWords({ handset }: Pick<PhoneCallRecord, 'handset'>) {
  const heard = handset?.heard ?? [];
  const from = heard.findIndex(({ isSound }) => isSound);
  return from < 0 ? [] : heard.slice(from, heard.findLastIndex(({ isSound }) => isSound) + 1);
}

/** Whether the phone had nothing to play in the agent's words, or played a frame of them late. */
export const isLate = (call: Pick<PhoneCallRecord, 'handset'>): boolean =>
  findWords(call).some(
    ({ at, isSound }, index, words) => !isSound || at - (words[index - 1]?.at ?? at) > LATE_MS,
  );
