import type { Plan } from '../agent/plan';
import { frameLength } from '../audio/media-format';
import { FRAME_MS } from '../audio/voice-activity';
import type { Brain } from '../brain/brain';
import { Conversation } from '../conversation/conversation';
import type { Line, RemoteVoice, Report } from '../conversation/contract';
import type { Synthesizer } from '../speech/speech';
import type { VirtualClock } from './virtual-clock';
import type { PlayedCall } from './stage';
import { LETTER_MS, RATE, VirtualSpeech } from './virtual-speech';

/** The words that were recognised so far are reported after as many frames. */
const INTERIM_FRAMES = 1_000 / FRAME_MS;
/** The silence that is sent after a sound: the pause after a greeting is known by then. More of it changes nothing. */
const QUIET_FRAMES = 1_000 / FRAME_MS;
const FRAME = frameLength(RATE);
const SILENCE = new Int16Array(FRAME);
/** No tone, and no noise of a line. */
const VOICE = Int16Array.from({ length: FRAME }, (_, index) => 6_000 * Math.sin(index * index));
const BEEP = 8_000;
const BEEP_HZ = 1_000;
const BEEP_MS = 500;

export interface VirtualCallParts {
  plan: Plan;
  brain: Brain;
  clock: VirtualClock;
  report: Report;
  /** Gets what the agent sends. */
  line?: Partial<Pick<Line, 'frame' | 'clear' | 'state' | 'press'>>;
  /** The line speaks, and sends no audio. */
  remoteVoice?: RemoteVoice;
  /** Changes the voice. */
  voice?: (synthesizer: Synthesizer) => Synthesizer;
  /** Gives the words of an utterance later, or others. */
  recognizes?: (text: string) => Promise<string>;
}

/** The conversation of an agent in virtual time, with a line, a recognition and a voice that take the time of the words. */
export class VirtualCall implements PlayedCall {
  readonly conversation: Conversation;
  /** Whether the conversation has ended. */
  isOver = false;
  private readonly clock: VirtualClock;
  /** The silence that is to be sent, and the time of its next frame. */
  private quiet = { frames: 0, at: 0 };
  private readonly speech: VirtualSpeech;

  constructor({ plan, brain, clock, report, line, ...parts }: VirtualCallParts) {
    const { remoteVoice, voice = (own) => own, recognizes } = parts;
    this.clock = clock;
    this.speech = new VirtualSpeech(recognizes);
    this.conversation = new Conversation({
      plan,
      brain,
      clock,
      report,
      recognizer: this.speech.recognizer,
      synthesizer: voice(this.speech.synthesizer),
      line: {
        sampleRate: remoteVoice ? undefined : RATE,
        remoteVoice,
        frame: () => undefined,
        mark: () => undefined,
        clear: () => undefined,
        transcript: () => undefined,
        state: () => undefined,
        metrics: () => undefined,
        ...line,
      },
    });
    void this.conversation.ended.then(() => (this.isOver = true));
  }

  get now(): number {
    return this.clock.now();
  }

  /** Lets this time pass, from one event to the next, until the conversation has ended. @param until ends it earlier */
  async pass(ms: number, until: () => boolean = () => false): Promise<void> {
    const { clock } = this;
    const end = clock.now() + ms;
    await clock.settled();
    while (!this.isOver && clock.now() < end && !until()) {
      const { quiet } = this;
      const frameAt = quiet.frames > 0 ? quiet.at : Infinity;
      const next = Math.min(end, frameAt, clock.nextAt);
      clock.advance(Math.max(0, next - clock.now()));
      await clock.settled();
      if (next < frameAt) continue;
      quiet.frames--;
      quiet.at += FRAME_MS;
      this.conversation.hear(SILENCE);
      await clock.settled();
    }
  }

  /** Lets the time pass in which the tools that are at work end, after the end of the conversation. */
  async settle(): Promise<void> {
    const { clock } = this;
    let isSettled = false;
    void this.conversation.settled().then(() => (isSettled = true));
    await clock.settled();
    while (!isSettled) {
      clock.advance(clock.nextAt - clock.now());
      await clock.settled();
    }
  }

  /** The person is silent. */
  silence(ms: number): Promise<void> {
    return this.sound(ms, () => SILENCE);
  }

  /** The client of the person sends nothing. */
  noAudio(ms: number): Promise<void> {
    return this.sound(ms, () => undefined);
  }

  prepare(words: string): Promise<number> {
    return Promise.resolve(words.length * LETTER_MS);
  }

  noise(ms: number): Promise<void> {
    return this.says('', ms);
  }

  beep(): Promise<void> {
    return this.tone(BEEP_HZ, BEEP_MS);
  }

  press(key: string): void {
    this.conversation.dtmf(key);
  }

  hangUp(): void {
    this.conversation.close({ reason: 'user_hangup', by: 'user' });
  }

  /** The person makes a sound that is recognised as these words: '' for noise. */
  async says(words: string, ms = words.length * LETTER_MS): Promise<void> {
    const report = this.speech.hear(words);
    let frames = 0;
    await this.sound(ms, () => {
      if (++frames % INTERIM_FRAMES === 0) report((frames * FRAME_MS) / ms);
      return VOICE;
    });
  }

  tone(frequency: number, ms: number): Promise<void> {
    let sample = 0;
    return this.sound(ms, () =>
      Int16Array.from({ length: FRAME }, () => BEEP * Math.sin((2 * Math.PI * frequency * sample++) / RATE)),
    );
  }

  private async sound(ms: number, getFrame: () => Int16Array | undefined): Promise<void> {
    const { clock } = this;
    for (let elapsed = 0; elapsed < ms && !this.isOver; elapsed += FRAME_MS) {
      clock.advance(FRAME_MS);
      await clock.settled();
      const frame = getFrame();
      if (frame) this.conversation.hear(frame);
      await clock.settled();
    }
    this.quiet = { frames: QUIET_FRAMES, at: clock.now() + FRAME_MS };
  }
}
