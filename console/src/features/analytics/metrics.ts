import type { SeriesSums } from '../../api/series';
import { type Figure, FIGURES } from '../../domain/figures';
import { texts } from '../../texts';

/** A figure of the calls of a bucket or a group. */
export interface Metric {
  key: string;
  name: string;
  /** NaN: there are no calls that it is about */
  of: (sums: SeriesSums) => number;
  show: (value: number) => string;
  /** Whether the values of the groups add up to that of all calls. */
  isSum: boolean;
  isShare: boolean;
  /** Whether the value is a time in seconds. */
  isTime: boolean;
}

const SUMS = ['calls', 'connected', 'failed', 'seconds', 'credits'];
const OTHERS = ['rate', 'average', 'cost'];
const TIMES = ['seconds', 'average'];

const toMetric = ({ key, name, of, show, isShare = false }: Figure): Metric => ({
  key,
  name,
  of: (sums) => of({ ...sums, under_way: 0, average_duration_sec: sums.seconds / sums.connected }),
  show: (value) => (Number.isNaN(value) ? texts.common.none : show(value)),
  isSum: SUMS.includes(key),
  isShare,
  isTime: TIMES.includes(key),
});

/** The figures that a series has for each bucket and group. */
export const METRICS = FIGURES.filter(({ key }) => [...SUMS, ...OTHERS].includes(key)).map(toMetric);

export const findMetric = (key: string | null): Metric => {
  const [first] = METRICS;
  const found = METRICS.find((metric) => metric.key === key) ?? first;
  if (!found) throw new Error('There are no metrics');
  return found;
};

/** With fewer calls, a single one changes a rate or an average by far. */
export const MIN_SAMPLE = 5;

/** The calls that a value is about: those of an average and a cost were connected. */
const getSample = ({ isSum, isShare }: Metric, { calls, connected }: SeriesSums) =>
  isSum || isShare ? calls : connected;

/** Whether a value is that of too few calls to say much. A sum is exact whatever it is. */
export function isSmallSample(metric: Metric, sums: SeriesSums): boolean {
  const sample = getSample(metric, sums);
  return !metric.isSum && sample > 0 && sample < MIN_SAMPLE;
}

/** The number of calls as text. */
export const sampleText = ({ isSum, isShare }: Metric, calls: number) =>
  texts.analytics.sample(calls, !isSum && !isShare);

/** A value with the number of the calls that it is about. */
export function showWithCalls(metric: Metric, sums: SeriesSums): string {
  const calls = sampleText(metric, getSample(metric, sums));
  const marks = isSmallSample(metric, sums) ? [calls, texts.analytics.smallSample] : [calls];
  return `${metric.show(metric.of(sums))} (${marks.join(', ')})`;
}

/** The unit of the scale of a metric, whose multiples are round: an hour, a minute, or 1. */
export const getUnit = ({ isTime }: Metric, maximum: number) =>
  !isTime ? 1 : maximum > 2 * 3_600 ? 3_600 : maximum > 120 ? 60 : 1;
