import { type ChangeObject, diffArrays } from 'diff';

/** A part of a line; `isOwn`: only this side has it. */
export interface Piece {
  text: string;
  isOwn: boolean;
}

export type Line = Piece[];

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

const plain = (text: string): Line => [{ text, isOwn: false }];

/** A row of two lines, with the words that only one of them has. */
function toPair(left: string, right: string): [Line, Line] {
  const parts = diff(splitWords(left), splitWords(right));
  const common = parts
    .filter(({ removed, added }) => !removed && !added)
    .reduce((sum, { value }) => sum + value.join('').trim().length, 0);
  // Lines with little in common are marked as a whole.
  if (common < LITTLE * Math.max(left.trim().length, right.trim().length)) return [plain(left), plain(right)];
  const toPieces = (own: 'removed' | 'added', other: 'removed' | 'added') =>
    parts.filter((part) => !part[other]).map((part) => ({ text: part.value.join(''), isOwn: part[own] }));
  return [toPieces('removed', 'added'), toPieces('added', 'removed')];
}

/** The lines of two texts, aligned in rows. */
export function toRows(left: string[], right: string[]): Row[] {
  const rows: Row[] = [];
  let removedLines: string[] = [];
  const flush = (added: string[]) => {
    for (let index = 0; index < Math.max(removedLines.length, added.length); index += 1) {
      const [before, after] = [removedLines[index], added[index]];
      const [leftLine, rightLine] =
        before !== undefined && after !== undefined
          ? toPair(before, after)
          : [before, after].map((text) => (text === undefined ? undefined : plain(text)));
      rows.push({ kind: 'changed', left: leftLine, right: rightLine });
    }
    removedLines = [];
  };
  for (const { value, removed, added } of diff(left, right)) {
    if (removed) removedLines = value;
    else if (added) flush(value);
    else {
      flush([]);
      for (const text of value) rows.push({ kind: 'same', left: plain(text), right: plain(text) });
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
