import { useEffect, useState } from 'react';
import { type Series, sumOf, useSeries } from '../../api/series';
import { type Bar, BarChart } from '../../components/bar-chart';
import { daysBefore, dayText, zone } from '../../components/days';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { SumsTable } from '../../components/sums-table';
import { Table } from '../../components/table';
import { texts } from '../../texts';
import styles from './overview.module.css';

const labels = texts.overview;

/** The time, in whole minutes: the numbers of last week end at the same time of the day. */
function useMinute(): Date {
  const minute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const [now, setNow] = useState(minute);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(minute()), 60_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

const hourFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' });

const callsOf = (bucket: Series['buckets'][number] | undefined) => (bucket ? sumOf(bucket.groups).calls : 0);

/** The hours of a day, each beside the same hour a week before: by the clock, since a day may have 23 or 25 hours. */
function barsOf(today: Series, before: Series | undefined): Bar[] {
  const byHour = new Map(
    before?.buckets.map((bucket) => [hourFormat.format(new Date(bucket.start)), bucket]),
  );
  return today.buckets.map((bucket) => {
    const label = hourFormat.format(new Date(bucket.start));
    return { label, value: callsOf(bucket), before: callsOf(byHour.get(label)) };
  });
}

/** The calls of today beside those of the same day of last week. */
export function Today() {
  const now = useMinute();
  const weekBefore = daysBefore(now, 7);
  const [day, dayBefore] = [dayText(now), dayText(weekBefore)];
  const common = { interval: 'hour', timezone: zone } as const;
  const today = useSeries({ ...common, start_date: day, end_date: day });
  const wholeDay = useSeries({ ...common, start_date: dayBefore, end_date: dayBefore });
  const soFar = useSeries({ ...common, start_date: dayBefore, end_date: weekBefore.toISOString() });
  return (
    <div className={styles.columns}>
      <Section title={labels.today}>
        <Loaded query={today}>
          {({ totals }) => (
            <SumsTable
              caption={labels.todayCaption}
              what={labels.columns.what}
              now={{ header: labels.columns.today, totals }}
              before={{
                header: labels.columns.lastWeek,
                change: labels.columns.change,
                totals: soFar.data?.totals,
              }}
              other={{ header: labels.columns.wholeDay, totals: wholeDay.data?.totals }}
            />
          )}
        </Loaded>
        <p className={styles.muted}>{labels.todayText}</p>
      </Section>
      <Section title={labels.hours}>
        <Loaded query={today}>
          {(series) => <Hours bars={barsOf(series, wholeDay.data)} day={dayFormat.format(weekBefore)} />}
        </Loaded>
      </Section>
    </div>
  );
}

const Hours = ({ bars, day }: { bars: Bar[]; day: string }) => (
  <>
    <BarChart
      label={labels.hours}
      bars={bars}
      titleOf={({ label, value, before = 0 }) => labels.hourTitle(label, value, before)}
    />
    <p className={styles.muted}>{labels.hoursText(day)}</p>
    <details>
      <summary>{labels.hoursTable}</summary>
      <Table
        caption={labels.hoursTable}
        rows={bars}
        rowKey={({ label }) => label}
        columns={[
          { key: 'hour', header: labels.hour, cell: ({ label }) => label },
          { key: 'today', header: labels.columns.today, cell: ({ value }) => value, align: 'end' },
          { key: 'before', header: day, cell: ({ before }) => before, align: 'end' },
        ]}
      />
    </details>
  </>
);
