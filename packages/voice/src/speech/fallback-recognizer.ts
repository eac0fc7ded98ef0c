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

/** A provider that hears the call, and how much of the utterance it has got. */
interface Ear {
  recognition: Recognition;
  parts: number;
}

class FallbackRecognition implements Recognition {
  private readonly ears = new Map<Recognizer, Ear>();
  /** Gets the audio as it comes, and reports the words so far. */
  private current: Recognizer;
  private utterance: Int16Array[] = [];
  private length = 0;
  private asking?: AbortController;

  constructor(
    private readonly chain: Chain<Recognizer>,
    private readonly listener: RecognitionListener,
  ) {
    this.current = chain.first;
    this.listen(this.current);
  }

  get seconds(): number {
    return [...this.ears.values()].reduce((sum, { recognition }) => sum + recognition.seconds, 0);
  }

  write(samples: Int16Array): void {
    if (this.length >= MAX_SAMPLES) return;
    this.utterance.push(samples);
    this.length += samples.length;
    this.listen(this.current);
  }

  async text(signal: AbortSignal): Promise<string> {
    this.stopAsking();
    const asking = (this.asking = new AbortController());
    const ask = async (recognizer: Recognizer, own: AbortSignal) => {
      const text = await this.listen(recognizer).text(own);
      this.current = recognizer;
      return text;
    };
    return this.chain.once(ask, AbortSignal.any([signal, asking.signal]));
  }

  next(): void {
    this.stopAsking();
    for (const ear of this.ears.values()) {
      ear.recognition.next();
      ear.parts = 0;
    }
    this.utterance = [];
    this.length = 0;
    this.current = this.chain.first;
  }

  close(): void {
    this.stopAsking();
    for (const { recognition } of this.ears.values()) recognition.close();
  }

  /** A request that is replaced is no failure of its provider. */
  private stopAsking(): void {
    this.asking?.abort(new EndedError());
  }

  /** The recognition of a provider, with all audio of the utterance. */
  private listen(recognizer: Recognizer): Recognition {
    let ear = this.ears.get(recognizer);
    if (!ear) {
      const interim = (text: string) => recognizer === this.current && this.listener.interim(text);
      ear = { recognition: recognizer.open({ interim }), parts: 0 };
      this.ears.set(recognizer, ear);
    }
    for (; ear.parts < this.utterance.length; ear.parts++)
      ear.recognition.write(this.utterance[ear.parts] as Int16Array);
    return ear.recognition;
  }
}
