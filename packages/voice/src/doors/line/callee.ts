import { Ambience } from '../../audio/ambience';
import { Resampler } from '../../audio/resampler';
import { VoiceActivity } from '../../audio/voice-activity';
import { describeError } from '../../errors';
import { type Recognition, RECOGNITION_RATE, type Recognizer, type Synthesizer } from '../../speech/speech';
import type { MediaStream } from './media-stream';
import { createBeep, isAudible, LINE_RATE as RATE, speakAtPhone } from './phone-audio';

/** The agent has finished when it was silent for this long. */
const AGENT_PAUSE_MS = 900;
const BEFORE_FRAMES = 15;

/** The behaviour of the other side of a call. */
export interface Script {
  /** Said as soon as the call is answered. */
  hello?: string;
  /** A voicemail: after its greeting it beeps, and says nothing more. */
  beeps?: boolean;
  /** The answers to the agent's words. The first that fits is given; each is given once. */
  answers?: { to: RegExp; say: string }[];
  /** The sentences that are said otherwise, one after the other. After the last one the person hangs up. */
  otherwise?: string[];
  /** Says this while the agent speaks, once it has spoken for this long. */
  interrupts?: { afterMs: number; say: string };
  /** Hangs up this long after the call was answered. */
  hangsUpAfterMs?: number;
  /** Noise of a street around the person, in dB below the loudest sound. */
  noise?: number;
  voice?: string;
}

export type CalleeEvent =
  | { type: 'person-began' | 'person-ended'; text: string }
  | { type: 'agent-began' | 'agent-ended' | 'cleared' }
  | { type: 'heard'; text: string };

export interface CalleeParts {
  recognizer: Recognizer;
  synthesizer: Synthesizer;
  hangUp: () => void;
  event: (event: CalleeEvent) => void;
  problem: (sentence: string) => void;
}

/** The one at a phone of the line. */
export interface LinePerson {
  /** The call was answered. */
  answer(stream: MediaStream): void;
  /** The call goes on with another stream, because the first one was cut. */
  moveTo(stream: MediaStream): void;
  /** 20 ms of what the agent says. */
  hear(samples: Int16Array): void;
  /** The agent took back what was not played. */
  cleared(): void;
  /** The call is over. */
  close(): void;
}

/** A simulated person at a phone, or a voicemail: listens, and does what its script says. */
export class Callee implements LinePerson {
  private readonly activity = new VoiceActivity({ pauseMs: AGENT_PAUSE_MS });
  private readonly toRecognition = new Resampler(RATE, RECOGNITION_RATE);
  private readonly recognition: Recognition;
  private readonly before: Int16Array[] = [];
  private readonly lifetime = new AbortController();
  private readonly answers: { to: RegExp; say: string }[];
  private readonly otherwise: string[];
  private stream?: MediaStream;
  private agentSince?: number;
  private isAudible = false;
  private hasInterrupted = false;
  private saying?: string;
  private isAnswering = false;
  private hangUpTimer?: NodeJS.Timeout;

  constructor(
    private readonly script: Script,
    private readonly parts: CalleeParts,
  ) {
    this.answers = [...(script.answers ?? [])];
    this.otherwise = [...(script.otherwise ?? [])];
    this.recognition = parts.recognizer.open({ interim: () => undefined });
  }

  answer(stream: MediaStream): void {
    const { hello, beeps, hangsUpAfterMs } = this.script;
    this.moveTo(stream);
    if (hangsUpAfterMs !== undefined)
      this.hangUpTimer = setTimeout(() => this.parts.hangUp(), hangsUpAfterMs);
    if (hello) void this.say(hello).then(() => beeps && stream.say(createBeep()));
  }

  moveTo(stream: MediaStream): void {
    const { noise } = this.script;
    this.stream = stream;
    if (noise === undefined) return;
    const street = Ambience.of('street', noise, RATE);
    stream.background = (frame) => street.behind(frame);
  }

  hear(samples: Int16Array): void {
    this.noteSpeechEnd();
    const isSound = isAudible(samples);
    if (isSound && !this.isAudible) this.parts.event({ type: 'agent-began' });
    this.isAudible = isSound || (this.isAudible && this.activity.active);
    const change = this.activity.frame(samples);
    // A long silence before the words would make recognition worse.
    this.before.push(this.toRecognition.process(samples));
    if (this.activity.active || change === 'paused') {
      for (const part of this.before.splice(0)) this.recognition.write(part);
    } else if (this.before.length > BEFORE_FRAMES) this.before.shift();
    if (change === 'started') this.agentSince = performance.now();
    if (change === 'paused') {
      this.agentSince = undefined;
      this.parts.event({ type: 'agent-ended' });
      if (!this.script.beeps) void this.reply();
    }
    this.interruptIfDue();
  }

  cleared(): void {
    this.parts.event({ type: 'cleared' });
  }

  close(): void {
    clearTimeout(this.hangUpTimer);
    this.lifetime.abort(new Error('The call is over'));
    this.recognition.close();
  }

  private interruptIfDue(): void {
    const { interrupts } = this.script;
    if (!interrupts || this.hasInterrupted || this.agentSince === undefined) return;
    if (performance.now() - this.agentSince < interrupts.afterMs) return;
    this.hasInterrupted = true;
    void this.say(interrupts.say);
  }

  /** Answers what the agent said, unless the person already speaks. */
  private async reply(): Promise<void> {
    // The silence of an agent that was interrupted is not its turn.
    if (this.isAnswering || this.saying !== undefined) return this.recognition.next();
    this.isAnswering = true;
    try {
      const text = await this.recognition.text(this.lifetime.signal);
      this.recognition.next();
      this.parts.event({ type: 'heard', text });
      if (this.stream?.isSaying || this.activity.active) return;
      const index = this.answers.findIndex(({ to }) => to.test(text));
      const [answer] = index < 0 ? [] : this.answers.splice(index, 1);
      const words = answer?.say ?? this.otherwise.shift();
      if (words !== undefined) await this.say(words);
      else if (this.script.otherwise) this.parts.hangUp();
    } catch (error) {
      if (!this.lifetime.signal.aborted) this.parts.problem(describeError(error));
    } finally {
      this.isAnswering = false;
    }
  }

  private async say(text: string): Promise<void> {
    const { synthesizer, problem } = this.parts;
    const { voice } = this.script;
    try {
      for await (const samples of speakAtPhone(synthesizer, text, this.lifetime.signal, voice)) {
        if (this.saying === undefined) this.parts.event({ type: 'person-began', text });
        this.saying = text;
        this.stream?.say(samples);
      }
    } catch (error) {
      if (!this.lifetime.signal.aborted) problem(describeError(error));
    }
  }

  private noteSpeechEnd(): void {
    if (this.saying === undefined || this.stream?.isSaying) return;
    this.parts.event({ type: 'person-ended', text: this.saying });
    this.saying = undefined;
  }
}
