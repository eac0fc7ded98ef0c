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

/**
 * The three forms of an HTTP date (RFC 9110, 5.6.7), the last of which names no time zone. Date.parse alone takes much
 * else for a date, such as %2030.
 */
const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)([a-z]*day)?,? ([0-9]{2}[ -][A-Z][a-z]{2}[ -][0-9]{2,4}|[A-Z][a-z]{2} [ 0-9][0-9]) [0-9:]{8}( GMT| [0-9]{4})$/;

/** The seconds that headers Retry-After ask for, in digits or as an HTTP date, the most of them and up to a day; 0 where they say nothing. */
export function retryAfterSeconds(headers: string | string[] | undefined, now = Date.now()): number {
  const seconds = [headers ?? []].flat().map((header) => secondsIn(header, now));
  return Math.min(Math.max(0, ...seconds), DAY_SECONDS);
}

function secondsIn(header: string, now: number): number {
  if (/^[0-9]+$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return 0;
  const moment = Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`);
  return Number.isNaN(moment) ? 0 : (moment - now) / 1_000;
}
