import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VoiceRuntimeParts } from '@parley/voice';
import { encodeMulaw } from '../../src/audio/mulaw';
import { FRAME_BYTES } from '../stand-ins/phone/handset';

/** A letter of the agent takes this many samples at 8,000 Hz: 10 ms. */
const LETTER = 80;

let longest = new Int16Array(0);

/** Tones are the beginnings of one that is made once. */
function tone(length: number): Int16Array {
  if (longest.length < length) longest = Int16Array.from({ length }, (_, at) => 9_000 * Math.sin(at / 3));
  return longest.slice(0, length);
}

/** The bytes that a telephone plays of a text, in whole frames. */
export function toPlayed(text: string): Buffer {
  const samples = new Int16Array(Math.ceil((text.length * LETTER) / FRAME_BYTES) * FRAME_BYTES);
  samples.set(tone(text.length * LETTER));
  return Buffer.from(encodeMulaw(samples));
}

/** Speech that takes no time: whatever is heard is the same sentence, and whatever is said is a tone. */
export function instantSpeech(heard = 'A table for two'): VoiceRuntimeParts['speech'] & { spoken: string[] } {
  const spoken: string[] = [];
  return {
    spoken,
    warm: () => Promise.resolve(),
    recognizer: {
      provider: 'local',
      open: () => ({
        ...{ seconds: 0, write: () => undefined, next: () => undefined, close: () => undefined },
        text: () => Promise.resolve(heard),
      }),
    },
    synthesizer: {
      provider: 'local',
      async *speak(text) {
        spoken.push(text);
        // A long text must not keep the process busy.
        await nextTurn();
        yield { samples: tone(text.length * LETTER), sampleRate: 8_000 };
      },
    },
  };
}
