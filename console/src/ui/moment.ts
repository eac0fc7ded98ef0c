import { texts } from '../texts';

/** The viewer's time zone. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A clock of 24 hours shows each hour with two digits. */
export const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12
  ? 'numeric'
  : '2-digit';

interface Options {
  /** The IANA name of the zone; left out: the viewer's zone. */
  timeZone?: string;
  /** Whether to show only the time of the day. */
  isClock?: boolean;
  hasSeconds?: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats times in the viewer's locale, which also chooses between 12 and 24 hours, as in the browser's fields. */
export function getFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(key, format);
  return format;
}

const getYearFormat = (date: Date) =>
  date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';

/** Formats a time for tables, sentences and dialogs: 23 Nov, 08:05. */
export function momentText(
  at: string | number | Date,
  { timeZone, isClock, hasSeconds }: Options = {},
): string {
  const date = new Date(at);
  return getFormat({
    ...(isClock ? {} : { day: 'numeric', month: 'short', year: getYearFormat(date) }),
    hour,
    minute: '2-digit',
    second: hasSeconds ? '2-digit' : undefined,
    timeZone,
  }).format(date);
}

/** 08:05:12 */
export const clockText = (at: string | number | Date) => momentText(at, { isClock: true, hasSeconds: true });

/** A day without a clock: 23 Nov. @param day as 2026-01-31 */
export function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return getFormat({ day: 'numeric', month: 'short', year: getYearFormat(date), timeZone: 'UTC' }).format(
    date,
  );
}

/** A time of the day without a date: 17:30, or 5:30 PM. @param clock as 17:30, or 24:00 */
export function hoursText(clock: string): string {
  const format = getFormat({ hour, minute: '2-digit', timeZone: 'UTC' });
  if (clock === '24:00' && !format.resolvedOptions().hour12) return clock;
  return format.format(new Date(`2026-01-01T${clock === '24:00' ? '00:00' : clock}:00Z`));
}

/** An hour of the day, for a scale: 09, or 9 AM. */
export const hourText = (ofDay: number) =>
  getFormat({ hour, timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 0, 1, ofDay)));

/** The tooltip of a time: with seconds and zone, and in UTC. */
export function exactText(at: string | number | Date, timeZone = zone): string {
  const date = new Date(at);
  const options = { dateStyle: 'full', timeStyle: 'medium' } as const;
  const utc = getFormat({ ...options, timeZone: 'UTC' }).format(date);
  return texts.common.exactTime(getFormat({ ...options, timeZone }).format(date), timeZone, utc);
}

const two = (value: number) => String(value).padStart(2, '0');

/** A day of the viewer's zone, as 2026-01-31. */
export const dayText = (date: Date) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Formats a time for an input, by the viewer's clock; '': there is none. */
export function inputText(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  return `${dayText(date)}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Whether the browser knows a zone by this name. */
export function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The same clock time some days before. */
export function daysBefore(date: Date, days: number): Date {
  const before = new Date(date);
  before.setDate(before.getDate() - days);
  return before;
}

/** Seconds as 1:05 or 1:02:03. */
export function durationText(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const [hours, minutes, rest] = parts as [number, number, number];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Milliseconds as 1.2 s. */
export const latencyText = (ms: number) => texts.common.seconds((ms / 1_000).toFixed(1));
