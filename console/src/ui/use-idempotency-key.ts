import { useCallback, useRef } from 'react';
import { createUuid } from '../../../packages/client/src/uuid';

/** An Idempotency-Key that changes with the body only, so that a retry has no second effect. */
export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef<{ body: string; key: string }>(undefined);
  return useCallback((body) => {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { body: text, key: createUuid() };
    return last.current.key;
  }, []);
}
