import { sumBucket, countContacts, isInBucket, type Series, type Sums, useSeries } from '../../api/series';
import { type Bar, BarChart } from '../../ui/chart/bar-chart';
import { type Counted, countedText, toFilters } from '../../domain/counted-calls';
import { CountedField } from '../../domain/counted-field';
import { daysBefore, dayText, momentText, zone } from '../../ui/moment';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { FigureTiles } from '../../domain/figure-tiles';
import { SumsTable } from '../../domain/sums-table';
import { Table } from '../../ui/table/table';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { useMinute } from '../../ui/use-minute';
import { texts } from '../../texts';
import styles from './overview.module.css';

const labels = texts.overview;

const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' });

const countCalls = (bucket: Series['buckets'][number] | undefined) => (bucket ? sumBucket(bucket).calls : 0);

/** The hours of a day, matched with last week's by the clock, because a day may have 23 or 25 hours. */
function toBars(today: Series, before: Series | undefined): Bar[] {
  const byHour = new Map(
    before?.buckets.map((bucket) => [momentText(bucket.start, { isClock: true }), bucket]),
  );
  return today.buckets.map((bucket) => {
    const label = momentText(bucket.start, { isClock: true });
    const [value, then] = [countCalls(bucket), countCalls(byHour.get(label))];
    const isNow = isInBucket(bucket, today.as_of);
    const title = labels.hourTitle(isNow ? texts.common.soFar(label) : label, value, then);
    return { label, value, before: then, isUnfinished: isNow, title };
  });
}

/** The figures that are shown large. */
const TILES = ['calls', 'rate', 'reached', 'failed', 'seconds', 'average', 'credits'];

const toSums = (series: Series): Sums => ({ ...series.totals, ...countContacts(series) });

/** Reads the counted calls of today, and those of the same day of last week. */
export function useToday(counted: Counted) {
  const now = useMinute();
  const weekBefore = daysBefore(now, 7);
  const [day, dayBefore] = [dayText(now), dayText(weekBefore)];
  const hours = { interval: 'hour', timezone: zone } as const;
  const common = { ...hours, ...toFilters(counted), group_by: 'disconnect_reason' } as const;
  const today = useSeries({ ...common, start_date: day, end_date: day });
  const wholeDay = useSeries({ ...common, start_date: dayBefore, end_date: dayBefore });
  const soFar = useSeries({ ...common, start_date: dayBefore, end_date: weekBefore.toISOString() });
  const allCalls = useSeries({ ...hours, start_date: day, end_date: day }, counted !== 'all');
  return {
    ...{ counted, today, wholeDay, soFar },
    allCalls: counted === 'all' ? undefined : allCalls.data?.totals.calls,
    weekdayBefore: dayFormat.format(weekBefore),
  };
}

/** The calls of today, beside the calls of the same day of last week. */
export function Today({ found }: { found: ReturnType<typeof useToday> }) {
  const [, setParameters] = useQueryParameters();
  const { counted, today, wholeDay, soFar, allCalls, weekdayBefore } = found;
  return (
    <Section title={labels.today} actions={<CountedField counted={counted} onChange={setParameters} />}>
      <Loaded query={today}>
        {(series) => (
          <>
            <FigureTiles
              label={labels.todayCaption}
              keys={TILES}
              now={toSums(series)}
              before={soFar.data && toSums(soFar.data)}
            />
            <p>{countedText(counted, series.totals.calls, allCalls)}</p>
            <p className={styles.muted}>{labels.todayText(weekdayBefore)}</p>
            <h3>{labels.hoursTitle(weekdayBefore)}</h3>
            <BarChart
              label={labels.hours}
              bars={toBars(series, wholeDay.data)}
              periods={{ now: labels.columns.today, before: weekdayBefore }}
            />
            <details>
              <summary>{labels.tables}</summary>
              <div className={styles.columns}>
                <SumsTable
                  caption={labels.todayCaption}
                  what={labels.columns.what}
                  now={{ header: labels.columns.today, totals: toSums(series) }}
                  before={{
                    header: labels.columns.lastWeek,
                    change: labels.columns.change,
                    totals: soFar.data && toSums(soFar.data),
                  }}
                  other={{ header: labels.columns.wholeDay, totals: wholeDay.data && toSums(wholeDay.data) }}
                />
                <HoursTable bars={toBars(series, wholeDay.data)} day={weekdayBefore} />
              </div>
            </details>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const HoursTable = ({ bars, day }: { bars: Bar[]; day: string }) => (
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
);
