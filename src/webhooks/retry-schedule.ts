/**
 * The pauses before the second attempt, the third and so on, in seconds. They add up to more than the day that a
 * delivery is tried for, and the last one is cut to it: twelve attempts, the last one a day after the first.
 */
const PAUSES = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200];

/** So that what failed together is not tried together. */
const JITTER = 0.2;

/** How long to wait after so many failed attempts and one more. */
export function pauseAfter(failures: number): number {
  const pause = PAUSES[Math.min(failures, PAUSES.length - 1)] as number;
  return pause * (1 + JITTER * Math.random());
}

/** For so long a delivery is tried, and so no pause is longer. */
const DAY_SECONDS = 86_400;

/** The seconds that a header Retry-After asks for, in digits or as an HTTP date, up to a day; 0 where it says nothing. */
export function retryAfterSeconds(header: string, now = Date.now()): number {
  const seconds = /^\d+$/.test(header) ? Number(header) : secondsUntil(header, now);
  return Math.min(Math.max(0, seconds), DAY_SECONDS);
}

function secondsUntil(httpDate: string, now: number): number {
  const date = new Date(httpDate);
  // Much else is read as a date, such as %2030. An HTTP date is the one that is written the same again.
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === httpDate;
  return isHttpDate ? (date.getTime() - now) / 1_000 : 0;
}
