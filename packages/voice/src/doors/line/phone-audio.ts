import { resample } from '../../audio/resampler';
import { measureLevel } from '../../audio/voice-activity';
import type { Synthesizer } from '../../speech/speech';

/** The rate of the audio on the line. */
export const LINE_RATE = 8_000;
/** Below it, the line is silent. */
const SILENCE = 300;
const BEEP_HZ = 1_000;

/** Whether a person at the phone hears something. */
export const isAudible = (frame: Int16Array): boolean => measureLevel(frame) > SILENCE;

/** The words of a simulated person, in parts as they are ready, at {@link LINE_RATE}. */
export async function* speakAtPhone(
  synthesizer: Synthesizer,
  text: string,
  signal: AbortSignal,
  voice = 'rms',
): AsyncIterable<Int16Array> {
  const settings = { voice, speed: 1, pitch: 1 };
  for await (const { samples, sampleRate } of synthesizer.speak(text, settings, signal))
    yield trimmed(resample(samples, sampleRate, LINE_RATE));
}

/** Without the silence at the end, so that the end of the audio is the end of the speech. */
function trimmed(samples: Int16Array): Int16Array {
  return samples.subarray(0, samples.findLastIndex((sample) => Math.abs(sample) > SILENCE) + 1);
}

/** The tone of a voicemail, after half a second. */
export function createBeep(): Int16Array {
  const tone = Int16Array.from(
    { length: 0.4 * LINE_RATE },
    (_, index) => 8_000 * Math.sin((2 * Math.PI * BEEP_HZ * index) / LINE_RATE),
  );
  const all = new Int16Array(0.5 * LINE_RATE + tone.length);
  all.set(tone, 0.5 * LINE_RATE);
  return all;
}
