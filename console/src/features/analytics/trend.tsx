import { memo } from 'react';
import { sumBucket, type Series, type SeriesSums } from '../../api/series';
import { MIN_SAMPLE, sampleText } from '../../domain/small-sample';
import { BarChart } from '../../ui/chart/bar-chart';
import { Legend, MAX_PARTS } from '../../ui/chart/bar-chart-fills';
import { Section } from '../../ui/page';
import { texts } from '../../texts';
import { callsHref } from './call-links';
import { getSampleOf, getUnit, isSmallSample, showWithCalls } from './metrics';
import { bucketNames } from './period';
import type { ReportQuery } from './report-query';
import { getBucketBounds, toParts } from './rows';
import styles from './analytics.module.css';

const labels = texts.analytics;

interface Props {
  report: ReportQuery;
  series: Series;
  /** The series of the period before; undefined: there is none. */
  before: Series | undefined;
}

const orZero = (value: number) => (Number.isNaN(value) ? 0 : value);

/** The largest value, that of an unknown one being 0. */
const findLargest = (values: number[]) => Math.max(0, ...values.map(orZero));

/** A metric over time, also by group. A bar leads to its calls. */
export const Trend = memo(function Trend({ report, series, before: seriesBefore }: Props) {
  const { metric } = report;
  const title = labels.chart(metric.name);
  const names = bucketNames(series);
  const parts = report.group && toParts(series, MAX_PARTS);
  // The rates and averages of groups do not add up to a bar.
  const areBeside = parts !== undefined && metric.sampleOf !== undefined;
  const before = areBeside ? undefined : seriesBefore;
  const show = (sums: SeriesSums) =>
    metric.sampleOf === undefined ? metric.show(metric.of(sums)) : showWithCalls(metric, sums);
  const bars = series.buckets.map((bucket, index) => {
    const label = names[index] ?? '';
    const sums = sumBucket(bucket);
    const then = before?.buckets[index];
    const valueBefore = then ? metric.of(sumBucket(then)) : NaN;
    const ofParts = parts?.of(bucket) ?? [];
    const drawn = parts ? ofParts : [sums];
    const values = drawn.map(metric.of);
    return {
      label,
      value: areBeside ? findLargest(values) : orZero(metric.of(sums)),
      parts: parts && values,
      pale: drawn.map((each) => isSmallSample(metric, each)),
      before: before && orZero(valueBefore),
      href: sums.calls > 0 ? callsHref(report, getBucketBounds(bucket)) : undefined,
      title: [
        labels.barTitle(label, show(sums), before && metric.show(valueBefore)),
        ...ofParts.map((part, place) => labels.partTitle(parts?.list[place]?.name ?? '', show(part))),
      ].join('\n'),
    };
  });
  const largest = findLargest(bars.flatMap(({ value, before: then = 0 }) => [value, then]));
  return (
    <Section title={title}>
      {parts && <Legend parts={parts.list} />}
      <BarChart
        label={title}
        bars={bars}
        parts={parts?.list}
        areBeside={areBeside}
        maximum={metric.isShare ? 1 : undefined}
        unit={getUnit(metric, largest)}
        show={metric.show}
        periods={before && { now: labels.period, before: labels.before }}
        getTitle={({ title }) => title}
      />
      <p className={styles.muted}>
        {labels.chartHelp}{' '}
        {bars.some(({ pale }) => pale.includes(true)) &&
          labels.smallBars(sampleText(getSampleOf(metric), MIN_SAMPLE))}
      </p>
    </Section>
  );
});
