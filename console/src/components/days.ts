/** The viewer's time zone. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (value: number) => String(value).padStart(2, '0');

/** A day of the viewer's zone, as 2026-01-31. */
export const dayText = (date: Date) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The same time of the clock, some days before. */
export function daysBefore(date: Date, days: number): Date {
  const before = new Date(date);
  before.setDate(before.getDate() - days);
  return before;
}
