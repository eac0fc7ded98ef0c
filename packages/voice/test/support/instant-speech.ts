import type { VoiceRuntimeParts } from '@parley/voice';

/** A letter of the agent takes so many samples at 8,000 Hz: 10 ms. */
const LETTER = 80;

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
        const samples = Int16Array.from(
          { length: text.length * LETTER },
          (_, at) => 9_000 * Math.sin(at / 3),
        );
        yield await Promise.resolve({ samples, sampleRate: 8_000 });
      },
    },
  };
}
