import { parseDateTime } from '../../../platform/validation/date-time';
import { storableText } from '../../../platform/validation/storable';
import {
  type AgentAnalysis,
  type AnalysisField,
  type Criterion,
  type FieldType,
  type FieldValue,
  isOfType,
  readSource,
} from '../../agents/agent-analysis';
import { readPointer } from '../../tools/json-pointer';
import type { AnalysisFields, ReportedCriteria } from '../runtime-reports/call-analysis.entity';
import type { Findings, FoundAnswer, FoundValue } from './call-findings.entity';
import { PersonWords } from './person-words';

/** The facts from which the findings of a call follow. */
export interface CallFacts {
  /** The latest report of the runtime; null: there is none */
  fields: AnalysisFields | null;
  criteria: ReportedCriteria | null;
  variables: Record<string, string>;
  /** The results of tools that were done, the last one of each. */
  results: Record<string, unknown>;
  /** The sequences of the turns. */
  turns: number[];
  /** The words of the person, the last ones first. */
  words: string[];
}

const MAX_TEXT_LENGTH = 2_000;
const MAX_SHOWN_LENGTH = 100;

const NOT_REPORTED = 'not reported';

const without = (reason: string): FoundValue => ({ value: null, reason });

/** Answers the questions of an analysis. Names that runtimes report beside these are left out. */
export async function findValues(analysis: AgentAnalysis, facts: CallFacts): Promise<Findings> {
  const words = new PersonWords(facts.words);
  const fields: [string, FoundValue][] = [];
  for (const field of analysis.fields) fields.push([field.name, await findValue(field, facts, words)]);
  const turns = new Set(facts.turns);
  return {
    fields: Object.fromEntries(fields),
    criteria: Object.fromEntries(
      analysis.criteria.map((criterion) => [criterion.name, findAnswer(criterion, facts, turns)]),
    ),
  };
}

/** @returns undefined if the object has no value of that name, or null */
const ownValue = (object: Record<string, unknown> | null, name: string): unknown =>
  object && Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;

async function findValue(field: AnalysisField, facts: CallFacts, words: PersonWords): Promise<FoundValue> {
  const source = readSource(field.from) ?? { kind: 'model' };
  switch (source.kind) {
    case 'variable':
      return check(field, ownValue(facts.variables, source.name), `the call has no variable ${source.name}`);
    case 'tool': {
      const { name, pointer } = source;
      if (!Object.hasOwn(facts.results, name)) return without(`${name} was not done`);
      const value = readPointer(facts.results[name], pointer) ?? undefined;
      return check(field, value, `the result of ${name} has nothing there`);
    }
    case 'regex': {
      const found = await words.findLast(source.pattern);
      if (found === undefined) return without('the search in the words of the person takes too long');
      return check(field, found ?? undefined, "nothing in the person's words matches");
    }
    case 'model':
      return check(field, ownValue(facts.fields, field.name), NOT_REPORTED);
  }
}

/** @param missing the reason if there is no value */
function check({ type, enum: choices }: AnalysisField, given: unknown, missing: string): FoundValue {
  if (given === undefined) return without(missing);
  const value = convert(type, given);
  if (value === undefined) return without(`${show(given)} is no ${type}`);
  if (choices && !choices.some((choice) => choice === value))
    return without(`${show(given)} is none of ${choices.join(', ')}`);
  return { value: typeof value === 'string' ? storableText(value, MAX_TEXT_LENGTH) : value, reason: null };
}

const show = (value: unknown) => storableText(JSON.stringify(value), MAX_SHOWN_LENGTH);

/** Models write numbers, dates, true and false as texts, too. */
const FROM_TEXT: Record<FieldType, (text: string) => unknown> = {
  string: (text) => text,
  number: toNumber,
  integer: toNumber,
  boolean: (text) => ({ true: true, false: false })[text.toLowerCase()],
  // The day of a time is that of its own zone.
  date: (text) => (parseDateTime(text) ? text.slice(0, 10) : undefined),
};

function toNumber(text: string): number | undefined {
  return /^[+-]?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : undefined;
}

/** @returns undefined if it is not of the type */
function convert(type: FieldType, given: unknown): FieldValue | undefined {
  const value = typeof given === 'string' ? FROM_TEXT[type](type === 'string' ? given : given.trim()) : given;
  return isOfType[type](value) ? value : undefined;
}

function findAnswer({ name }: Criterion, { criteria }: CallFacts, known: Set<number>): FoundAnswer {
  const reported = criteria && Object.hasOwn(criteria, name) ? criteria[name] : undefined;
  if (!reported) return { pass: null, turns: [], reason: NOT_REPORTED };
  const turns = [...new Set(reported.turns)].filter((turn) => known.has(turn)).sort((a, b) => a - b);
  return { pass: reported.pass, turns, reason: reported.reason || null };
}

/** The names by which filters find the answers to criteria. */
export const ANSWERS = ['pass', 'fail', 'unclear'] as const;
export type Answer = (typeof ANSWERS)[number];

export const toAnswer = ({ pass }: Pick<FoundAnswer, 'pass'>): Answer =>
  pass === null ? 'unclear' : pass ? 'pass' : 'fail';

/** The findings as filters ask for them. A field without a value has none. */
export const toAnswers = ({ fields, criteria }: Findings): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(fields).flatMap(([name, { value }]) =>
      value === null ? [] : [[`field.${name}`, String(value)]],
    ),
    ...Object.entries(criteria).map(([name, answer]) => [`criterion.${name}`, toAnswer(answer)]),
  ]) as Record<string, string>;

/**
 * The criteria that a call met of all, with the names of the others, such as `3 of 5: consent; unclear: price`.
 * @returns null if there are none
 */
export function toCompliance({ criteria }: Findings): string | null {
  const names = (answer: Answer) =>
    Object.keys(criteria).filter((name) => toAnswer(criteria[name] as FoundAnswer) === answer);
  const [passed, failed, unclear] = ANSWERS.map(names) as [string[], string[], string[]];
  const all = Object.keys(criteria).length;
  if (all === 0) return null;
  return (
    `${passed.length} of ${all}` +
    (failed.length > 0 ? `: ${failed.join(', ')}` : '') +
    (unclear.length > 0 ? `; unclear: ${unclear.join(', ')}` : '')
  );
}
