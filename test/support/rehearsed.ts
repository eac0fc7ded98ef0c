import type { RehearsalFacts } from '../../src/platform/messaging/wire';

/** A rehearsal that passes with {@link FACTS}. */
export const DINNER = {
  name: 'table-for-two',
  person: {
    hello: 'Hi.',
    lines: [
      { on: 'how many', say: 'Two.' },
      { say: 'Goodbye.', after_ms: 900 },
    ],
  },
  situation: { variables: { city: 'Bonn' } },
  tools: [{ name: 'book_table', match: { people: 2 }, answer: { ok: true } }],
  checks: [{ tool: { name: 'book_table', arguments: { people: 2 } } }, { ended: { by: 'agent' } }],
};

export const FACTS: RehearsalFacts = {
  turns: [
    { speaker: 'agent', text: 'Hello. How many are you?', at_ms: 0 },
    { speaker: 'user', text: 'Two.', at_ms: 1_700 },
    {
      ...{ speaker: 'tool', text: 'book_table', at_ms: 2_500 },
      tool: {
        name: 'book_table',
        arguments: { people: 2, at: '19:00' },
        result: { ok: true },
        closed: false,
      },
    },
    { speaker: 'agent', text: 'Your table is booked. Goodbye.', at_ms: 2_600 },
  ],
  end: { reason: 'agent_hangup', by: 'agent' },
  variables: { people: '2' },
  outcome: 'completed',
  opt_out: false,
  figures: { turns: 2, turn_gap_ms_p95: 800, interrupted_ms: null, seconds: 5.2, tokens: 120 },
};
