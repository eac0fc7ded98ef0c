/** Decides when a webhook is sent again. All of it is decided here, and docs/webhooks.md describes it. */

/** An attempt that fails this long after its event, or after a replay, is the last one. */
export const GIVE_UP_AFTER_HOURS = 24;

/** A delivery that waited behind an older one of its call is tried for this long at least. */
export const MINIMUM_RETRY_HOURS = 1;

/**
 * The delays before the second attempt, the third and so on, in seconds. They add up to more than 24 hours, and the
 * last one is cut to that: twelve attempts.
 */
const RETRY_DELAYS = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200];

/** Delays are up to a fifth longer, so that deliveries that fail together are not retried together. */
const JITTER = 0.2;

/** @param failures how many attempts failed before the one that has just failed */
export function delayAfter(failures: number): number {
  const delay = RETRY_DELAYS[Math.min(failures, RETRY_DELAYS.length - 1)] as number;
  return delay * (1 + JITTER * Math.random());
}

const MAX_DELAY_SECONDS = GIVE_UP_AFTER_HOURS * 3_600;

/**
 * The three forms of an HTTP date (RFC 9110, 5.6.7), the last of which names no time zone. Date.parse alone also
 * accepts much that is not a date, such as %2030.
 */
const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)([a-z]*day)?,? ([0-9]{2}[ -][A-Z][a-z]{2}[ -][0-9]{2,4}|[A-Z][a-z]{2} [ 0-9][0-9]) [0-9:]{8}( GMT| [0-9]{4})$/;

/**
 * The delay that the headers `Retry-After` request, as digits or an HTTP date: the longest of several, and at most 24
 * hours. 0 for headers that are missing or malformed.
 */
export function retryAfterSeconds(headers: string | string[] | undefined, now = Date.now()): number {
  const seconds = [headers ?? []].flat().map((header) => parseRetryAfter(header, now));
  return Math.min(Math.max(0, ...seconds), MAX_DELAY_SECONDS);
}

function parseRetryAfter(header: string, now: number): number {
  if (/^[0-9]+$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return 0;
  const time = Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`);
  return Number.isNaN(time) ? 0 : (time - now) / 1_000;
}
