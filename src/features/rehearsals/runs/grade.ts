import type { Judgement, RehearsalFacts } from '../../../platform/messaging/wire';
import { CREDITS_PER_MINUTE } from '../../calls/model/pricing';
import { readMatches } from '../rehearsal-rules';
import type { Check } from '../rehearsal-definition';
import { PatternSearch } from './pattern-search';

/** The checks that every rehearsal has: no tool without a mock was asked, and it ended by itself. */
export const TOOL_CLOSED = 'tool_closed';
export const LIMIT = 'limit';
const JUDGE = 'judge';

export interface CheckResult {
  /** The kind of the check, such as `tool`. */
  check: string;
  passed: boolean;
  /** A sentence about what was seen. */
  seen: string;
  /** The place of the turn at which it was seen. null: no turn shows it. */
  turn: number | null;
}

type Facts = RehearsalFacts;
type Verdict = Pick<CheckResult, 'passed' | 'seen'> & { turn?: number };
type Turn = Facts['turns'][number];
type Grader<Expected> = (
  expected: Expected,
  facts: Facts,
  search: PatternSearch,
) => Verdict | undefined | Promise<Verdict | undefined>;
/** A model judges last, if everything else holds. */
type Graded = Exclude<keyof Check, 'judge'>;
type Graders = { [Kind in Graded]-?: Grader<NonNullable<Check[Kind]>> };

const TOO_LONG: Verdict = { passed: false, seen: 'The search in what was said took too long.' };

/** Compares what has happened in a call with the checks of its rehearsal, in their order, but those of a judge. */
export async function grade(checks: readonly Check[], facts: Facts): Promise<CheckResult[]> {
  const search = new PatternSearch();
  const results: CheckResult[] = [];
  for (const [kind, expected] of checks.flatMap((check) => Object.entries(check))) {
    if (kind === JUDGE) continue;
    const grader = GRADERS[kind as Graded] as Grader<unknown>;
    const { passed, seen, turn = null } = (await grader(expected, facts, search)) ?? TOO_LONG;
    results.push({ check: kind, passed, seen: shorten(seen), turn });
  }
  const closed = facts.turns.filter(({ tool }) => tool?.closed).map(({ text }) => text);
  const firstClosed = facts.turns.findIndex(({ tool }) => tool?.closed);
  return [
    ...results,
    ...(closed.length > 0
      ? [
          {
            check: TOOL_CLOSED,
            passed: false,
            seen: shorten(`No mock fitted: ${closed.join(', ')}.`),
            turn: firstClosed,
          },
        ]
      : []),
    ...(facts.end.reason === LIMIT
      ? [{ check: LIMIT, passed: false, seen: 'It took longer than a rehearsal may.', turn: null }]
      : []),
  ];
}

const GRADERS: Graders = {
  tool: gradeTool,
  said: async (pattern, facts, search) => {
    const said = await findSaid(pattern, facts, search);
    return said && { ...said, passed: said.turn !== undefined };
  },
  never_said: async (pattern, facts, search) => {
    const said = await findSaid(pattern, facts, search);
    return said && { ...said, passed: said.turn === undefined };
  },
  variable: async ({ name, equals, matches }, { variables }, search) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) return { passed: false, seen: `${name} has no value.` };
    const passed = matches === undefined ? value === equals : await search.fits(matches, value);
    return passed === undefined ? undefined : { passed, seen: `${name} is ${JSON.stringify(value)}.` };
  },
  outcome: (expected, { outcome }) => ({
    passed: expected.includes(outcome),
    seen: `The outcome is ${JSON.stringify(outcome)}.`,
  }),
  ended: ({ by, reason }, { end }) => ({
    passed: (by ?? end.by) === end.by && (reason ?? end.reason) === end.reason,
    seen: `The ${end.by} ended it: ${end.reason}.`,
  }),
  turns: (most, { figures }) => atMost(most, figures.turns, 'turns'),
  turn_gap_ms: (most, { figures }) => atMost(most, figures.turn_gap_ms_p95 ?? 0, 'ms'),
  interrupted_ms: (most, { figures }) =>
    figures.interrupted_ms === null
      ? { passed: false, seen: 'There was no interruption, or the agent went on.' }
      : atMost(most, figures.interrupted_ms, 'ms'),
  opt_out: (expected, facts) => {
    if (!expected)
      return { passed: !facts.opt_out, seen: facts.opt_out ? 'It was reported.' : 'It was not reported.' };
    if (!facts.opt_out) return { passed: false, seen: 'It was not reported.' };
    const reported = facts.turns.findLastIndex(({ text, tool }) => tool && text === OPT_OUT);
    const later = facts.turns.slice(reported + 1).filter(isSaid).length;
    return {
      ...(reported >= 0 && { turn: reported }),
      passed: later <= 1 && facts.end.by === 'agent',
      seen: `It was reported. ${later} turns of the agent followed, and the ${facts.end.by} ended it.`,
    };
  },
  cost: ({ credits, tokens }, { figures }) => {
    const charged = CREDITS_PER_MINUTE * Math.max(1, Math.ceil(figures.seconds / 60));
    return {
      passed: charged <= (credits ?? charged) && figures.tokens <= (tokens ?? figures.tokens),
      seen: `${charged} credits and ${figures.tokens} tokens.`,
    };
  },
};

export const listCriteria = (checks: readonly Check[]): string[] =>
  checks.flatMap(({ judge }) => judge ?? []);

/**
 * @param answers to the criteria in their order; one that is not met is the last
 * @returns undefined: an answer is missing
 */
export function gradeJudgement(
  criteria: readonly string[],
  answers: readonly Judgement[],
): CheckResult[] | undefined {
  const given = answers.slice(0, criteria.length);
  const failed = given.findIndex(({ pass }) => !pass);
  const asked = failed < 0 ? given : given.slice(0, failed + 1);
  if (failed < 0 && asked.length < criteria.length) return undefined;
  return asked.map(({ pass, reason }) => ({
    ...{ check: JUDGE, passed: pass, seen: shorten(reason), turn: null },
  }));
}

const OPT_OUT = 'opt_out';

const isSaid = ({ speaker }: Turn) => speaker === 'agent';

/** @returns the first turn of the agent that fits, if there is one; undefined: the search takes too long */
async function findSaid(
  pattern: string,
  { turns }: Facts,
  search: PatternSearch,
): Promise<Pick<Verdict, 'seen' | 'turn'> | undefined> {
  for (const [turn, said] of turns.entries()) {
    if (!isSaid(said)) continue;
    const isFound = await search.fits(pattern, said.text);
    if (isFound === undefined) return undefined;
    if (isFound) return { seen: JSON.stringify(said.text), turn };
  }
  return { seen: 'No turn fits.' };
}

const atMost = (most: number, value: number, unit: string): Verdict => ({
  passed: value <= most,
  seen: `${value} ${unit}.`,
});

async function gradeTool(
  { name, arguments: expected, times = 1, before }: NonNullable<Check['tool']>,
  { turns }: Facts,
  search: PatternSearch,
): Promise<Verdict | undefined> {
  const asked = turns.flatMap(({ tool }, at) =>
    tool?.name === name && tool.asked !== false ? [{ at, given: tool.arguments }] : [],
  );
  const fitting: typeof asked = [];
  for (const each of asked) {
    const isFitting = await isPart(expected ?? {}, each.given, search);
    if (isFitting === undefined) return undefined;
    if (isFitting) fitting.push(each);
  }
  const other =
    before === undefined ? -1 : turns.findIndex(({ tool }) => tool?.name === before && tool.asked !== false);
  const isBefore = other === -1 || fitting.every(({ at }) => at < other);
  const seen =
    asked.length === 0
      ? `${name} was not asked for.`
      : `${name} was asked for: ${asked.length}, with these arguments: ${fitting.length}` +
        `${isBefore ? '' : `, and not before ${before}`}: ${JSON.stringify(asked.map(({ given }) => given))}`;
  const late = fitting.find(({ at }) => other !== -1 && at >= other);
  const turn = (late ?? fitting.at(-1) ?? asked.at(-1))?.at;
  return { passed: fitting.length === times && isBefore, seen, turn };
}

/** Many checks may show the same long value. */
const shorten = (text: string) => (text.length > 500 ? `${text.slice(0, 500).toWellFormed()}…` : text);

/**
 * Whether a value has all members of the expected one, whose texts may be patterns.
 * @returns undefined: the search takes too long
 */
async function isPart(
  expected: unknown,
  value: unknown,
  search: PatternSearch,
): Promise<boolean | undefined> {
  if (typeof expected !== 'object' || expected === null) return expected === value;
  const pattern = readMatches(expected);
  if (pattern !== undefined)
    return ['string', 'number', 'boolean'].includes(typeof value) && search.fits(pattern, String(value));
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(expected))
    return false;
  if (Array.isArray(expected) && expected.length !== (value as unknown[]).length) return false;
  for (const [name, item] of Object.entries(expected)) {
    if (!Object.hasOwn(value, name)) return false;
    const isFitting = await isPart(item, (value as Record<string, unknown>)[name], search);
    if (!isFitting) return isFitting;
  }
  return true;
}
