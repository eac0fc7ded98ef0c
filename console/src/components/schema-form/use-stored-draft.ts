import { useCallback, useEffect, useState } from 'react';
import type { Draft } from './field-values';

interface Stored {
  /** The version of what was edited. */
  base: string;
  values: Draft;
}

function read(key: string): Stored | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Stored | null;
    return stored && typeof stored.base === 'string' && typeof stored.values === 'object'
      ? stored
      : undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, stored: Stored): void {
  try {
    if (Object.keys(stored.values).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(stored));
  } catch {
    // The storage is full or forbidden: the changes stay in the page until it is left.
  }
}

interface StoredDraft {
  draft: Draft;
  /** Whether it is from an earlier visit. */
  isRestored: boolean;
  /** Whether what was edited has changed since. */
  isOutdated: boolean;
  /** undefined: as it is stored. */
  set: (path: string, text: string | undefined) => void;
  /** Forgets what was sent, and keeps what was changed meanwhile. */
  settle: (sent: Draft, base: string) => void;
}

/**
 * Changes that are not saved, kept in this tab while its pages are left.
 * @param base the version of what is edited
 */
export function useStoredDraft(key: string, base: string): StoredDraft {
  const [stored, setStored] = useState(() => read(key) ?? { base, values: {} });
  const [isRestored, setRestored] = useState(() => Object.keys(stored.values).length > 0);
  useEffect(() => write(key, stored), [key, stored]);
  const set = useCallback(
    (path: string, text: string | undefined) =>
      setStored((before) => {
        const { [path]: _, ...others } = before.values;
        const isFirst = Object.keys(before.values).length === 0;
        return {
          base: isFirst ? base : before.base,
          values: text === undefined ? others : { ...others, [path]: text },
        };
      }),
    [base],
  );
  const settle = useCallback((sent: Draft, next: string) => {
    setRestored(false);
    setStored(({ values }) => ({
      base: next,
      values: Object.fromEntries(Object.entries(values).filter(([path, text]) => sent[path] !== text)),
    }));
  }, []);
  const isDirty = Object.keys(stored.values).length > 0;
  return {
    draft: stored.values,
    isRestored: isRestored && isDirty,
    isOutdated: isDirty && stored.base !== base,
    set,
    settle,
  };
}

export const hasStoredDraft = (key: string) => read(key) !== undefined;
