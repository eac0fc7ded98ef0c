import { useCallback, useRef } from 'react';

/** Creates a UUID without randomUUID, which exists in secure contexts only. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** An Idempotency-Key that changes with the body only, so that a retry has no second effect. */
export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef<{ body: string; key: string }>(undefined);
  return useCallback((body) => {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { body: text, key: newKey() };
    return last.current.key;
  }, []);
}
