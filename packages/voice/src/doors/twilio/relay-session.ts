import { shorten } from '@parley/worker';
import type { Clock } from '../../clock';
import type { RemoteVoice } from '../../conversation/contract';
import { type PhoneControls, PhoneSession } from '../phone/phone-session';
import { readRelayFrame } from './relay-frames';

/** If the carrier does not say what it played, a letter counts as played after this time. */
const LETTER_MS = 75;
const SPARE_MS = 2_000;
/** Error 64107 of Twilio, after which it goes on speaking and hearing. */
const REFUSED_MESSAGE = /invalid message|64107/i;

interface Sentence {
  text: string;
  played: () => void;
  cancel: () => void;
}

/** A phone call whose carrier hears and speaks: only text comes and goes. */
export class RelaySession extends PhoneSession implements RemoteVoice {
  readonly sampleRate = undefined;
  readonly remoteVoice: RemoteVoice = this;
  private waiting: Sentence[] = [];
  /** The letters that were played of the first sentence that waits. */
  private letters = 0;
  /** The letters that the carrier still has to play of sentences that were dropped. */
  private dropped = 0;
  private prompt = '';
  private interruptedAfter?: string;

  constructor(
    clock: Clock,
    controls: PhoneControls,
    private readonly problem: (sentence: string) => void,
  ) {
    super(clock, { ...controls, press: (digits) => this.sendDigits(digits) });
  }

  say(text: string, played: () => void): void {
    const sentence: Sentence = { text, played, cancel: () => undefined };
    this.waiting.push(sentence);
    this.interruptedAfter = undefined;
    if (!this.awaitsStream) this.speak(sentence);
  }

  drop(): string | undefined {
    const heard = this.interruptedAfter;
    // A carrier that was not interrupted plays all that it has.
    if (heard === undefined) this.dropped += Math.max(0, countLetters(this.waiting) - this.letters);
    for (const { cancel } of this.waiting.splice(0)) cancel();
    this.letters = 0;
    this.interruptedAfter = undefined;
    return heard;
  }

  override end(): void {
    this.drop();
    this.sendFrame({ type: 'end' });
    super.end();
  }

  frame(): void {}
  mark(): void {}
  clear(): void {}

  /** The carrier forgets what it was sent over a connection that was cut. */
  protected opened(): void {
    [this.letters, this.dropped] = [0, 0];
    for (const sentence of this.waiting) this.speak(sentence);
  }

  protected override missed(): void {
    for (const { cancel } of this.waiting) cancel();
    super.missed();
  }

  protected received(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? undefined : readRelayFrame(data.toString());
    switch (frame?.type) {
      case 'prompt':
        return this.hear(frame.text, frame.isLast);
      case 'interrupt':
        this.interruptedAfter = frame.heard;
        this.dropped = 0;
        return this.listener?.interrupted();
      case 'played':
        return this.playedMore(frame.text);
      case 'dtmf':
        return this.dtmf(frame.digit);
      case 'error':
        return this.failed(shorten(frame.description, 200));
      case undefined:
        return;
    }
  }

  /** Twilio goes on after a message that it refuses. If its speech has died, the next connection is tried. */
  private failed(description: string): void {
    this.problem(`ConversationRelay reports an error: ${description}`);
    if (REFUSED_MESSAGE.test(description)) return;
    if (this.hasNextStream) this.leaveStream();
    else this.cutOff(`Twilio: ConversationRelay reports an error: ${description}`);
  }

  private speak(sentence: Sentence): void {
    const until = this.waiting.indexOf(sentence) + 1;
    const before = this.waiting.slice(0, until).reduce((sum, { text }) => sum + text.length, this.dropped);
    sentence.cancel = this.clock.after(before * LETTER_MS + SPARE_MS, () => {
      this.dropped = 0;
      this.finish(sentence);
    });
    this.sendFrame({ type: 'text', token: `${sentence.text} `, last: true });
  }

  private hear(text: string, isLast: boolean): void {
    this.prompt = `${this.prompt} ${text}`.trim();
    if (!isLast || this.prompt === '') return;
    const whole = this.prompt;
    this.prompt = '';
    this.listener?.text(whole);
  }

  private playedMore(text: string): void {
    const letters = countLetters([{ text }]);
    const skipped = Math.min(letters, this.dropped);
    this.dropped -= skipped;
    this.letters += letters - skipped;
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      const length = countLetters([first]);
      if (this.letters < length) return;
      this.letters -= length;
      this.finish(first);
    }
  }

  private finish(sentence: Sentence): void {
    sentence.cancel();
    this.waiting = this.waiting.filter((other) => other !== sentence);
    sentence.played();
  }

  private sendDigits(digits: string): Promise<void> {
    if (this.awaitsStream) return Promise.reject(new Error('The connection of the carrier is lost'));
    this.sendFrame({ type: 'sendDigits', digits });
    return Promise.resolve();
  }

  private sendFrame(frame: object): void {
    this.send(JSON.stringify(frame));
  }
}

const countLetters = (sentences: readonly { text: string }[]) =>
  sentences.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0);
