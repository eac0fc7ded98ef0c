import { useSeries } from '../../../api/series';
import { texts } from '../../../texts';
import { Button } from '../../../ui/button';
import { hoursText } from '../../../ui/moment';
import { type AnsweredHours, findBestHours } from './best-hours';
import { type CallingWindow, DAYS } from './plan';
import styles from './plan.module.css';

const { plan: labels } = texts.campaigns;

const DAYS_BACK = 28;
const MAX_WINDOWS = 3;
const DAY_MS = 86_400_000;

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const share = new Intl.NumberFormat(undefined, { style: 'percent' });
const showHours = ({ from, until, answered, calls }: AnsweredHours) =>
  `${hoursText(clock(from))}–${hoursText(clock(until))} (${share.format(answered / calls)})`;

/** The first and the last of the days that are counted. Today is not over, and is left out. */
const getPeriod = (now: number) => ({
  start_date: new Date(now - DAYS_BACK * DAY_MS).toISOString().slice(0, 10),
  end_date: new Date(now - DAY_MS).toISOString().slice(0, 10),
});

const isZone = (name: string) => name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);

interface Props {
  agentId: string;
  zone: string;
  windows: CallingWindow[];
  onChange: (windows: CallingWindow[]) => void;
}

/** The hours in which people answered this agent most often, and a button that takes them as calling hours. */
export function BestHoursHint({ agentId, zone, windows, onChange }: Props) {
  const { data: series } = useSeries(
    {
      ...getPeriod(Date.now()),
      interval: 'hour',
      group_by: 'direction',
      timezone: zone,
      agent_id: agentId,
      call_type: 'phonecall',
    },
    isZone(zone),
  );
  if (!series) return null;
  const { calls, answered, best } = findBestHours(series);
  if (best.length === 0) return null;
  const shown = best.slice(0, MAX_WINDOWS);
  const days = DAYS.filter(
    (day) => windows.length === 0 || windows.some((window) => window.days.includes(day)),
  );
  const use = () =>
    onChange(shown.map(({ from, until }) => ({ days, start: clock(from), end: clock(until) })));
  return (
    <div className={styles.line}>
      <p className={styles.small}>
        {labels.bestHours(shown.map(showHours).join(', '), calls, share.format(answered / calls))}
      </p>
      <Button onClick={use}>{labels.useBestHours}</Button>
    </div>
  );
}
