/** A run of items that both sides have, or that one side has. */
export interface Part<Item> {
  kind: 'same' | 'removed' | 'added';
  items: Item[];
}

/** More differences than this are not looked for: the rest counts as replaced. It bounds time and memory. */
const MAX_EDITS = 800;

/**
 * The shortest sequence of edits from one list to another, by Myers' algorithm: for each number of edits, it finds
 * the furthest point that each diagonal reaches.
 */
export function diff<Item>(left: readonly Item[], right: readonly Item[]): Part<Item>[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  const parts = new Parts<Item>();
  parts.add('same', left.slice(0, start));
  addMiddle(parts, left.slice(start, left.length - end), right.slice(start, right.length - end));
  parts.add('same', left.slice(left.length - end));
  return parts.all;
}

class Parts<Item> {
  readonly all: Part<Item>[] = [];

  add(kind: Part<Item>['kind'], items: readonly Item[]): void {
    const last = this.all.at(-1);
    if (items.length === 0) return;
    if (last?.kind === kind) last.items.push(...items);
    else this.all.push({ kind, items: [...items] });
  }
}

function addMiddle<Item>(parts: Parts<Item>, left: readonly Item[], right: readonly Item[]): void {
  const trace = left.length > 0 && right.length > 0 ? traceEdits(left, right) : undefined;
  if (!trace) {
    parts.add('removed', left);
    parts.add('added', right);
    return;
  }
  const steps: { kind: Part<Item>['kind']; item: Item }[] = [];
  let [x, y] = [left.length, right.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits] as Map<number, number>;
    const diagonal = x - y;
    const isDown = comesFromAbove(furthest, diagonal, edits);
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : (furthest.get(previous) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      steps.push({ kind: 'same', item: left[x] as Item });
    }
    if (edits === 0) break;
    if (isDown) steps.push({ kind: 'added', item: right[fromY] as Item });
    else steps.push({ kind: 'removed', item: left[fromX] as Item });
    [x, y] = [fromX, fromY];
  }
  for (const { kind, item } of steps.reverse()) parts.add(kind, [item]);
}

const comesFromAbove = (furthest: Map<number, number>, diagonal: number, edits: number) =>
  diagonal === -edits ||
  (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));

/**
 * The furthest points of the diagonals for each number of edits.
 * @returns undefined if there are too many edits
 */
function traceEdits<Item>(left: readonly Item[], right: readonly Item[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= MAX_EDITS; edits += 1) {
    trace.push(furthest);
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = comesFromAbove(furthest, diagonal, edits)
        ? (furthest.get(diagonal + 1) ?? 0)
        : (furthest.get(diagonal - 1) ?? 0) + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return trace;
    }
    furthest = next;
  }
  return undefined;
}
