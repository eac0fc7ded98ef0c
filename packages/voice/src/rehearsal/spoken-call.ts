import { Ambience } from '../audio/ambience';
import { FRAME_MS } from '../audio/voice-activity';
import { type Clock, pause } from '../clock';
import { Conversation } from '../conversation/conversation';
import type { LinePerson } from '../doors/line/callee';
import type { MediaStream } from '../doors/line/media-stream';
import { createBeep, isAudible, LINE_RATE, speakAtPhone } from '../doors/line/phone-audio';
import { type Session, toListener } from '../doors/session';
import type { Speech } from '../speech/services';
import type { Synthesizer } from '../speech/speech';
import type { HeardAgent } from './heard-agent';
import type { PlayedCall, StageParts } from './stage';

/** The noise that the person makes is as loud as speech. In dB below the loudest sound. */
const NOISE_LEVEL = -22;

export interface SpokenCallParts {
  clock: Clock;
  heard: HeardAgent;
  /** The voice of the person. */
  synthesizer: Synthesizer;
  signal: AbortSignal;
}

/** A call on the line of this machine, in real time. Its person says aloud what the rehearsal says. */
export class SpokenCall implements PlayedCall, LinePerson {
  isOver = false;
  private current?: Conversation;
  private stream?: MediaStream;
  private endCall: () => void = () => undefined;
  /** The words that were made ready last. */
  private ready?: { words: string; audio: Promise<Int16Array[]> };

  constructor(private readonly parts: SpokenCallParts) {}

  get conversation(): Conversation {
    if (!this.current) throw new Error('The call has not begun.');
    return this.current;
  }

  get now(): number {
    return this.parts.clock.now();
  }

  /** The line rings at the person. */
  pickUp(hangUp: () => void): this {
    this.endCall = hangUp;
    return this;
  }

  /** The agent gets its side of the call. */
  begin(session: Session, { plan, brain, report, heard }: StageParts, speech: Speech): this {
    const conversation = new Conversation({
      ...{ plan, brain, report, clock: this.parts.clock },
      ...{ recognizer: speech.recognizer, synthesizer: speech.synthesizer },
      line: {
        sampleRate: session.sampleRate,
        frame: (samples) => session.frame(samples),
        mark: (name) => session.mark(name),
        clear: () => session.clear(),
        state: heard.state,
        transcript: () => undefined,
        metrics: () => undefined,
        ...(session.press && { press: (digits: string) => session.press?.(digits) ?? Promise.resolve() }),
      },
    });
    this.current = conversation;
    session.listen(toListener(conversation));
    void conversation.ended.then(({ reason }) => {
      this.isOver = true;
      session.end(reason);
    });
    return this;
  }

  answer(stream: MediaStream): void {
    this.stream = stream;
  }

  moveTo(stream: MediaStream): void {
    this.stream = stream;
  }

  hear(samples: Int16Array): void {
    const { heard } = this.parts;
    if (isAudible(samples)) heard.frame();
    else heard.quiet();
  }

  cleared(): void {
    this.parts.heard.clear();
  }

  close(): void {
    this.stream = undefined;
  }

  async pass(ms: number, until: () => boolean = () => false): Promise<void> {
    const { clock, signal } = this.parts;
    const end = this.now + ms;
    while (!this.isOver && this.now < end && !until())
      await pause(clock, Math.min(FRAME_MS, end - this.now), signal);
  }

  async prepare(words: string): Promise<number> {
    const audio = await this.speak(words);
    return (audio.reduce((sum, { length }) => sum + length, 0) * 1_000) / LINE_RATE;
  }

  async says(words: string): Promise<void> {
    const audio = await this.speak(words);
    this.ready = undefined;
    await this.sound(...audio);
  }

  noise(ms: number): Promise<void> {
    return this.sound(Ambience.of('cafe', NOISE_LEVEL, LINE_RATE).next((ms * LINE_RATE) / 1_000));
  }

  beep(): Promise<void> {
    return this.sound(createBeep());
  }

  press(key: string): void {
    this.stream?.press(key);
  }

  hangUp(): void {
    this.endCall();
  }

  settle(): Promise<void> {
    return this.conversation.settled();
  }

  private speak(words: string): Promise<Int16Array[]> {
    if (this.ready?.words !== words) {
      const { synthesizer, signal } = this.parts;
      this.ready = { words, audio: collect(speakAtPhone(synthesizer, words, signal)) };
    }
    return this.ready.audio;
  }

  private async sound(...parts: Int16Array[]): Promise<void> {
    for (const samples of parts) this.stream?.say(samples);
    await this.pass(Infinity, () => !this.stream?.isSaying);
  }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
