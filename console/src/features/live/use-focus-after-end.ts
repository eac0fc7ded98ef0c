import { useEffect, useRef } from 'react';
import { focusHeading } from '../../ui/focus-heading';
import type { Call } from './in-progress';

/**
 * Moves the focus of a row that has left the list to the row in its place, or to the heading.
 * @param calls the calls in the order of their rows
 * @returns the function that names the call that will leave
 */
export function useFocusAfterEnd(calls: Call[]): (call_id: string) => void {
  const leaving = useRef<{ call_id: string; index: number }>(undefined);
  useEffect(() => {
    const gone = leaving.current;
    if (!gone || calls.some(({ call_id }) => call_id === gone.call_id)) return;
    leaving.current = undefined;
    if (document.activeElement !== document.body) return;
    const next = calls[gone.index]?.call_id;
    const row = next && document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(next)}"]`);
    if (row) row.focus();
    else focusHeading();
  }, [calls]);
  return (call_id) => {
    leaving.current = { call_id, index: calls.findIndex((call) => call.call_id === call_id) };
  };
}
