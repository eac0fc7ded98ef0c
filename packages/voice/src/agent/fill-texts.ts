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

/**
 * Makes a function that fills a text as the server fills prompts and greetings. In addition, it fills in the time, and
 * what is left becomes empty, with a warning.
 */
export function createFilling(
  start: CallStart,
  timeZone: string,
  now: Date,
  warn: Warn,
): (text: string) => string {
  const times = Object.entries(TIMES).map(
    ([name, options]) =>
      [name, new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(now)] as const,
  );
  const given = Object.entries(listVariables(start)).map(([name, value]) => [name, value || EMPTY] as const);
  const variables = Object.fromEntries([...times, ...given]);
  const warned = new Set<string>();
  const warnOf = (name: string): string => {
    if (!warned.has(name) && warned.size < MAX_WARNINGS) {
      warned.add(name);
      warn('variable_without_value', `The variable ${name} has no value.`);
    }
    return EMPTY;
  };
  return (text) => closeGaps(fillVariables(text, variables, warnOf));
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
