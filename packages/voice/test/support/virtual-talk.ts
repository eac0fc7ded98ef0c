import type { CallStart } from '@parley/worker';
import { exampleCall } from '../../../worker/src/example-call';
import { resolveAgent } from '../../src/agent/resolve-agent';
import type { AnswerPart, Brain } from '../../src/brain/brain';
import { Conversation } from '../../src/conversation/conversation';
import type { RemoteVoice } from '../../src/conversation/contract';
import type { End } from '../../src/conversation/machine';
import type { Recognizer, Synthesizer } from '../../src/speech/speech';
import { VirtualClock } from './virtual-clock';

const RATE = 8_000;
const FRAME = RATE / 50;
/** The agent says a letter in this time. */
export const LETTER_MS = 50;

type Agent = CallStart['agent'];
type Deep<T> = { [K in keyof T]?: T[K] extends unknown[] ? T[K] : T[K] extends object ? Deep<T[K]> : T[K] };

export interface TalkOptions {
  agent?: Deep<Agent>;
  call?: Partial<Omit<CallStart, 'agent'>>;
  /** The answers of the brain, one after the other; default: the words of the person. */
  answers?: (string | AnswerPart[])[];
  /** The time that the brain takes for an answer; Infinity: for ever. */
  thinksMs?: number;
  /** The brain does not end its answers. */
  hangs?: boolean;
  /** The error that the brain throws instead of an answer. */
  fails?: Error;
  /** A voice that fails. */
  isMute?: boolean;
  /** The line speaks, and sends no audio. */
  remoteVoice?: RemoteVoice;
  /** Delays the text of an utterance. */
  recognizes?: (text: string) => Promise<string>;
}

/** The conversation of an agent in virtual time, with a line, speech and a brain that take the time that a test says. */
export class VirtualTalk {
  readonly clock = new VirtualClock();
  readonly startedAt = this.clock.now();
  /** The frames that the agent sent, with the time since the start. */
  readonly frames: { at: number; level: number }[] = [];
  readonly cleared: number[] = [];
  readonly turns: { speaker: string; text: string }[] = [];
  readonly spoken: string[] = [];
  readonly problems: string[] = [];
  readonly warnings: { code: string; text: string }[];
  end?: End & { at: number };
  /** Whether the brain has a result to tell, until its next answer. */
  hasNews = false;
  readonly conversation: Conversation;
  private said = '';
  private understood: (text: string) => void = () => undefined;

  constructor(options: TalkOptions = {}) {
    const { agent = {}, call = {}, answers = [], thinksMs = 0, hangs, fails, isMute, recognizes } = options;
    const { remoteVoice } = options;
    const start = exampleCall({ call_type: 'webcall', greeting: '', ...call });
    const { plan, warnings } = resolveAgent(merged(start, agent), { models: new Set() });
    this.warnings = warnings;
    this.conversation = new Conversation({
      plan,
      clock: this.clock,
      brain: this.brain([...answers], thinksMs, hangs ?? false, fails),
      recognizer: this.recognizer(recognizes),
      synthesizer: this.synthesizer(isMute ?? false),
      line: {
        sampleRate: remoteVoice ? undefined : RATE,
        remoteVoice,
        frame: (samples) => void this.frames.push({ at: this.now, level: measureLevel(samples) }),
        mark: () => undefined,
        clear: () => void this.cleared.push(this.now),
        transcript: () => undefined,
        state: () => undefined,
        metrics: () => undefined,
      },
      report: {
        turn: ({ speaker, text }) => void this.turns.push({ speaker, text }),
        problem: (sentence) => void this.problems.push(sentence),
      },
    });
    void this.conversation.ended.then((end) => (this.end = { ...end, at: this.now }));
    this.conversation.start();
  }

  get now(): number {
    return this.clock.now() - this.startedAt;
  }

  /** The person is silent. */
  silence(ms: number): Promise<void> {
    return this.hear(ms, () => new Int16Array(FRAME));
  }

  /** The client of the person sends nothing. */
  noAudio(ms: number): Promise<void> {
    return this.hear(ms, () => undefined);
  }

  /** The person makes a sound that is recognised as these words: '' for noise. */
  async says(words: string, ms = 1_000): Promise<void> {
    this.said = `${this.said} ${words}`.trim();
    let frames = 0;
    await this.hear(ms, () => {
      // The words that were recognised so far are reported once a second.
      if (++frames % 50 === 0 && words !== '') this.understood(this.said);
      return Int16Array.from({ length: FRAME }, (_, index) => 6_000 * Math.sin(index * index));
    });
  }

  tone(frequency: number, ms: number): Promise<void> {
    let sample = 0;
    return this.hear(ms, () =>
      Int16Array.from({ length: FRAME }, () => 8_000 * Math.sin((2 * Math.PI * frequency * sample++) / RATE)),
    );
  }

  /** Until the agent has answered and is silent. */
  async answered(): Promise<void> {
    await this.silence(2_500);
    for (let waited = 0; waited < 60_000 && this.isSpeaking; waited += 100) await this.silence(100);
  }

  /** Whether the agent's voice was sent in the last moment. */
  get isSpeaking(): boolean {
    return this.frames.some(({ at, level }) => at > this.now - 420 && level > 2_000);
  }

  /** When the agent's voice was sent first, after this time. */
  voiceAfter(time: number): number {
    return this.frames.find(({ at, level }) => at >= time && level > 1_000)?.at ?? Infinity;
  }

  private async hear(ms: number, getFrame: () => Int16Array | undefined): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += 20) {
      this.clock.advance(20);
      await settled();
      const frame = getFrame();
      if (frame) this.conversation.hear(frame);
      await settled();
    }
  }

  private recognizer(recognizes = (text: string) => Promise.resolve(text)): Recognizer {
    return {
      provider: 'virtual',
      open: (listener) => {
        this.understood = (text) => listener.interim(text);
        return {
          seconds: 0,
          write: () => undefined,
          text: () => recognizes(this.said),
          next: () => (this.said = ''),
          close: () => undefined,
        };
      },
    };
  }

  private synthesizer(isMute: boolean): Synthesizer {
    const { spoken } = this;
    return {
      provider: 'virtual',
      async *speak(text, { speed }) {
        if (isMute) throw new Error('No voice');
        spoken.push(text);
        const length = (text.length * LETTER_MS * RATE) / 1_000 / speed;
        yield await Promise.resolve({ samples: new Int16Array(length).fill(8_000), sampleRate: RATE });
      },
    };
  }

  private brain(answers: (string | AnswerPart[])[], thinksMs: number, hangs: boolean, fails?: Error): Brain {
    const { clock } = this;
    const hasNews = () => this.hasNews;
    const tellNews = () => (this.hasNews = false);
    return {
      provider: 'virtual',
      tokens: 0,
      get hasNews() {
        return hasNews();
      },
      async *answer(messages) {
        tellNews();
        if (thinksMs > 0) await new Promise<void>((resolve) => void clock.after(thinksMs, resolve));
        if (fails) throw fails;
        const answer = answers.shift() ?? messages.at(-1)?.text ?? '';
        if (typeof answer === 'string') yield { type: 'text', text: answer };
        else yield* answer;
        if (hangs) await new Promise(() => undefined);
      },
      conclude: () => Promise.resolve({ summary: '', outcome: '', variables: {} }),
    };
  }
}

/** Everything that is ready has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const measureLevel = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));

function merged(start: CallStart, changes: Deep<Agent>): CallStart {
  const agent = { ...start.agent } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    agent[name] = isGroup ? { ...(agent[name] as object), ...value } : value;
  }
  return { ...start, agent: agent as unknown as Agent };
}
