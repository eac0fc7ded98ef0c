import { texts } from '../texts';
import styles from './time-text.module.css';

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const thisYear = new Intl.DateTimeFormat(undefined, { ...DAY, ...TIME });
const otherYear = new Intl.DateTimeFormat(undefined, { ...DAY, year: 'numeric', ...TIME });
const clock = new Intl.DateTimeFormat(undefined, TIME);

const formatOf = (date: Date) => (date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear);

/** For the hover of a time. */
export const utcText = (at: Date) =>
  texts.common.utc(
    at
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ''),
  );

interface Props {
  /** ISO 8601 */
  at: string | null | undefined;
  /** Only the time of the day. */
  isClock?: boolean;
}

/** A time in the viewer's zone, with UTC on hover. */
export function TimeText({ at, isClock = false }: Props) {
  if (!at) return texts.common.none;
  const date = new Date(at);
  return (
    <time dateTime={at} title={utcText(date)} className={styles.time}>
      {(isClock ? clock : formatOf(date)).format(date)}
    </time>
  );
}

/** Seconds as 1:05 or 1:02:03. */
export function durationText(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const [hours, minutes, rest] = parts as [number, number, number];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
