import { useCallback, useRef } from 'react';

/** A key that stays the same while the body does, so that sending it again after a failure does nothing twice. */
export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef<{ body: string; key: string }>(undefined);
  return useCallback((body) => {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    return last.current.key;
  }, []);
}
