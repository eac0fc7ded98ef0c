import { memo } from 'react';
import { isInBucket, sumBucket, type Series, type SeriesSums } from '../../api/series';
import { MIN_SAMPLE, sampleText } from '../../domain/small-sample';
import { BarChart } from '../../ui/chart/bar-chart';
import { LineChart } from '../../ui/chart/line-chart';
import { getStrokes, Legend, MAX_LINES } from '../../ui/chart/part-fills';
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

/** A metric over time, with a line for each group if there are groups. A click leads to the calls. */
export const Trend = memo(function Trend({ report, series, before: seriesBefore }: Props) {
  const { metric, group } = report;
  const title = labels.chart(metric.name);
  const names = bucketNames(series);
  const parts = group && toParts(series, MAX_LINES);
  const before = parts ? undefined : seriesBefore;
  const show = (sums: SeriesSums) =>
    metric.sampleOf === undefined ? metric.show(metric.of(sums)) : showWithCalls(metric, sums);
  const columns = series.buckets.map((bucket, index) => {
    const label = names[index] ?? '';
    const sums = sumBucket(bucket);
    const then = before?.buckets[index];
    const valueBefore = then ? metric.of(sumBucket(then)) : NaN;
    const ofParts = parts?.of(bucket) ?? [];
    const isUnfinished = isInBucket(bucket, series.as_of);
    const name = isUnfinished ? texts.common.soFar(label) : label;
    return {
      label,
      isUnfinished,
      value: orZero(metric.of(sums)),
      isPale: isSmallSample(metric, sums),
      before: before && orZero(valueBefore),
      points: ofParts.map((part) => ({
        // A time in the future has no value, not the value 0.
        value: Date.parse(bucket.start) > Date.parse(series.as_of) ? NaN : metric.of(part),
        isPale: isSmallSample(metric, part),
      })),
      href: sums.calls > 0 ? callsHref(report, getBucketBounds(bucket)) : undefined,
      title: [
        labels.barTitle(name, show(sums), before && metric.show(valueBefore)),
        ...ofParts.map((part, place) => labels.partTitle(parts?.list[place]?.name ?? '', show(part))),
      ].join('\n'),
    };
  });
  const values = columns.flatMap(({ value, before: then = 0, points }) =>
    parts ? points.map((point) => orZero(point.value)) : [value, then],
  );
  const scale = {
    maximum: metric.isShare ? 1 : undefined,
    unit: getUnit(metric, Math.max(0, ...values)),
    show: metric.show,
  };
  const isPale = columns.some((column) =>
    parts ? column.points.some((point) => point.isPale) : column.isPale,
  );
  return (
    <Section title={title}>
      {parts ? (
        <>
          <Legend parts={parts.list} fills={getStrokes(parts.list)} />
          <LineChart label={title} columns={columns} parts={parts.list} {...scale} />
        </>
      ) : (
        <BarChart
          label={title}
          bars={columns}
          periods={before && { now: labels.period, before: labels.before }}
          {...scale}
        />
      )}
      <p className={styles.muted}>
        {labels.chartHelp} {columns.some(({ isUnfinished }) => isUnfinished) && texts.common.unfinished}{' '}
        {isPale && labels.smallBars(sampleText(getSampleOf(metric), MIN_SAMPLE))}
      </p>
    </Section>
  );
});
