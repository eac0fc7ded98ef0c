import { memo } from 'react';
import { BarChart } from '../../ui/chart/bar-chart';
import { Legend, MAX_PARTS } from '../../ui/chart/part-fills';
import { ShareBar } from '../../ui/chart/share-bar';
import { Button } from '../../ui/button';
import { saveCsv } from '../../ui/csv';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table/table';
import { isInBucket, type Series, sumBucket } from '../../api/series';
import { texts } from '../../texts';
import { Link } from 'wouter';
import { callsHref, groupHref } from './call-links';
import { bucketNames } from './period';
import type { ReportQuery } from './report-query';
import {
  getBucketBounds,
  ENDED,
  type GroupRow,
  SUM_CELLS,
  toGroupRows,
  toParts,
  toRows,
  untilNow,
} from './rows';
import styles from './analytics.module.css';

const labels = texts.analytics;
const sums = texts.sums;

/** The number of outcomes in the table. The group "outcome" has all. */
const SHOWN = 8;

interface Props {
  report: ReportQuery;
  series: Series;
}

/** The outcomes of connected calls, over time and in total. */
export const Outcomes = memo(function Outcomes({ report, series: whole }: Props) {
  const series = untilNow(whole);
  const parts = toParts(series, MAX_PARTS);
  const names = bucketNames(series);
  const save = () =>
    saveCsv(
      `outcomes by ${series.interval}`,
      [['start', ({ at }) => at], ['outcome', ({ group }) => group], ...SUM_CELLS],
      toRows(series, true),
    );
  const bars = series.buckets.map((bucket, index) => {
    const label = names[index] ?? '';
    const value = sumBucket(bucket).calls;
    const ofParts = parts.of(bucket).map(({ calls }) => calls);
    const isNow = isInBucket(bucket, series.as_of);
    return {
      label,
      value,
      parts: ofParts,
      isUnfinished: isNow,
      href: value > 0 ? callsHref(report, getBucketBounds(bucket), { status: ENDED }) : undefined,
      title: [
        labels.barTitle(isNow ? texts.common.soFar(label) : label, value.toLocaleString(), undefined),
        ...ofParts.map((calls, place) =>
          labels.partTitle(parts.list[place]?.name ?? '', calls.toLocaleString()),
        ),
      ].join('\n'),
    };
  });
  const rows = toGroupRows(series).slice(0, SHOWN);
  const getLink = ({ key, group }: GroupRow) => {
    const href = groupHref(report, 'outcome', key, { status: ENDED });
    return href ? <Link href={href}>{group}</Link> : group;
  };
  return (
    <Section
      title={labels.outcomes}
      actions={series.totals.calls > 0 && <Button onClick={save}>{texts.common.exportCsv}</Button>}
    >
      {series.totals.calls === 0 ? (
        <p className={styles.muted}>{labels.noOutcomes}</p>
      ) : (
        <div className={styles.columns}>
          <div className={styles.stack}>
            <Legend parts={parts.list} />
            <BarChart label={labels.outcomes} bars={bars} parts={parts.list} />
          </div>
          <div className={styles.stack}>
            <Table
              caption={labels.outcomes}
              rows={rows}
              rowKey={({ place }) => String(place)}
              columns={[
                { key: 'outcome', header: labels.groups.outcome, cell: getLink },
                {
                  key: 'calls',
                  header: sums.calls,
                  cell: ({ calls }) => calls.toLocaleString(),
                  align: 'end',
                },
                {
                  key: 'share',
                  header: labels.shareOfOutcomes,
                  cell: ({ share }) => <ShareBar share={share} />,
                },
              ]}
            />
            <p className={styles.muted}>{labels.outcomesText}</p>
          </div>
        </div>
      )}
    </Section>
  );
});
