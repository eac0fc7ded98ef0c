import { Temporal } from 'temporal-polyfill';
import { quoted } from '../../../platform/validation/plain-text';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** Times of a day at which recipients may be called, by the clocks of their zone. The end is exclusive. */
export interface CallingWindow {
  days: Day[];
  /** 00:00 to 23:59 */
  start: string;
  /** 00:01 to 24:00, after the start */
  end: string;
}

export const MAX_WINDOWS = 50;

export const START_PATTERN = /^([01]\d|2[0-3]):[0-5]\d$/;
export const END_PATTERN = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

const shown = (value: unknown) => quoted(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function findDaysProblem(days: unknown): string | undefined {
  if (!Array.isArray(days) || days.length === 0 || days.length > DAYS.length)
    return `has no list days of 1 to ${DAYS.length} of ${DAYS.join(', ')}`;
  const other: unknown = days.find((day) => !DAYS.includes(day as Day));
  if (other === undefined) return undefined;
  const meant = typeof other === 'string' && DAYS.find((day) => other.trim().toLowerCase().startsWith(day));
  return `has the day ${shown(other)}; ${meant ? `write ${meant}` : `a day is one of ${DAYS.join(', ')}`}`;
}

function findTimeProblem(name: 'start' | 'end', time: unknown): string | undefined {
  if (typeof time === 'string' && (name === 'start' ? START_PATTERN : END_PATTERN).test(time))
    return undefined;
  if (time === undefined) return `has no ${name}`;
  const early = typeof time === 'string' && /^\d:[0-5]\d$/.test(time) ? `0${time}` : undefined;
  const last = name === 'start' ? '23:59' : '24:00';
  return `has the ${name} ${shown(time)}; ${early ? `write ${early}` : `a time has four digits, from 00:00 to ${last}`}`;
}

function findWindowProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'is not an object of days, start and end';
  const { days, start, end, ...others } = value as Partial<Record<keyof CallingWindow, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined) return `has the field ${quoted(other)}; a window has days, start and end`;
  const problem = findDaysProblem(days) ?? findTimeProblem('start', start) ?? findTimeProblem('end', end);
  if (problem !== undefined) return problem;
  const [from, to] = [start as string, end as string];
  if (from < to) return undefined;
  if (to === '00:00') return 'ends at 00:00; write 24:00 for the end of a day';
  if (from === to) return `has the same start and end, ${from}`;
  return (
    `ends at ${to}, before its start ${from}; a window over midnight is two: ` +
    `${from} to 24:00, and 00:00 to ${to} with the days after`
  );
}

/** The first window that is wrong, by its index, and the reason; undefined: all are right. */
export function findWindowsProblem(windows: unknown[]): string | undefined {
  for (const [index, window] of windows.entries()) {
    const problem = findWindowProblem(window);
    if (problem !== undefined) return `[${index}] ${problem}`;
  }
  return undefined;
}

export const areWindows = (value: unknown): value is CallingWindow[] =>
  Array.isArray(value) && value.length <= MAX_WINDOWS && findWindowsProblem(value) === undefined;

/** A time in which recipients of a zone may be called, in milliseconds since 1970. The end is exclusive. */
export interface OpenTime {
  opensAt: number;
  closesAt: number;
}

/**
 * The moment when a clock in the zone shows this time. In the hour that is repeated when clocks go back, `pick`
 * decides; a time that clocks skip is the moment at which they skip it.
 */
function toInstant(wall: Temporal.PlainDateTime, zone: string, pick: 'earlier' | 'later'): number {
  const found = wall.toZonedDateTime(zone, { disambiguation: pick });
  if (found.toPlainDateTime().equals(wall)) return found.epochMilliseconds;
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return before.getTimeZoneTransition('next')?.epochMilliseconds ?? found.epochMilliseconds;
}

/** Chooses the time that makes the window shorter, where the clocks show two times for a boundary. */
function toOpenTime({ start, end }: CallingWindow, date: Temporal.PlainDate, zone: string): OpenTime {
  const at = (time: string) =>
    time === '24:00'
      ? date.add({ days: 1 }).toPlainDateTime()
      : date.toPlainDateTime(Temporal.PlainTime.from(time));
  const closesAt = toInstant(at(end), zone, 'earlier');
  const opensAt = toInstant(at(start), zone, 'later');
  // Both boundaries are in the repeated hour: the window is open in its first run.
  return { opensAt: opensAt < closesAt ? opensAt : toInstant(at(start), zone, 'earlier'), closesAt };
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * The times of a day. On a day without a clock change, they follow from its beginning: a conversion for each boundary
 * would take a server seconds for hundreds of zones.
 */
function toOpenTimes(windows: CallingWindow[], date: Temporal.PlainDate, zone: string): OpenTime[] {
  const beginning = (of: Temporal.PlainDate) => of.toZonedDateTime(zone).epochMilliseconds;
  const midnight = beginning(date);
  if (beginning(date.add({ days: 1 })) - midnight !== DAY_MS) {
    return windows.map((window) => toOpenTime(window, date, zone));
  }
  return windows.map(({ start, end }) => ({
    opensAt: midnight + toMinutes(start) * MINUTE_MS,
    closesAt: midnight + toMinutes(end) * MINUTE_MS,
  }));
}

/** The clocks can skip a window of one day a week once. */
const MAX_DAYS_AHEAD = 15;

/**
 * The time in which the windows are open now, or the next one. Windows that touch are one time.
 * @param windows one at least
 * @param zone its name in the IANA database
 * @param now milliseconds since 1970
 */
export function openTimeAround(windows: CallingWindow[], zone: string, now: number): OpenTime {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  let found: OpenTime | undefined;
  // A day may be open beyond midnight by UTC, or after the clocks went back.
  for (let offset = -1; offset <= MAX_DAYS_AHEAD; offset++) {
    const date = today.add({ days: offset });
    const day = DAYS[date.dayOfWeek - 1] as Day;
    const ofDay = windows.filter(({ days }) => days.includes(day));
    const times = (ofDay.length === 0 ? [] : toOpenTimes(ofDay, date, zone))
      .filter(({ opensAt, closesAt }) => opensAt < closesAt)
      .sort((a, b) => a.opensAt - b.opensAt);
    for (const time of times) {
      if (found && time.opensAt <= found.closesAt) {
        found.closesAt = Math.max(found.closesAt, time.closesAt);
      } else if (found && found.closesAt > now) {
        return found;
      } else {
        found = { ...time };
      }
    }
    if (found && found.closesAt > now && offset >= 1 && times.length === 0) return found;
  }
  if (!found || found.closesAt <= now) throw new Error(`No window opens in ${zone}.`);
  return found;
}
