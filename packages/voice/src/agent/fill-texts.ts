import { type CallStart, fillVariables, listVariables } from '@parley/worker';
import type { Warn } from './ranges';

/** The variables with the time of the call, in the time zone of the agent, as they are written in English. */
const TIMES: Record<string, Intl.DateTimeFormatOptions> = {
  now: { dateStyle: 'full', timeStyle: 'short' },
  today: { dateStyle: 'full' },
};

export const TIME_VARIABLES: readonly string[] = Object.keys(TIMES);

/** A call has space for 20 warnings. */
const MAX_WARNINGS = 10;

/** Stands for a variable without a value until its gap is closed. The character has no other meaning in Unicode. */
const EMPTY = '\uFDD0';

/** Braces around code, such as JSON, are no variable. */
const CODE = /["`:;=()[\]<>|\\]/;

interface Filling {
  /** Fills a text as the server fills prompts and greetings, and completes it. */
  fill: (text: string) => string;
  /** Completes a text that the server has filled: fills in the time, and what is left becomes empty, with a warning. */
  complete: (text: string) => string;
}

/** Makes the functions that fill the texts of a call. */
export function createFilling(start: CallStart, timeZone: string, now: Date, warn: Warn): Filling {
  const times = new Map(
    Object.entries(TIMES).map(([name, options]) => [
      name,
      new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(now),
    ]),
  );
  const given = Object.entries(listVariables(start));
  const variables = Object.fromEntries([
    ...times,
    ...given.map(([name, value]) => [name, value || EMPTY] as const),
  ]);
  /** The names that a filled text has only from a value: those of the variables, and those in their values. */
  const settled = new Set<string>();
  for (const [name, value] of given)
    fillVariables(`{{${name}}} ${value}`, {}, (found) => void settled.add(found));
  const warned = new Set<string>();
  const clear = (name: string): string | undefined => {
    if (CODE.test(name)) return undefined;
    if (!warned.has(name) && warned.size < MAX_WARNINGS) {
      warned.add(name);
      warn('variable_without_value', `The variable ${name} has no value.`);
    }
    return EMPTY;
  };
  const completeName = (name: string) => (settled.has(name) ? undefined : (times.get(name) ?? clear(name)));
  return {
    fill: (text) => closeGaps(fillVariables(text, variables, clear)),
    complete: (text) => closeGaps(fillVariables(text, {}, completeName)),
  };
}

/** Takes the spaces, and before punctuation the comma, that an empty variable leaves. It looks at each space once. */
const closeGaps = (text: string): string =>
  text.replaceAll(/(,?)([ \t\uFDD0]+)/g, (found, comma: string, gap: string, at: number) => {
    const first = gap.indexOf(EMPTY);
    if (first < 0) return found;
    const next = text[at + found.length] ?? '\n';
    if (/[.,;:!?…)\n\r\u2028\u2029]/.test(next)) return '';
    // The spaces before it stay, and those behind it go.
    if (first > 0) return comma + gap.slice(0, first);
    if (comma === '' && /[(\n\r\u2028\u2029]/.test(text[at - 1] ?? '\n')) return '';
    return comma + (/^\uFDD0+([ \t]*)/.exec(gap)?.[1] ?? '');
  });

/** The server has filled in values that are empty already, so their gaps are found by the spaces. */
export const closeSpaces = (text: string): string =>
  text
    .replaceAll(/(?:,|(?<![ \t,]))[ \t]+(?=[.,;:!?…]+(\s|$))/g, '')
    .replaceAll(/[ \t]{2,}/g, ' ')
    .trim();
