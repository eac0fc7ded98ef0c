import { useSyncExternalStore } from 'react';

export const ROWS_PER_PAGE = [25, 50, 100] as const;

const KEY = 'parley.rows';
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The rows that this browser shows on a page of a list. */
export function readRowsPerPage(): number {
  const stored = Number(localStorage.getItem(KEY));
  return ROWS_PER_PAGE.find((rows) => rows === stored) ?? ROWS_PER_PAGE[0];
}

export function storeRowsPerPage(rows: number): void {
  localStorage.setItem(KEY, String(rows));
  for (const listener of listeners) listener();
}

/** The rows of a page, which changes when another part of the page stores another number. */
export const useRowsPerPage = () => useSyncExternalStore(subscribe, readRowsPerPage);
