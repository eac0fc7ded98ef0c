/** The part of a long table that is rendered: the positions of its items, in their order. */
export type ShownItems = readonly number[];

/** The number of items that are rendered above and below those that are visible. */
const AHEAD = 10;

/** The range changes in steps, so that few scroll events render the table again. */
const STEP = 5;

interface Place {
  count: number;
  /** The height of an item, in pixels. */
  height: number;
  /** The position of the first item in the window, in pixels. */
  top: number;
  windowHeight: number;
}

/** The first item that is rendered because it is near the window, and the one behind the last. */
export function findRange({ count, height, top, windowHeight }: Place): { from: number; to: number } {
  const first = Math.floor(-top / height) - AHEAD;
  const last = Math.ceil((windowHeight - top) / height) + AHEAD;
  const from = Math.min(Math.max(0, Math.floor(first / STEP) * STEP), count);
  return { from, to: Math.max(from, Math.min(count, Math.ceil(last / STEP) * STEP)) };
}

/**
 * The items of a range, and others with their neighbours, which the keys j and k lead to.
 * @param kept the positions of the others, such as that of the item with the focus; -1: there is no such item
 */
export function listShown(
  { from, to }: { from: number; to: number },
  kept: number[],
  count: number,
): ShownItems {
  const shown = new Set(Array.from({ length: to - from }, (_, index) => from + index));
  for (const position of kept.filter((each) => each >= 0).flatMap((each) => [each - 1, each, each + 1]))
    if (position >= 0 && position < count) shown.add(position);
  return [...shown].sort((left, right) => left - right);
}
