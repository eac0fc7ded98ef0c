import { useEffect, useState } from 'react';
import { useConnection } from '../api/connection';

/** The time, updated once a second. It stops while the server does not answer, because the data may be outdated. */
export function useNow(): number {
  const { isAway } = useConnection();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (isAway) return;
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, [isAway]);
  return now;
}
