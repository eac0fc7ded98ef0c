import type { Clock } from '../../clock';
import type { RemoteVoice } from '../../conversation/conversation';
import { type PhoneControls, PhoneSession } from '../phone/phone-session';
import { readRelayFrame } from './relay-frames';

/** If the carrier does not say what it played, a letter counts as played after this time. */
const LETTER_MS = 75;
const SPARE_MS = 2_000;

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
    const until = this.waiting.reduce((sum, sentence) => sum + sentence.text.length, text.length) * LETTER_MS;
    const sentence: Sentence = {
      text,
      played,
      cancel: this.clock.after(until + SPARE_MS, () => this.finish(sentence)),
    };
    this.waiting.push(sentence);
    this.interruptedAfter = undefined;
    this.sendFrame({ type: 'text', token: `${text} `, last: true });
  }

  drop(): string | undefined {
    for (const { cancel } of this.waiting.splice(0)) cancel();
    this.letters = 0;
    const heard = this.interruptedAfter;
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
  protected opened(): void {}

  protected received(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? undefined : readRelayFrame(data.toString());
    switch (frame?.type) {
      case 'prompt':
        return this.hear(frame.text, frame.isLast);
      case 'interrupt':
        this.interruptedAfter = frame.heard;
        return;
      case 'played':
        return this.playedMore(frame.text);
      case 'dtmf':
        return this.dtmf(frame.digit);
      case 'error':
        return this.problem(`The carrier refused a message: ${frame.description.slice(0, 200)}`);
      case undefined:
        return;
    }
  }

  private hear(text: string, isLast: boolean): void {
    this.prompt = `${this.prompt} ${text}`.trim();
    if (!isLast || this.prompt === '') return;
    const whole = this.prompt;
    this.prompt = '';
    this.listener?.text(whole);
  }

  private playedMore(text: string): void {
    this.letters += text.replace(/\s/g, '').length;
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      const length = first.text.replace(/\s/g, '').length;
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
    this.sendFrame({ type: 'sendDigits', digits });
    return Promise.resolve();
  }

  private sendFrame(frame: object): void {
    this.send(JSON.stringify(frame));
  }
}
