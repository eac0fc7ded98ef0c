import { useEffect, useRef } from 'react';
import { type LiveEvent, subscribe } from './live-events';

/** Calls the listener for each event while the component is shown. */
export function useLive(listener: (event: LiveEvent) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => subscribe((event) => latest.current(event)), []);
}
