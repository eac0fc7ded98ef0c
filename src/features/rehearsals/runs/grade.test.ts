import type { RehearsalFacts } from '../../../platform/messaging/wire';
import type { Check } from '../rehearsal-definition';
import { grade, gradeJudgement } from './grade';

const asked = (name: string, given: Record<string, unknown>, others: object = {}) => ({
  ...{ speaker: 'tool' as const, text: name, at_ms: 0 },
  tool: { name, arguments: given, result: null, closed: false, ...others },
});

const FACTS: RehearsalFacts = {
  turns: [
    { speaker: 'agent', text: 'Good day, how many are you?', at_ms: 0 },
    asked('pay', { sum: 12 }, { asked: false }),
    asked('book', { people: 2, at: '19:00', names: ['Ada', 'Ben'] }),
    asked('pay', { sum: 12 }),
    asked('opt_out', {}),
    { speaker: 'agent', text: 'I will not call again.', at_ms: 9_000 },
  ],
  end: { reason: 'agent_hangup', by: 'agent' },
  variables: { city: 'Bonn' },
  outcome: 'booked',
  opt_out: true,
  figures: { turns: 2, turn_gap_ms_p95: 900, interrupted_ms: 200, seconds: 61, tokens: 300 },
};

const passes = async (check: Check, changes: Partial<RehearsalFacts> = {}) =>
  (await grade([check], { ...FACTS, ...changes })).every(({ passed }) => passed);

describe('A check of a rehearsal', () => {
  test.each<[Check, Check]>([
    [{ tool: { name: 'book' } }, { tool: { name: 'book', times: 2 } }],
    [
      { tool: { name: 'book', arguments: { people: 2 } } },
      { tool: { name: 'book', arguments: { people: 3 } } },
    ],
    [
      { tool: { name: 'book', arguments: { at: { matches: '^\\d+:00$' } } } },
      { tool: { name: 'book', arguments: { at: { matches: '^\\d+:30$' } } } },
    ],
    [
      { tool: { name: 'book', arguments: { names: ['Ada', { matches: 'ben' }] } } },
      { tool: { name: 'book', arguments: { names: ['Ada'] } } },
    ],
    [{ tool: { name: 'other', times: 0 } }, { tool: { name: 'other' } }],
    [{ tool: { name: 'book', before: 'pay' } }, { tool: { name: 'pay', before: 'book' } }],
    [{ said: 'how MANY' }, { said: 'how few' }],
    [{ never_said: 'how few' }, { never_said: '^good' }],
    [{ variable: { name: 'city', equals: 'Bonn' } }, { variable: { name: 'city', equals: 'bonn' } }],
    [{ variable: { name: 'city', matches: '^bo' } }, { variable: { name: 'other', matches: '' } }],
    [{ outcome: ['moved', 'booked'] }, { outcome: ['moved'] }],
    [{ ended: { by: 'agent' } }, { ended: { by: 'agent', reason: 'inactivity' } }],
    [{ turns: 2 }, { turns: 1 }],
    [{ turn_gap_ms: 900 }, { turn_gap_ms: 899 }],
    [{ interrupted_ms: 200 }, { interrupted_ms: 199 }],
    [{ opt_out: true }, { opt_out: false }],
    [{ cost: { credits: 2, tokens: 300 } }, { cost: { credits: 1.5 } }],
    [{ cost: { tokens: 300 } }, { cost: { tokens: 299 } }],
  ])('such as %j passes, and %j fails', async (passing, failing) => {
    expect([await passes(passing), await passes(failing)]).toEqual([true, false]);
  });

  test('about an interruption fails if there was none, and about an opt-out if the agent goes on', async () => {
    const { figures, turns } = FACTS;
    expect(await passes({ interrupted_ms: 900 }, { figures: { ...figures, interrupted_ms: null } })).toBe(
      false,
    );
    const more = { speaker: 'agent' as const, text: 'But wait.', at_ms: 9_500 };
    expect(await passes({ opt_out: true }, { turns: [...turns, more] })).toBe(false);
    expect(await passes({ opt_out: true }, { end: { reason: 'user_hangup', by: 'user' } })).toBe(false);
  });

  test('fails beside the others if a tool was closed, or the rehearsal reached its limit', async () => {
    const turns = [asked('book', {}, { closed: true })];
    expect(await grade([{ turns: 9 }], { ...FACTS, turns, end: { reason: 'limit', by: 'system' } })).toEqual([
      { check: 'turns', passed: true, seen: '2 turns.', turn: null },
      { check: 'tool_closed', passed: false, seen: 'No mock fitted: book.', turn: 0 },
      { check: 'limit', passed: false, seen: 'It took longer than a rehearsal may.', turn: null },
    ]);
  });

  test.each<[Check, number | null]>([
    [{ said: 'call again' }, 5],
    [{ said: 'nothing' }, null],
    [{ never_said: '^good' }, 0],
    [{ tool: { name: 'book' } }, 2],
    [{ tool: { name: 'pay', arguments: { sum: 1 } } }, 3],
    [{ tool: { name: 'pay', before: 'book' } }, 3],
    [{ tool: { name: 'other' } }, null],
    [{ opt_out: true }, 4],
    [{ ended: { by: 'user' } }, null],
  ])('such as %j names the turn at which it was seen, %j', async (check, turn) => {
    expect(await grade([check], FACTS)).toMatchObject([{ turn }]);
  });

  test('fails if its search would take too long, and no later one is searched for', async () => {
    const turns = [{ speaker: 'agent' as const, text: 'a'.repeat(60_000), at_ms: 0 }];
    const checks = Array.from({ length: 10 }, (_, index) => ({ said: `a{99}b{${80 + index}}c{100}` }));

    const graded = await grade(checks, { ...FACTS, turns });

    expect(graded.map(({ seen }) => seen)).toEqual([
      ...Array.from({ length: 2 }, () => 'No turn fits.'),
      ...Array.from({ length: 8 }, () => 'The search in what was said took too long.'),
    ]);
  });
});

describe('A judgement', () => {
  const judge = (...passes: boolean[]) =>
    gradeJudgement(
      ['one', 'two'],
      passes.map((pass) => ({ pass, reason: `It is ${pass}.` })),
    );
  const [yes, no] = [true, false].map((passed) => ({
    ...{ check: 'judge', passed, seen: `It is ${passed}.`, turn: null },
  }));

  test('has a check for each criterion, up to one that is not met', () => {
    expect(judge(true, true)).toEqual([yes, yes]);
    expect(judge(false)).toEqual([no]);
    expect(judge(true, false, true)).toEqual([yes, no]);
    expect(judge(false, true)).toEqual([no]);
  });

  test('is none if an answer is missing', () => {
    expect(judge()).toBeUndefined();
    expect(judge(true)).toBeUndefined();
  });

  test('is no part of what is graded before', async () => {
    expect(await grade([{ judge: 'It was polite.' }, { turns: 9 }], FACTS)).toEqual([
      { check: 'turns', passed: true, seen: '2 turns.', turn: null },
    ]);
  });
});
