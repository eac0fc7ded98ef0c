import type { Script } from '@parley/voice';

export type Kind =
  'talk' | 'noise' | 'long talk' | 'interruption' | 'silence' | 'voicemail' | 'busy' | 'no answer';

export interface Scenario {
  kind: Kind;
  script: Script | 'busy' | 'no-answer';
}

const LONG_TALK =
  'I was there last summer with my brother and his two children, and we had a very good evening by the river, ' +
  'so I would like to know which days are still free.';
export const LINES = ['I would like to book a table for two.', 'Tomorrow evening, please.', 'By the window.'];
const VOICES = ['rms', 'slt', 'awb'];

/** The shares of a hundred conversations. */
const SHARES: [Kind, number][] = [
  ['talk', 35],
  ['noise', 15],
  ['long talk', 10],
  ['interruption', 20],
  ['silence', 4],
  ['voicemail', 6],
  ['busy', 5],
  ['no answer', 5],
];

function writeScript(kind: Kind, voice: string): Scenario['script'] {
  switch (kind) {
    case 'talk':
      return { voice, otherwise: LINES };
    case 'noise':
      return { voice, otherwise: LINES, noise: -38 };
    case 'long talk':
      return { voice, otherwise: [LONG_TALK] };
    case 'interruption':
      return {
        voice,
        interrupts: { afterMs: 1_500, say: 'Excuse me, I want a table for two.' },
        otherwise: [],
      };
    case 'silence':
      return { hangsUpAfterMs: 8_000 };
    case 'voicemail':
      return { voice, hello: 'We are not at home. Please leave a message after the tone.', beeps: true };
    case 'busy':
      return 'busy';
    case 'no answer':
      return 'no-answer';
  }
}

/** Makes `count` conversations of mixed kinds, the same each time. */
export function scenarios(count: number): Scenario[] {
  const kinds = SHARES.flatMap(([kind, share]) => Array<Kind>(share).fill(kind));
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[(index * STRIDE) % kinds.length] ?? 'talk';
    return { kind, script: writeScript(kind, VOICES[index % VOICES.length] ?? 'rms') };
  });
}

/** Has no divisor in common with a hundred, so that each conversation is held once. */
const STRIDE = 37;
