import type { Row } from './rows';

/** The same expression as in the exports of the API. */
const FORMULA = /^(?!\+\d{1,15}$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const FORMULA_WITHIN = /(?<=[;,|\t\r\n][\s"']*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;

/** A cell by RFC 4180. An apostrophe makes a formula a text, so that no spreadsheet runs it. */
export function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replace(FORMULA_WITHIN, "'$&").replace(FORMULA, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (rows: Row[], isGrouped: boolean): string =>
  [
    ['start', ...(isGrouped ? ['group'] : []), 'calls', 'connected', 'failed', 'seconds', 'credits'],
    ...rows.map(({ at, group, calls, connected, failed, seconds, credits }) => [
      at,
      ...(isGrouped ? [group] : []),
      ...[calls, connected, failed, seconds, credits],
    ]),
  ]
    .map((cells) => `${cells.map(toCell).join(',')}\r\n`)
    .join('');
