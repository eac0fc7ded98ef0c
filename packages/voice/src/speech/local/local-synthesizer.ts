import type { Audio } from '../../audio/audio';
import type { Synthesizer, VoiceSettings } from '../speech';
import type { SpeechThreads } from './speech-threads';

/** Speaks English in threads of this process. */
export class LocalSynthesizer implements Synthesizer {
  readonly provider = 'local';

  constructor(private readonly threads: SpeechThreads<'synthesize'>) {}

  async *speak(text: string, settings: VoiceSettings, signal: AbortSignal): AsyncIterable<Audio> {
    yield await this.threads.run({ text, settings }, signal);
  }
}
