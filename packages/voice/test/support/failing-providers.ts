import { exampleCall } from '../../../worker/src/example-call';
import type { Fallbacks, VoiceRuntimeParts } from '@parley/voice';
import { decodeMulaw } from '../../src/audio/mulaw';
import { DeepgramStandIn } from '../stand-ins/deepgram/deepgram-stand-in';
import type { DeepgramFault } from '../stand-ins/deepgram/listen-stream';
import { type ElevenLabsFault, ElevenLabsStandIn } from '../stand-ins/elevenlabs/elevenlabs-stand-in';
import {
  type ChatRequest,
  type ForeignAnswer,
  type ModelPart,
  OpenAiChatStandIn,
} from '../stand-ins/openai-chat/openai-chat-stand-in';
import type { Person } from '../stand-ins/phone/handset';
import type { CarriedCall, CarrierTalk } from './carriers';
import { instantSpeech } from './instant-speech';

export const FAULTS = ['500', '429', 'silent', 'slow', 'cut', 'nonsense'] as const;
export const PARTS = ['recognition', 'language', 'synthesis'] as const;
export const MOMENTS = ["call's start", 'first result', 'mid-way', 'next turn'] as const;
export type Fault = (typeof FAULTS)[number];
export type Part = (typeof PARTS)[number];
export type Moment = (typeof MOMENTS)[number];

export const QUESTIONS = ['A table for two.', 'And a chair.'] as const;
export const ANSWERS = ['We have your table free at the window.', 'The chair is free at noon.'] as const;
export const TALKS = [
  { afterMs: 300, forMs: 600 },
  { afterMs: 6_300, forMs: 600 },
];
const HANGS_UP_MS = 12_300;
/** The text of a second turn is requested at least this long after that of the first. */
const SECOND_TURN_MS = 5_000;
const LETTER_MS = 10;
/** The loudness of the first voice and of the one that follows it. That of this machine is between them. */
const LEVELS = { first: 14_000, second: 4_000, own: 9_000 };

/** The beginning of an answer, which ends in the middle of a word. */
const BEGINNING = 'We have your ta';

const { llmConfig, sttConfig, voiceConfig } = exampleCall().agent;

/** Two accounts for each part. The first one fails. */
export class FailingProviders {
  private heardAt?: number;

  private constructor(
    readonly hearing: [DeepgramStandIn, DeepgramStandIn],
    readonly models: [OpenAiChatStandIn, OpenAiChatStandIn],
    readonly voices: [ElevenLabsStandIn, ElevenLabsStandIn],
  ) {}

  static async start(): Promise<FailingProviders> {
    const hearing = [await DeepgramStandIn.listen(), await DeepgramStandIn.listen()] as const;
    const models = [await OpenAiChatStandIn.listen(), await OpenAiChatStandIn.listen()] as const;
    const voices = [await ElevenLabsStandIn.listen(), await ElevenLabsStandIn.listen()] as const;
    for (const [index, voice] of voices.entries()) voice.level = index === 0 ? LEVELS.first : LEVELS.second;
    for (const model of models) model.policy = answer;
    const providers = new FailingProviders([...hearing], [...models], [...voices]);
    for (const recognizer of hearing) recognizer.understand = () => providers.question;
    return providers;
  }

  /** The words of the person now. */
  private get question(): string {
    this.heardAt ??= performance.now();
    return performance.now() - this.heardAt < SECOND_TURN_MS ? QUESTIONS[0] : QUESTIONS[1];
  }

  close(): void {
    for (const each of [...this.hearing, ...this.models, ...this.voices]) each.close();
  }

  /** The first account of the part fails once, in this way, at this moment. */
  fail(part: Part, fault: Fault, moment: Moment): void {
    if (part === 'recognition') this.failHearing(fault, moment);
    if (part === 'language') this.failModel(fault, moment);
    if (part === 'synthesis') this.failVoice(fault, moment);
  }

  /** A phone call of an agent whose providers are the first accounts. */
  call(
    talk: CarrierTalk,
    fallbacks: Partial<Fallbacks> = {},
    person: Partial<Person> = {},
    parts: Partial<VoiceRuntimeParts> = {},
    fields: object = {},
  ): Promise<CarriedCall> {
    const agent = {
      ...fields,
      llmConfig: { ...llmConfig, provider: 'openai' },
      sttConfig: { ...sttConfig, provider: 'deepgram' },
      voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' },
    };
    const [first, second] = this.models;
    const [deepgram, deepgrameu] = this.hearing;
    const [elevenlabs, elevenlabseu] = this.voices;
    return talk.call(
      { talks: TALKS, hangsUpAfterMs: HANGS_UP_MS, ...person },
      {
        options: { start: { greeting: '', agent } },
        parts: {
          speech: instantSpeech(),
          accounts: {
            ...{ deepgram, elevenlabs },
            deepgrameu: { baseUrl: deepgrameu.baseUrl, apiKey: deepgrameu.apiKey, protocol: 'deepgram' },
            elevenlabseu: {
              baseUrl: elevenlabseu.baseUrl,
              apiKey: elevenlabseu.apiKey,
              protocol: 'elevenlabs',
            },
          },
          models: new Map([
            ...first.models,
            ['groq', { baseUrl: second.baseUrl, apiKey: second.apiKey ?? '' }],
          ]),
          fallbacks: {
            recognition: [{ provider: 'deepgrameu' }],
            language: [{ provider: 'groq', model: 'gpt-4o' }],
            synthesis: [{ provider: 'elevenlabseu', model: 'voice-1' }],
            ...{
              hasLocal: true,
              hedgeMs: 900,
              breaker: { failures: 3, ms: 30_000 },
              lastResort: 'apologise',
            },
            ...fallbacks,
          },
          ...parts,
        },
      },
    );
  }

  private failHearing(fault: Fault, moment: Moment): void {
    const [recognizer] = this.hearing;
    if (moment === "call's start") {
      if (fault === 'silent' || fault === 'slow') recognizer.isUnreachable = true;
      else recognizer.faults.push(...Array.from({ length: 3 }, (): DeepgramFault => toStreamFault(fault)));
      return;
    }
    if (moment === 'mid-way' && fault === 'cut')
      return void recognizer.faults.push({ closesAfter: 0.4 }, { refuses: 503 });
    const ways = { silent: 'silence', slow: 'slow', cut: 'cut', nonsense: 'nonsense' } as const;
    const answers = fault === '500' || fault === '429' ? ('error' as const) : ways[fault];
    recognizer.faults.push({ utterance: moment === 'next turn' ? 1 : 0, answers });
  }

  private failModel(fault: Fault, moment: Moment): void {
    const [model] = this.models;
    if (moment === 'next turn') model.answers.push([{ type: 'text', text: ANSWERS[0] }]);
    model.answers.push(toAnswer(fault, moment));
  }

  private failVoice(fault: Fault, moment: Moment): void {
    const [voice] = this.voices;
    const share = moment === 'mid-way' ? 0.5 : 0;
    const isAtRequest = moment === "call's start" || moment === 'next turn';
    // A sentence that is spoken.
    if (moment === 'next turn') voice.faults.push({ slowsAt: 1, pauseMs: 0 });
    voice.faults.push(toVoiceFault(fault, share, isAtRequest));
  }

  /** Whether the audio of both voices is what they were asked for: no word is missing, and none is there twice. */
  assertWords(call: CarriedCall): void {
    const { first, second, own } = this.measureVoices(call);
    const continued = this.voices[1].requests.map(({ body }) => String(body.text));
    for (const text of continued) {
      const whole = ANSWERS.find((each) => each.endsWith(text)) ?? '';
      expect(whole.slice(0, -text.length)).toMatch(/(^|\s)$/);
    }
    const letters = continued.join('').length;
    const secondMs = letters * LETTER_MS;
    const firstMs = ANSWERS.join('').length * LETTER_MS - secondMs;
    // A sentence ends with a whole frame.
    expect(second).toBeGreaterThanOrEqual(secondMs - 20);
    expect(second).toBeLessThanOrEqual(secondMs + 40);
    expect(first).toBeGreaterThanOrEqual(firstMs - 20);
    expect(first).toBeLessThanOrEqual(firstMs + 40);
    expect(own % 120).toBe(0);
  }

  /** The milliseconds of the voices that the person has heard. */
  measureVoices({ phone }: CarriedCall): { first: number; second: number; own: number } {
    const peaks = (phone?.handset?.bytes ?? []).map((bytes) =>
      decodeMulaw(bytes).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
    );
    const isNear = (level: number) =>
      peaks.filter((peak) => peak > level * 0.8 && peak < level * 1.2).length * 20;
    return { first: isNear(LEVELS.first), second: isNear(LEVELS.second), own: isNear(LEVELS.own) };
  }
}

function toStreamFault(fault: Fault): DeepgramFault {
  if (fault === '500' || fault === '429') return { refuses: Number(fault) };
  return fault === 'cut' ? { closesAfter: 0.001 } : { sendsNonsense: true };
}

function toVoiceFault(fault: Fault, share: number, isAtRequest: boolean): ElevenLabsFault {
  switch (fault) {
    case '500':
    case '429':
      return isAtRequest
        ? { refuses: Number(fault), status: 'error' }
        : { breaksAt: share, sends: `{"detail":{"status":"${fault}"}}\n` };
    case 'silent':
      return isAtRequest ? { isSilent: true } : { stallsAt: share };
    case 'slow':
      return { slowsAt: share, pauseMs: 1_300 };
    case 'cut':
      return { cutsAt: share };
    case 'nonsense':
      return isAtRequest ? { sendsNonsense: true } : { breaksAt: share, sends: '<html>502</html>\n' };
  }
}

/** Answers the last words of the person, or continues the beginning of an answer. */
function answer({ messages }: ChatRequest): ModelPart[] {
  const isContinued = messages.at(-1)?.content?.startsWith('Your answer was cut off') ?? false;
  const asked = messages.filter(({ role }) => role === 'user').length - (isContinued ? 1 : 0);
  const whole = ANSWERS[asked - 1] ?? 'Goodbye.';
  const said = isContinued ? (messages.at(-2)?.content ?? '') : '';
  if (!whole.startsWith(said)) throw new Error(`The model got another beginning: ${said}`);
  return [{ type: 'text', text: whole.slice(said.length) }];
}

const toChunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

function toAnswer(fault: Fault, moment: Moment): ForeignAnswer {
  const isAtRequest = moment === "call's start" || moment === 'next turn';
  const text = moment === 'next turn' ? ANSWERS[1] : ANSWERS[0];
  return (response) => {
    if (isAtRequest && (fault === '500' || fault === '429'))
      return void response
        .writeHead(Number(fault), { 'content-type': 'application/json' })
        .end('{"error":{}}');
    if (isAtRequest && fault === 'cut') return void response.destroy();
    if (isAtRequest && fault === 'silent') return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (moment === 'mid-way') response.write(toChunk(BEGINNING));
    switch (fault) {
      case '500':
      case '429':
        return void response.end(`data: {"error":{"code":${fault},"message":"No"}}\n\n`);
      case 'cut':
        return void setTimeout(() => response.destroy(), 20);
      case 'nonsense':
        return void response.end('data: <html>502</html>\n\n');
      case 'slow': {
        const words = text.slice(moment === 'mid-way' ? BEGINNING.length : 0).match(/\s*\S+/g) ?? [];
        const timer = setInterval(() => {
          const word = words.shift();
          if (word !== undefined) response.write(toChunk(word));
          else response.end('data: [DONE]\n\n');
        }, 2_000);
        return void response.once('close', () => clearInterval(timer));
      }
      case 'silent':
    }
  };
}

/** The longest silence while the person waited for the agent, in milliseconds. */
export function findLongestSilence({ phone }: CarriedCall, talks = TALKS): number {
  const heard = phone?.handset?.heard ?? [];
  const sounds = heard.flatMap(({ isSound }, frame) => (isSound ? [frame * 20] : []));
  const silences = talks.flatMap(({ afterMs, forMs }, index) => {
    const until = talks[index + 1]?.afterMs ?? Infinity;
    const within = sounds.filter((ms) => ms > afterMs + forMs && ms < until);
    if (within.length === 0) return [Infinity];
    return within.map((ms, at) => ms - (within[at - 1] ?? afterMs + forMs));
  });
  return Math.max(...silences);
}

export interface Cell {
  part: Part;
  fault: Fault;
  moment: Moment;
}

export interface Outcome {
  call: CarriedCall;
  providers: FailingProviders;
}

/** Holds the calls of all cells. */
export async function holdCalls(
  talk: CarrierTalk,
  cells: readonly Cell[],
  atOnce: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = [...cells.entries()];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, { part, fault, moment }] = next;
      const providers = await FailingProviders.start();
      providers.fail(part, fault, moment);
      outcomes[index] = { providers, call: await providers.call(talk) };
      providers.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

/** No silence lasted 3 s while an answer was due, and no word was lost or doubled. */
export function assertHeld({ call, providers }: Outcome): void {
  expect(call.turns.map(({ text }) => text)).toEqual([QUESTIONS[0], ANSWERS[0], QUESTIONS[1], ANSWERS[1]]);
  expect(findLongestSilence(call)).toBeLessThanOrEqual(3_000);
  providers.assertWords(call);
  expect(call.end.reason).toBe('user_hangup');
}
