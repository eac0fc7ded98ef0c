import { useEffect, useState } from 'react';
import { texts } from '../../../texts';
import { hoursText, hourText } from '../../../ui/moment';
import { type CallingWindow, DAYS, toMinutes, windowsText, windowText } from './plan';
import styles from './plan.module.css';

const labels = texts.campaigns;

const DAY_MINUTES = 1_440;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21];
const ROW = 24;
const BAR = 16;

/** The day of the week and the minute of the day in a zone; undefined: there is no such zone. */
function nowIn(zone: string) {
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
    const parts = new Map(format.formatToParts().map(({ type, value }) => [type, value]));
    const clock = `${parts.get('hour')}:${parts.get('minute')}`;
    const day = DAYS.findIndex((name) => name === parts.get('weekday')?.toLowerCase());
    return { day, minute: toMinutes(clock), clock };
  } catch {
    return undefined;
  }
}

function useMinutes(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => tick((count) => count + 1), 60_000);
    return () => window.clearInterval(timer);
  }, []);
}

/** The windows of a campaign, as a picture of the week and as text. */
export function WeekPicture({ windows, zone }: { windows: CallingWindow[]; zone: string }) {
  useMinutes();
  const now = nowIn(zone);
  const every = { days: DAYS, start: '00:00', end: '24:00' };
  const shown = windows.length === 0 ? [every] : windows;
  return (
    <div className={styles.week}>
      <figure className={styles.picture} role="img" aria-label={labels.week(zone, windowsText(windows))}>
        <div className={styles.days} aria-hidden="true">
          {DAYS.map((day) => (
            <span key={day}>{labels.days[day]}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${DAY_MINUTES} ${DAYS.length * ROW}`}
          preserveAspectRatio="none"
          className={styles.plot}
          aria-hidden="true"
        >
          {DAYS.map((day, row) => (
            <rect
              key={day}
              x={0}
              y={row * ROW + (ROW - BAR) / 2}
              width={DAY_MINUTES}
              height={BAR}
              className={styles.closed}
            />
          ))}
          {shown.flatMap(({ days, start, end }, index) =>
            days.map((day) => (
              <rect
                key={`${index} ${day}`}
                x={toMinutes(start)}
                y={DAYS.indexOf(day) * ROW + (ROW - BAR) / 2}
                width={Math.max(0, toMinutes(end) - toMinutes(start))}
                height={BAR}
                className={styles.open}
              />
            )),
          )}
          {HOURS.map((hour) => (
            <line
              key={hour}
              x1={hour * 60}
              x2={hour * 60}
              y1={0}
              y2={DAYS.length * ROW}
              className={styles.hour}
            />
          ))}
          {now && (
            <line
              x1={now.minute}
              x2={now.minute}
              y1={now.day * ROW}
              y2={(now.day + 1) * ROW}
              className={styles.now}
            />
          )}
        </svg>
        <div className={styles.hours} aria-hidden="true">
          {HOURS.map((hour) => (
            <span key={hour}>{hourText(hour)}</span>
          ))}
        </div>
      </figure>
      <ul className={styles.windows}>
        {windows.length === 0 ? (
          <li>{labels.always}</li>
        ) : (
          windows.map((window, index) => <li key={index}>{windowText(window)}</li>)
        )}
        {now && (
          <li className={styles.small}>
            {labels.weekNow(zone, `${labels.days[DAYS[now.day] ?? 'mon']} ${hoursText(now.clock)}`)}
          </li>
        )}
      </ul>
    </div>
  );
}
