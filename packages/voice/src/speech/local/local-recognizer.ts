import {
  type Recognition,
  RECOGNITION_RATE,
  type RecognitionListener,
  type Recognizer,
  SpeechError,
} from '../speech';
import type { SpeechThreads } from './speech-threads';

/** The time of a recognition grows with the length of the audio, so a long utterance is recognised in parts. */
const MAX_PART_SECONDS = 12;
const MIN_PART_SECONDS = 8;
const WINDOW = RECOGNITION_RATE / 50;
/** The length of new audio that an interim text needs. */
const INTERIM_SECONDS = 0.6;

/** Recognises English in threads of this process. Nothing leaves the machine. */
export class LocalRecognizer implements Recognizer {
  readonly provider = 'local';

  constructor(private readonly threads: SpeechThreads<'recognize'>) {}

  open(listener: RecognitionListener): Recognition {
    return new LocalRecognition(this.threads, listener);
  }
}

class LocalRecognition implements Recognition {
  seconds = 0;
  private samples = new Int16Array(0);
  private length = 0;
  /** The text of the parts of this utterance that are over. */
  private earlier: Promise<string>[] = [];
  private utterance = new AbortController();
  private interimAt = 0;
  private interimRuns = false;

  constructor(
    private readonly threads: SpeechThreads<'recognize'>,
    private readonly listener: RecognitionListener,
  ) {}

  write(samples: Int16Array): void {
    if (this.length + samples.length > this.samples.length) {
      const larger = new Int16Array(
        Math.max(RECOGNITION_RATE, this.samples.length * 2, this.length + samples.length),
      );
      larger.set(this.samples.subarray(0, this.length));
      this.samples = larger;
    }
    this.samples.set(samples, this.length);
    this.length += samples.length;
    if (this.length > MAX_PART_SECONDS * RECOGNITION_RATE) this.endPart();
    void this.interim();
  }

  async text(signal: AbortSignal): Promise<string> {
    const both = AbortSignal.any([signal, this.utterance.signal]);
    this.seconds += this.length / RECOGNITION_RATE;
    return joined(await Promise.all([...this.earlier, this.recognize(this.current(), both)]));
  }

  next(): void {
    this.utterance.abort(new SpeechError('The utterance is over'));
    this.utterance = new AbortController();
    this.length = 0;
    this.interimAt = 0;
    this.earlier = [];
    this.samples = new Int16Array(0);
  }

  close(): void {
    this.next();
  }

  private current(): Int16Array {
    return this.samples.slice(0, this.length);
  }

  private async recognize(samples: Int16Array, signal: AbortSignal): Promise<string> {
    if (loudest(samples) < 64) return '';
    const text = await this.threads.run({ samples }, signal);
    return isRepeated(text) ? '' : text;
  }

  /** Cuts where it is most quiet, so that no word is cut. */
  private endPart(): void {
    const cut = quietest(this.samples.subarray(0, this.length), MIN_PART_SECONDS * RECOGNITION_RATE);
    const part = this.recognize(this.samples.slice(0, cut), this.utterance.signal);
    part.catch(() => undefined);
    this.seconds += cut / RECOGNITION_RATE;
    this.earlier.push(part);
    this.samples.copyWithin(0, cut, this.length);
    this.length -= cut;
    this.interimAt = 0;
  }

  /** Only while a thread is idle, so that interim texts delay nobody. */
  private async interim(): Promise<void> {
    if (this.interimRuns || this.length - this.interimAt < INTERIM_SECONDS * RECOGNITION_RATE) return;
    if (!this.threads.isIdle) return;
    this.interimRuns = true;
    this.interimAt = this.length;
    const { signal } = this.utterance;
    const parts = Promise.all([...this.earlier, this.recognize(this.current(), signal)]);
    // The final recognition of the same audio reports what is wrong.
    const text = await parts.then(joined, () => '');
    this.interimRuns = false;
    if (!signal.aborted && text !== '') this.listener.interim(text);
  }
}

const joined = (parts: string[]) => parts.filter((part) => part !== '').join(' ');

const loudest = (samples: Int16Array) =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

function quietest(samples: Int16Array, from: number): number {
  let best = from;
  let least = Infinity;
  for (let start = from; start + WINDOW <= samples.length; start += WINDOW) {
    let energy = 0;
    for (let index = start; index < start + WINDOW; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) [least, best] = [energy, start];
  }
  return best;
}

/** On noise and music, the model repeats a word or a syllable. */
export function isRepeated(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.length >= 6 && new Set(words).size <= words.length / 4;
}
