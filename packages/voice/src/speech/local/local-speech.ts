import { LocalRecognizer } from './local-recognizer';
import { LocalSynthesizer } from './local-synthesizer';
import { SpeechThreads } from './speech-threads';

/** Recognition and synthesis of this machine. Their threads start with the first call. */
export class LocalSpeech {
  private readonly recognizing: SpeechThreads<'recognize'>;
  private readonly synthesizing: SpeechThreads<'synthesize'>;
  readonly recognizer: LocalRecognizer;
  readonly synthesizer: LocalSynthesizer;

  constructor({ threads = 1, queued = 64 } = {}) {
    this.recognizing = new SpeechThreads('recognize', { threads, queued });
    this.synthesizing = new SpeechThreads('synthesize', { threads, queued });
    this.recognizer = new LocalRecognizer(this.recognizing);
    this.synthesizer = new LocalSynthesizer(this.synthesizing);
  }

  /** Resolves when a call can be heard and answered. */
  async warm(): Promise<void> {
    await Promise.all([this.recognizing.warm(), this.synthesizing.warm()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.recognizing.close(), this.synthesizing.close()]);
  }
}
