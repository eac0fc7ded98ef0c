import { type ChangeObject, diffArrays } from 'diff';

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

/** Lists with more differences than this are shown as replaced. It bounds the time. */
const MAX_EDITS = 800;

const LINE_OF_TEXT = /(?:[^\\]|\\[^n])+(?:\\n)?|\\n/g;

/** The lines of a value's JSON. A text with several lines, such as a prompt, is split into its lines. */
export const toLines = (value: unknown): string[] =>
  JSON.stringify(value, null, 2)
    .split('\n')
    .flatMap((line) => {
      const [first = '', ...others] = line.match(LINE_OF_TEXT) ?? [];
      const indent = ' '.repeat(line.search(/\S|$/) + 4);
      return [first, ...others.map((other) => indent + other)];
    });

const splitWords = (line: string): string[] => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** The runs of items that both lists have, or that one of them has. */
function diff(left: string[], right: string[]): ChangeObject<string[]>[] {
  const parts = diffArrays(left, right, { maxEditLength: MAX_EDITS });
  return (
    parts ?? [
      { value: left, count: left.length, removed: true, added: false },
      { value: right, count: right.length, removed: false, added: true },
    ]
  );
}

const plain = (number: number, text: string): Line => ({ number, pieces: [{ text, isOwn: false }] });

/** A row of two lines, with the words that only one of them has. */
function toPair(left: string, right: string): [Piece[], Piece[]] {
  const parts = diff(splitWords(left), splitWords(right));
  const common = parts
    .filter(({ removed, added }) => !removed && !added)
    .reduce((sum, { value }) => sum + value.join('').trim().length, 0);
  // Lines with little in common are marked as a whole.
  if (common < LITTLE * Math.max(left.trim().length, right.trim().length))
    return [[{ text: left, isOwn: false }], [{ text: right, isOwn: false }]];
  const toPieces = (own: 'removed' | 'added', other: 'removed' | 'added') =>
    parts.filter((part) => !part[other]).map((part) => ({ text: part.value.join(''), isOwn: part[own] }));
  return [toPieces('removed', 'added'), toPieces('added', 'removed')];
}

/** The lines of two texts, aligned in rows. */
export function toRows(left: string[], right: string[]): Row[] {
  const rows: Row[] = [];
  let [leftNumber, rightNumber] = [1, 1];
  let removedLines: string[] = [];
  const flush = (added: string[]) => {
    for (let index = 0; index < Math.max(removedLines.length, added.length); index += 1) {
      const [before, after] = [removedLines[index], added[index]];
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
    removedLines = [];
  };
  for (const { value, removed, added } of diff(left, right)) {
    if (removed) removedLines = value;
    else if (added) flush(value);
    else {
      flush([]);
      for (const text of value) {
        rows.push({ kind: 'same', left: plain(leftNumber++, text), right: plain(rightNumber++, text) });
      }
    }
  }
  flush([]);
  return rows;
}

/** The rows that differ, with their context. */
export function foldRows(rows: Row[]): Row[] {
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
