import type { Chain } from '../providers/chain';
import { isSpaceless } from '../spaceless';
import type { SpokenAudio, Synthesizer, VoiceSettings } from './speech';

/** A voice, and the provider that speaks with it. */
export interface Voice {
  synthesizer: Synthesizer;
  settings: VoiceSettings;
}

/** The letters of a second of speech, of a voice that has said no sentence yet. */
const LETTERS_PER_SECOND = 14;

/** Speaks with the first of several voices that works. A sentence goes on at the word where its sound ended. */
export class FallbackSynthesizer implements Synthesizer {
  readonly provider: string;
  /** The letters of a second, by voice. */
  private readonly paces = new Map<Voice, number>();

  constructor(private readonly chain: Chain<Voice>) {
    this.provider = chain.providers[0] ?? 'local';
  }

  /** The settings are those of each voice. */
  async *speak(text: string, _: VoiceSettings, signal: AbortSignal): AsyncIterable<SpokenAudio> {
    let said = 0;
    const open = (voice: Voice, own: AbortSignal) => this.say(voice, text, toWord(text, said), own);
    for await (const { reached, ...audio } of this.chain.run(open, signal)) {
      said = Math.max(said, reached);
      yield audio;
    }
  }

  /** @param from where the words begin in the text */
  private async *say(
    voice: Voice,
    text: string,
    from: number,
    signal: AbortSignal,
  ): AsyncIterable<SpokenAudio & { reached: number }> {
    const { synthesizer, settings } = voice;
    const rest = text.slice(from);
    // The sound of a sentence may have been complete when it was cut off.
    if (!/[\p{L}\p{N}]/u.test(rest)) return;
    const pace = this.paces.get(voice) ?? LETTERS_PER_SECOND * settings.speed;
    let [seconds, charged] = [0, synthesizer.provider === 'local' && this.chain.follows ? 0 : rest.length];
    for await (const part of synthesizer.speak(rest, settings, signal)) {
      seconds += part.samples.length / part.sampleRate;
      const letters = part.letters ?? Math.floor(seconds * pace);
      yield { ...part, charged, reached: from + Math.min(letters, rest.length) };
      charged = 0;
    }
    if (seconds > 0) this.paces.set(voice, rest.length / seconds);
  }
}

/** The beginning of the word at this place. */
function toWord(text: string, at: number): number {
  if (at >= text.length) return text.length;
  let begin = at;
  while (begin > 0 && !/\s/.test(text[begin - 1] ?? '') && !isSpaceless(text[begin] ?? '')) begin--;
  return begin;
}
