import { sumBucket, type Contacts, type Series } from '../../api/series';
import { BarChart } from '../../ui/chart/bar-chart';
import { Legend, MAX_PARTS } from '../../ui/chart/bar-chart-fills';
import { Button } from '../../ui/button';
import { Section } from '../../ui/page';
import { ShareBar } from '../../ui/chart/share-bar';
import { SumsTable } from '../../domain/sums-table';
import { type Column, Table } from '../../ui/table/table';
import { dayName, durationText } from '../../ui/moment';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { bucketNames, type Period } from './period';
import { toCsv } from './csv';
import { type GroupRow, toGroupRows, toParts, type Row, toRows } from './rows';
import styles from './analytics.module.css';

const { analytics: labels, sums } = texts;

/** The most rows that a browser shows fast. */
const MAX_ROWS = 500;

interface Props {
  series: Series;
  contacts: Contacts | undefined;
  isGrouped: boolean;
  before?: { period: Period; series: Series | undefined; contacts: Contacts | undefined };
}

const count = (value: number) => value.toLocaleString();

function sumColumns<Sums extends Omit<Row, 'key' | 'at' | 'start' | 'group'>>(): Column<Sums>[] {
  return [
    { key: 'calls', header: sums.calls, cell: ({ calls }) => count(calls), align: 'end' },
    { key: 'connected', header: sums.connected, cell: ({ connected }) => count(connected), align: 'end' },
    { key: 'failed', header: sums.failed, cell: ({ failed }) => count(failed), align: 'end' },
    {
      key: 'seconds',
      header: sums.seconds,
      cell: ({ seconds }) => durationText(seconds),
      align: 'end',
      isMinor: true,
    },
    {
      key: 'credits',
      header: sums.credits,
      cell: ({ credits }) => count(credits),
      align: 'end',
      isMinor: true,
    },
  ];
}

const START: Column<Row> = { key: 'start', header: labels.start, cell: ({ start }) => start };

const GROUP: Column<Row> = { key: 'group', header: labels.group, cell: ({ group }) => group };

const GROUP_COLUMNS: Column<GroupRow>[] = [
  { key: 'group', header: labels.group, cell: ({ group }) => group },
  ...sumColumns<GroupRow>(),
  { key: 'share', header: labels.share, cell: ({ share }) => <ShareBar share={share} />, isMinor: true },
];

/** Saves the rows as a file. */
function save(series: Series, rows: Row[], isGrouped: boolean): void {
  const url = URL.createObjectURL(new Blob([toCsv(rows, isGrouped)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `calls by ${series.interval}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

export function Report({ series, contacts, isGrouped, before }: Props) {
  const rows = toRows(series, isGrouped);
  const names = bucketNames(series);
  const parts = isGrouped ? toParts(series, MAX_PARTS) : undefined;
  const bars = series.buckets.map((bucket, index) => {
    const then = before?.series?.buckets[index];
    return {
      label: names[index] ?? '',
      value: sumBucket(bucket).calls,
      parts: parts?.of(index),
      before: then && sumBucket(then).calls,
    };
  });
  return (
    <>
      <div className={styles.columns}>
        <Section title={labels.totals}>
          <SumsTable
            caption={labels.totals}
            what={texts.overview.columns.what}
            now={{ header: labels.period, totals: { ...series.totals, ...contacts } }}
            before={
              before && {
                header: labels.before,
                change: texts.overview.columns.change,
                totals: before.series && { ...before.series.totals, ...before.contacts },
              }
            }
          />
          {before && (
            <p className={styles.muted}>
              {labels.beforeText(dayName(before.period.start), dayName(before.period.end))}
            </p>
          )}
          <p className={styles.muted}>
            {labels.asOf} <TimeText at={series.as_of} hasSeconds />
          </p>
        </Section>
        <Section title={labels.chart}>
          <BarChart
            label={labels.chart}
            bars={bars}
            periods={before && { now: labels.period, before: labels.before }}
            getTitle={({ label, value, before: then, parts: values = [] }) =>
              [
                labels.barTitle(label, value, then),
                ...values.map((calls, place) => labels.partTitle(parts?.names[place] ?? '', calls)),
              ].join('\n')
            }
          />
          {parts && <Legend names={parts.names} />}
        </Section>
      </div>
      {isGrouped && (
        <Section title={labels.groupsTable}>
          <Table
            caption={labels.groupsTable}
            columns={GROUP_COLUMNS}
            rows={toGroupRows(series)}
            rowKey={({ place }) => String(place)}
          />
        </Section>
      )}
      <Section
        title={labels.table}
        actions={<Button onClick={() => save(series, rows, isGrouped)}>{labels.csv}</Button>}
      >
        {rows.length > MAX_ROWS && <p>{labels.rowsLeftOut(MAX_ROWS, rows.length)}</p>}
        <Table
          caption={labels.table}
          columns={[START, ...(isGrouped ? [GROUP] : []), ...sumColumns<Row>()]}
          rows={rows.slice(0, MAX_ROWS)}
          rowKey={({ key }) => key}
        />
      </Section>
    </>
  );
}
