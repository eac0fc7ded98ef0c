import { useEffect, useState } from 'react';

const minute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000);

/** The time in whole minutes, for queries whose period ends or begins now. */
export function useMinute(): Date {
  const [now, setNow] = useState(minute);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(minute()), 60_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
