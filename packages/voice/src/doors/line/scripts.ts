import type { Script } from './callee';

const PERSON: Script = {
  hello: 'Hello?',
  answers: [
    { to: /anything else|goodbye|good bye/i, say: 'No, thank you. Goodbye.' },
    { to: /name/i, say: 'My name is Anna Miller.' },
    { to: /(party|people|how many|size)/i, say: 'Four people.' },
    { to: /(date|day|when|time)/i, say: 'On Friday evening.' },
  ],
  otherwise: ['I would like to book a table, please.', 'Yes, please.', 'Goodbye.'],
};

const LONG_TALK =
  'I was there last summer with my brother and his two children, and we had a very good evening by the river, ' +
  'so I thought that we could come again this year, and I would like to know which days are still free.';

/** The scripts of numbers, by their last two digits. */
const BY_ENDING = new Map<string, Script | 'busy' | 'no-answer' | 'failed'>([
  ['01', 'busy'],
  ['02', 'no-answer'],
  [
    '03',
    {
      hello: 'You have reached the Miller family. Please leave a message after the tone.',
      beeps: true,
      voice: 'awb',
    },
  ],
  ['04', { ...PERSON, interrupts: { afterMs: 2_000, say: 'Excuse me, I only want to book a table.' } }],
  ['05', {}],
  ['06', { ...PERSON, noise: -36 }],
  ['07', { ...PERSON, otherwise: [LONG_TALK, 'Yes, please.', 'Goodbye.'] }],
  ['08', { ...PERSON, hangsUpAfterMs: 5_000 }],
  ['09', 'failed'],
]);

export const findScript = (number: string) => BY_ENDING.get(number.slice(-2)) ?? PERSON;
