import { allOf, countContacts, type Series, type Sums, useSeries } from '../../api/series';
import { type Bar, BarChart } from '../../ui/chart/bar-chart';
import { daysBefore, dayText, momentText, zone } from '../../ui/moment';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { SumsTable } from '../../domain/sums-table';
import { Table } from '../../ui/table/table';
import { useMinute } from '../../ui/use-minute';
import { texts } from '../../texts';
import styles from './overview.module.css';

const labels = texts.overview;

const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' });

const callsOf = (bucket: Series['buckets'][number] | undefined) => (bucket ? allOf(bucket).calls : 0);

/** The hours of a day, matched with last week's by the clock, because a day may have 23 or 25 hours. */
function toBars(today: Series, before: Series | undefined): Bar[] {
  const byHour = new Map(
    before?.buckets.map((bucket) => [momentText(bucket.start, { isClock: true }), bucket]),
  );
  return today.buckets.map((bucket) => {
    const label = momentText(bucket.start, { isClock: true });
    return { label, value: callsOf(bucket), before: callsOf(byHour.get(label)) };
  });
}

const sumsOf = (series: Series): Sums => ({ ...series.totals, ...countContacts(series) });

/** The calls of today, beside the calls of the same day of last week. */
export function Today() {
  const now = useMinute();
  const weekBefore = daysBefore(now, 7);
  const [day, dayBefore] = [dayText(now), dayText(weekBefore)];
  const common = { interval: 'hour', timezone: zone, group_by: 'disconnect_reason' } as const;
  const today = useSeries({ ...common, start_date: day, end_date: day });
  const wholeDay = useSeries({ ...common, start_date: dayBefore, end_date: dayBefore });
  const soFar = useSeries({ ...common, start_date: dayBefore, end_date: weekBefore.toISOString() });
  return (
    <div className={styles.columns}>
      <Section title={labels.today}>
        <Loaded query={today}>
          {(series) => (
            <SumsTable
              caption={labels.todayCaption}
              what={labels.columns.what}
              now={{ header: labels.columns.today, totals: sumsOf(series) }}
              before={{
                header: labels.columns.lastWeek,
                change: labels.columns.change,
                totals: soFar.data && sumsOf(soFar.data),
              }}
              other={{ header: labels.columns.wholeDay, totals: wholeDay.data && sumsOf(wholeDay.data) }}
            />
          )}
        </Loaded>
        <p className={styles.muted}>{labels.todayText}</p>
      </Section>
      <Section title={labels.hours}>
        <Loaded query={today}>
          {(series) => <Hours bars={toBars(series, wholeDay.data)} day={dayFormat.format(weekBefore)} />}
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
