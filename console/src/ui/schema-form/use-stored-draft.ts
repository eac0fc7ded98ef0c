import { useCallback, useEffect, useState } from 'react';
import type { Draft } from './field-values';

export const DRAFT_PREFIX = 'parley.draft.';

interface Stored {
  /** The edited version. */
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
    // The storage is full or forbidden. The changes are lost when the page is closed.
  }
}

interface StoredDraft {
  draft: Draft;
  /** Whether the draft is from an earlier visit. */
  isRestored: boolean;
  /** Whether there is a newer version than the edited one. */
  isOutdated: boolean;
  /** Sets the text of a field; undefined: removes its change. */
  set: (path: string, text: string | undefined) => void;
  /** Removes the sent changes, and keeps later ones. */
  settle: (sent: Draft, base: string) => void;
}

/** The unsaved changes of a form, which the tab stores while other pages are open. @param base the edited version */
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

/** Whether any page of this tab has changes that are not saved. */
export const hasStoredDrafts = () => Object.keys(sessionStorage).some((key) => key.startsWith(DRAFT_PREFIX));
