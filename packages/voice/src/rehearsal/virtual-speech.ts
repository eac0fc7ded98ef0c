import { heardPart } from '../conversation/speaking';
import { RECOGNITION_RATE, type Recognizer, type Synthesizer } from '../speech/speech';

/** A character takes this long to say. */
export const LETTER_MS = 50;
/** The rate of the line, which has not to be changed for the recognition. */
export const RATE = RECOGNITION_RATE;

const LOUD = 8_000;

/** Recognition and a voice that take the time of the words, and no computing. */
export class VirtualSpeech {
  /** The words of the utterance. */
  private said = '';
  private report: (text: string) => void = () => undefined;

  readonly recognizer: Recognizer = {
    provider: 'virtual',
    open: (listener) => {
      this.report = (text) => listener.interim(text);
      return {
        seconds: 0,
        write: () => undefined,
        text: () => this.recognizes(this.said),
        next: () => void (this.said = ''),
        close: () => undefined,
      };
    },
  };

  readonly synthesizer: Synthesizer = {
    provider: 'virtual',
    async *speak(text, { speed }) {
      const length = Math.ceil((text.length * LETTER_MS * RATE) / 1_000 / speed);
      yield await Promise.resolve({ samples: new Int16Array(length).fill(LOUD), sampleRate: RATE });
    },
  };

  /** @param recognizes gives the words of an utterance, which are those that were said */
  constructor(private readonly recognizes = (text: string) => Promise.resolve(text)) {}

  /** The person begins to say these words. @returns a function that reports the beginning of them, up to this share */
  hear(words: string): (share: number) => void {
    const before = this.said;
    const join = (more: string) => `${before} ${more}`.trim();
    this.said = join(words);
    return (share) => {
      const part = heardPart(words, share);
      if (part !== '') this.report(join(part));
    };
  }
}
