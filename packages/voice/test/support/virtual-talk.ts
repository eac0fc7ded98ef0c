import type { CallStart } from '@parley/worker';
import { exampleCall } from '../../../worker/src/example-call';
import { resolveAgent } from '../../src/agent/resolve-agent';
import { measureLevel } from '../../src/audio/voice-activity';
import type { AnswerPart, Brain } from '../../src/brain/brain';
import type { Conversation } from '../../src/conversation/conversation';
import type { RemoteVoice } from '../../src/conversation/contract';
import type { End } from '../../src/conversation/machine';
import { VirtualCall } from '../../src/rehearsal/virtual-call';
import { VirtualClock } from '../../src/rehearsal/virtual-clock';
import type { Synthesizer } from '../../src/speech/speech';

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

/** A virtual call whose brain gives the answers that a test says, and a record of what happens in it. */
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
  private readonly call: VirtualCall;

  constructor(options: TalkOptions = {}) {
    const { agent = {}, call = {}, answers = [], thinksMs = 0, hangs, fails, isMute, recognizes } = options;
    const { remoteVoice } = options;
    const start = exampleCall({ call_type: 'webcall', greeting: '', ...call });
    const { plan, warnings } = resolveAgent(merged(start, agent), { models: new Set() });
    this.warnings = warnings;
    const voice = (synthesizer: Synthesizer): Synthesizer => ({
      ...synthesizer,
      speak: (text, settings, signal) => {
        if (isMute) throw new Error('No voice');
        this.spoken.push(text);
        return synthesizer.speak(text, settings, signal);
      },
    });
    this.call = new VirtualCall({
      plan,
      clock: this.clock,
      brain: this.brain([...answers], thinksMs, hangs ?? false, fails),
      remoteVoice,
      voice,
      recognizes,
      line: {
        frame: (samples) => void this.frames.push({ at: this.now, level: measureLevel(samples) }),
        clear: () => void this.cleared.push(this.now),
      },
      report: {
        turn: ({ speaker, text }) => void this.turns.push({ speaker, text }),
        problem: (sentence) => void this.problems.push(sentence),
      },
    });
    void this.conversation.ended.then((end) => (this.end = { ...end, at: this.now }));
    this.conversation.start();
  }

  get conversation(): Conversation {
    return this.call.conversation;
  }

  get now(): number {
    return this.clock.now() - this.startedAt;
  }

  /** The person is silent. */
  silence(ms: number): Promise<void> {
    return this.call.silence(ms);
  }

  /** The client of the person sends nothing. */
  noAudio(ms: number): Promise<void> {
    return this.call.noAudio(ms);
  }

  /** The person makes a sound that is recognised as these words: '' for noise. */
  says(words: string, ms = 1_000): Promise<void> {
    return this.call.says(words, ms);
  }

  tone(frequency: number, ms: number): Promise<void> {
    return this.call.tone(frequency, ms);
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

function merged(start: CallStart, changes: Deep<Agent>): CallStart {
  const agent = { ...start.agent } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    agent[name] = isGroup ? { ...(agent[name] as object), ...value } : value;
  }
  return { ...start, agent: agent as unknown as Agent };
}
