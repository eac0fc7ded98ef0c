import { memo } from 'react';
import { sumBucket, type Series } from '../../api/series';
import { BarChart } from '../../ui/chart/bar-chart';
import { Legend, MAX_PARTS } from '../../ui/chart/bar-chart-fills';
import { Section } from '../../ui/page';
import { texts } from '../../texts';
import { callsHref } from './call-links';
import { getUnit } from './metrics';
import { bucketNames } from './period';
import type { ReportQuery } from './report-query';
import { getBucketBounds, toParts } from './rows';
import styles from './analytics.module.css';

const { analytics: labels } = texts;

interface Props {
  report: ReportQuery;
  series: Series;
  /** The series of the period before; undefined: there is none. */
  before: Series | undefined;
}

/** A metric over time. A bar leads to its calls. */
export const Trend = memo(function Trend({ report, series, before }: Props) {
  const { metric } = report;
  const title = labels.chart(metric.name);
  const names = bucketNames(series);
  // The rates and averages of groups do not add up to a bar.
  const parts = report.group && metric.isSum ? toParts(series, metric, MAX_PARTS) : undefined;
  const getValue = (bucket: Series['buckets'][number] | undefined) => bucket && metric.of(sumBucket(bucket));
  const values = series.buckets.map(getValue);
  const isKnown = (value: number | undefined) => value !== undefined && !Number.isNaN(value);
  const bars = series.buckets.map((bucket, index) => {
    const [value, then] = [values[index] ?? NaN, getValue(before?.buckets[index])];
    return {
      label: names[index] ?? '',
      value: isKnown(value) ? value : 0,
      parts: parts?.of(bucket),
      before: isKnown(then) ? then : before && 0,
      href: sumBucket(bucket).calls > 0 ? callsHref(report, getBucketBounds(bucket)) : undefined,
    };
  });
  const largest = Math.max(0, ...bars.flatMap(({ value, before: then = 0 }) => [value, then]));
  return (
    <Section title={title}>
      {parts && <Legend parts={parts.list} />}
      <BarChart
        label={title}
        bars={bars}
        parts={parts?.list}
        maximum={metric.isShare ? 1 : undefined}
        unit={getUnit(metric, largest)}
        show={metric.show}
        periods={before && { now: labels.period, before: labels.before }}
        getTitle={({ label, before: then, parts: ofParts = [] }, index) =>
          [
            labels.barTitle(
              label,
              metric.show(values[index] ?? NaN),
              then === undefined ? undefined : metric.show(getValue(before?.buckets[index]) ?? NaN),
            ),
            ...ofParts.map((value, place) =>
              labels.partTitle(parts?.list[place]?.name ?? '', metric.show(value)),
            ),
          ].join('\n')
        }
      />
      <p className={styles.muted}>{labels.chartHelp}</p>
    </Section>
  );
});
