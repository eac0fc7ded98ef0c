import { fitting, LENGTHS, shorten } from './limits';
import type { ReportedCriterion } from './messages';

export type AnalysisValues = Record<string, boolean | number | string | null>;

export interface AnalysisOptions {
  /** Whether the person asked not to be called again. */
  optOut?: boolean;
  /** The answers to up to 50 criteria, by their names. */
  criteria?: Record<string, ReportedCriterion>;
}

/** The limits of the contract. */
const MAX_NAMES = 50;
const MAX_TURNS = 100;

/** The body of the report, with texts that fit. @throws TypeError for what the server would refuse */
export function toAnalysisReport(fields: AnalysisValues, { optOut, criteria }: AnalysisOptions): object {
  checkNames(fields, 'fields');
  for (const [name, value] of Object.entries(fields)) {
    if (isPlain(value)) continue;
    throw new TypeError(`The field "${name}" of an analysis must be a text, a number, true, false or null.`);
  }
  if (optOut !== undefined && typeof optOut !== 'boolean')
    throw new TypeError('The optOut of an analysis must be true or false.');
  if (criteria !== undefined) {
    checkNames(criteria, 'criteria');
    for (const [name, answer] of Object.entries(criteria)) checkCriterion(name, answer);
  }
  return fitting((share) => ({
    fields: mapValues(fields, (value) => (typeof value === 'string' ? fit(value, share) : value)),
    ...(criteria && { criteria: mapValues(criteria, (answer) => fitCriterion(answer, share)) }),
    ...(optOut !== undefined && { opt_out: optOut }),
  }));
}

function checkNames(named: unknown, what: string): void {
  if (!isObject(named)) throw new TypeError(`The ${what} of an analysis must be an object.`);
  const names = Object.keys(named);
  if (names.length > MAX_NAMES)
    throw new TypeError(`An analysis has at most ${MAX_NAMES} ${what}, not ${names.length}.`);
  const long = names.find((name) => name.length > LENGTHS.fieldName);
  if (long !== undefined)
    throw new TypeError(
      `The name "${shorten(long, LENGTHS.fieldName)}" in the ${what} of an analysis must have at most ${LENGTHS.fieldName} characters.`,
    );
}

function checkCriterion(name: string, answer: unknown): void {
  const { pass, turns, reason } = isObject(answer) ? answer : {};
  const wrong = (demand: string) =>
    new TypeError(`The criterion "${name}" of an analysis must have ${demand}.`);
  if (typeof pass !== 'boolean' && pass !== null) throw wrong('a pass that is true, false or null');
  if (turns !== undefined && !isListOfTurns(turns))
    throw wrong(`turns that are at most ${MAX_TURNS} numbers of turns`);
  if (reason !== undefined && typeof reason !== 'string') throw wrong('a reason that is a text');
}

/** Many turns of many criteria are too large also without texts. */
const fitCriterion = ({ pass, turns, reason }: ReportedCriterion, share: number): ReportedCriterion => ({
  pass,
  ...(turns && { turns: turns.slice(0, Math.ceil(MAX_TURNS * share)) }),
  ...(reason !== undefined && { reason: fit(reason, share) }),
});

const fit = (text: string, share: number) => shorten(text, Math.floor(LENGTHS.text * share));

const isPlain = (value: unknown) =>
  value === null || ['boolean', 'string'].includes(typeof value) || Number.isFinite(value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOfTurns = (value: unknown) =>
  Array.isArray(value) &&
  value.length <= MAX_TURNS &&
  value.every((turn) => Number.isSafeInteger(turn) && turn >= 0);

const mapValues = <Value, Mapped>(values: Record<string, Value>, map: (value: Value) => Mapped) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
