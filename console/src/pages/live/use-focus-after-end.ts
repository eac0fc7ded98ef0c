import { useEffect, useRef } from 'react';
import type { Schemas } from '../../api/client';
import { focusHeading } from '../../components/focus-heading';

/**
 * Once a call has left the list, gives the focus that it had to the row in its place, else to the heading.
 * @returns the function that says which call will leave
 */
export function useFocusAfterEnd(calls: Schemas['CallDto'][] = []): (call_id: string) => void {
  const leaving = useRef<{ call_id: string; index: number }>(undefined);
  useEffect(() => {
    const gone = leaving.current;
    if (!gone || calls.some(({ call_id }) => call_id === gone.call_id)) return;
    leaving.current = undefined;
    if (document.activeElement !== document.body) return;
    const row = document.querySelectorAll<HTMLElement>('tr[data-row]')[gone.index];
    if (row) row.focus();
    else focusHeading();
  }, [calls]);
  return (call_id) => {
    leaving.current = { call_id, index: calls.findIndex((call) => call.call_id === call_id) };
  };
}
