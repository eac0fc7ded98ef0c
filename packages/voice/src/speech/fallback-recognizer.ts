import type { Chain } from '../providers/chain';
import { EndedError } from '../providers/provider-health';
import { type Recognition, RECOGNITION_RATE, type RecognitionListener, type Recognizer } from './speech';

/** The longest utterance of a conversation is a minute. */
const MAX_SAMPLES = 70 * RECOGNITION_RATE;

/** Recognises with the first of several providers that works. The next one gets the audio of the utterance. */
export class FallbackRecognizer implements Recognizer {
  readonly provider: string;

  constructor(private readonly chain: Chain<Recognizer>) {
    this.provider = chain.providers[0] ?? 'local';
  }

  open(listener: RecognitionListener): Recognition {
    return new FallbackRecognition(this.chain, listener);
  }
}

/** The recognition of one provider, and the parts of the utterance that it has got. */
interface Opened {
  recognition: Recognition;
  parts: number;
}

class FallbackRecognition implements Recognition {
  private readonly opened = new Map<Recognizer, Opened>();
  /** Gets the audio as it comes, and reports the words so far. undefined: it has failed in this utterance. */
  private current: Recognizer | undefined;
  private utterance: Int16Array[] = [];
  private length = 0;
  private asking?: AbortController;
  /** The seconds of the recognitions that were closed. */
  private closedSeconds = 0;

  constructor(
    private readonly chain: Chain<Recognizer>,
    private readonly listener: RecognitionListener,
  ) {
    this.current = chain.first;
    this.listen(this.current);
  }

  get seconds(): number {
    let sum = this.closedSeconds;
    for (const [recognizer, { recognition }] of this.opened)
      sum += this.countSeconds(recognizer, recognition);
    return sum;
  }

  write(samples: Int16Array): void {
    if (this.length >= MAX_SAMPLES) return;
    this.utterance.push(samples);
    this.length += samples.length;
    if (this.current) this.listen(this.current);
  }

  async text(signal: AbortSignal): Promise<string> {
    this.stopAsking();
    const asking = (this.asking = new AbortController());
    const needed = AbortSignal.any([signal, asking.signal]);
    return this.chain.once((recognizer, own) => this.ask(recognizer, own, needed), needed);
  }

  next(): void {
    this.stopAsking();
    for (const opened of this.opened.values()) {
      opened.recognition.next();
      opened.parts = 0;
    }
    this.utterance = [];
    this.length = 0;
    this.current = this.chain.first;
  }

  close(): void {
    this.stopAsking();
    for (const { recognition } of this.opened.values()) recognition.close();
  }

  /** @param needed is aborted if the text is not needed any more, which is no failure of the provider */
  private async ask(recognizer: Recognizer, own: AbortSignal, needed: AbortSignal): Promise<string> {
    let isOver = false;
    const lost = () => {
      if (isOver || needed.aborted) return;
      isOver = true;
      this.replace(recognizer);
    };
    own.addEventListener('abort', lost, { once: true });
    try {
      const text = await this.listen(recognizer).text(own);
      own.throwIfAborted();
      isOver = true;
      this.current = recognizer;
      return text;
    } catch (error) {
      lost();
      throw error;
    }
  }

  /** Ends a recognition that has failed or was too slow, so that the provider gets the next audio over another stream. */
  private replace(recognizer: Recognizer): void {
    const opened = this.opened.get(recognizer);
    // A provider that no other one follows replaces its streams by itself.
    if (!opened || !this.chain.follows) return;
    this.opened.delete(recognizer);
    opened.recognition.close();
    this.closedSeconds += this.countSeconds(recognizer, opened.recognition);
    if (this.current === recognizer) this.current = undefined;
  }

  /** The speech of this machine costs nothing, and recognises audio that was charged before. */
  private countSeconds({ provider }: Recognizer, { seconds }: Recognition): number {
    return provider === 'local' && this.chain.follows ? 0 : seconds;
  }

  /** A request that is replaced is no failure of its provider. */
  private stopAsking(): void {
    this.asking?.abort(new EndedError());
  }

  /** The recognition of a provider, with all audio of the utterance. */
  private listen(recognizer: Recognizer): Recognition {
    let opened = this.opened.get(recognizer);
    if (!opened) {
      const interim = (text: string) => recognizer === this.current && this.listener.interim(text);
      opened = { recognition: recognizer.open({ interim }), parts: 0 };
      this.opened.set(recognizer, opened);
    }
    for (; opened.parts < this.utterance.length; opened.parts++)
      opened.recognition.write(this.utterance[opened.parts] as Int16Array);
    return opened.recognition;
  }
}
