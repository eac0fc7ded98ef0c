import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { findRange, listShown, type ShownItems } from './shown-items';

/** The height of a row before one is rendered. */
const ROW_PX = 36;

interface Options {
  table: RefObject<HTMLTableElement | null>;
  count: number;
  /** The positions of items that are rendered wherever the window is; -1: none. */
  kept: number[];
  /** Whether the table is long; otherwise all items are rendered. */
  isLong: boolean;
}

/** The items of a table that are rendered, and the height of one in pixels. */
export function useShownItems({ table, count, kept, isLong }: Options): {
  shown: ShownItems;
  height: number;
} {
  const [state, setState] = useState({ from: 0, to: 50, height: ROW_PX });
  const look = () => {
    const body = table.current?.tBodies[0];
    if (!body) return;
    const height = body.querySelector<HTMLElement>('tr[data-row]')?.offsetHeight ?? state.height;
    const { top } = body.getBoundingClientRect();
    const range = findRange({ count, height, top, windowHeight: window.innerHeight });
    setState((before) =>
      before.from === range.from && before.to === range.to && before.height === height
        ? before
        : { ...range, height },
    );
  };
  useLayoutEffect(() => {
    if (isLong) look();
  });
  useEffect(() => {
    if (!isLong) return;
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  });
  if (!isLong) return { shown: Array.from({ length: count }, (_, index) => index), height: 0 };
  const range = { from: Math.min(state.from, count), to: Math.min(state.to, count) };
  return { shown: listShown(range, kept, count), height: state.height };
}
