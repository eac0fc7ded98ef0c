import { diff } from './diff';

/** A part of a line; `isOwn`: only this side has it. */
export interface Piece {
  text: string;
  isOwn: boolean;
}

export interface Line {
  number: number;
  pieces: Piece[];
}

export type Row =
  | { kind: 'same'; left: Line; right: Line }
  | { kind: 'changed'; left: Line | undefined; right: Line | undefined }
  /** A gap in place of hidden equal lines. */
  | { kind: 'skipped'; count: number };

/** The number of equal lines that are shown around changes. */
const CONTEXT = 3;

const LITTLE = 0.3;

const LINE_OF_TEXT = /(?:[^\\]|\\[^n])+(?:\\n)?|\\n/g;

/** The lines of a value's JSON. A text with several lines, such as a prompt, is split into its lines. */
export const linesOf = (value: unknown): string[] =>
  JSON.stringify(value, null, 2)
    .split('\n')
    .flatMap((line) => {
      const [first = '', ...others] = line.match(LINE_OF_TEXT) ?? [];
      const indent = ' '.repeat(line.search(/\S|$/) + 4);
      return [first, ...others.map((other) => indent + other)];
    });

const splitWords = (line: string): string[] => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

const plain = (number: number, text: string): Line => ({ number, pieces: [{ text, isOwn: false }] });

/** A row of two lines, with the words that only one of them has. */
function toPair(left: string, right: string): [Piece[], Piece[]] {
  const parts = diff(splitWords(left), splitWords(right));
  const common = parts
    .filter(({ kind }) => kind === 'same')
    .reduce((sum, { items }) => sum + items.join('').trim().length, 0);
  // Lines with little in common are marked as a whole.
  if (common < LITTLE * Math.max(left.trim().length, right.trim().length))
    return [[{ text: left, isOwn: false }], [{ text: right, isOwn: false }]];
  const side = (own: 'removed' | 'added') =>
    parts
      .filter(({ kind }) => kind === 'same' || kind === own)
      .map(({ kind, items }) => ({ text: items.join(''), isOwn: kind === own }));
  return [side('removed'), side('added')];
}

/** The lines of two texts, aligned in rows. */
export function toRows(left: string[], right: string[]): Row[] {
  const rows: Row[] = [];
  let [leftNumber, rightNumber] = [1, 1];
  let removed: string[] = [];
  const flush = (added: string[]) => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [before, after] = [removed[index], added[index]];
      if (before !== undefined && after !== undefined) {
        const [leftPieces, rightPieces] = toPair(before, after);
        rows.push({
          kind: 'changed',
          left: { number: leftNumber++, pieces: leftPieces },
          right: { number: rightNumber++, pieces: rightPieces },
        });
      } else {
        rows.push({
          kind: 'changed',
          left: before === undefined ? undefined : plain(leftNumber++, before),
          right: after === undefined ? undefined : plain(rightNumber++, after),
        });
      }
    }
    removed = [];
  };
  for (const { kind, items } of diff(left, right)) {
    if (kind === 'removed') removed = items;
    else if (kind === 'added') flush(items);
    else {
      flush([]);
      for (const text of items) {
        rows.push({ kind: 'same', left: plain(leftNumber++, text), right: plain(rightNumber++, text) });
      }
    }
  }
  flush([]);
  return rows;
}

/** The rows that differ, with their context. */
export function folded(rows: Row[]): Row[] {
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind === 'changed'),
  );
  const shown: Row[] = [];
  for (const [index, row] of rows.entries()) {
    const last = shown.at(-1);
    if (isNear[index]) shown.push(row);
    else if (last?.kind === 'skipped') last.count += 1;
    else shown.push({ kind: 'skipped', count: 1 });
  }
  return shown;
}
