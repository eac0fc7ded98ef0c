import type { SeriesSums } from '../../api/series';
import { type Figure, FIGURES, findSmallText } from '../../domain/figures';
import { sampleText } from '../../domain/small-sample';
import { texts } from '../../texts';

/** A figure of the calls of a bucket or a group. */
export interface Metric {
  key: string;
  name: string;
  /** NaN: there are no calls that it is about */
  of: (sums: SeriesSums) => number;
  show: (value: number) => string;
  /** Left out: the value is a sum. */
  sampleOf?: 'calls' | 'connected';
  isShare: boolean;
  /** Whether the value is a time in seconds. */
  isTime: boolean;
}

const TIMES = ['seconds', 'average'];

const toMetric = ({ key, name, of, show, isShare = false, sampleOf }: Figure): Metric => ({
  key,
  name,
  of: (sums) => of({ ...sums, under_way: 0, average_duration_sec: sums.seconds / sums.connected }),
  show: (value) => (Number.isNaN(value) ? texts.common.none : show(value)),
  sampleOf: sampleOf === 'reached' ? undefined : sampleOf,
  isShare,
  isTime: TIMES.includes(key),
});

/** The figures that a series has for each bucket and group: it does not know who was reached. */
const KEYS = ['calls', 'connected', 'rate', 'failed', 'seconds', 'average', 'credits', 'cost'];
export const METRICS = FIGURES.filter(({ key }) => KEYS.includes(key)).map(toMetric);

export const findMetric = (key: string | null): Metric => {
  const [first] = METRICS;
  const found = METRICS.find((metric) => metric.key === key) ?? first;
  if (!found) throw new Error('There are no metrics');
  return found;
};

/** Whether a value is that of too few calls to say much. */
export const isSmallSample = (metric: Metric, sums: SeriesSums) => findSmallText(metric, sums) !== undefined;

/** The kind of calls that a value is of: of a sum, all calls. */
export const getSampleOf = ({ sampleOf = 'calls' }: Metric) => sampleOf;

/** A value with the number of the calls that it is of. */
export function showWithCalls(metric: Metric, sums: SeriesSums): string {
  const of = getSampleOf(metric);
  return `${metric.show(metric.of(sums))} (${findSmallText(metric, sums) ?? sampleText(of, sums[of])})`;
}

/** The unit of the scale of a metric, whose multiples are round: an hour, a minute, or 1. */
export const getUnit = ({ isTime }: Metric, maximum: number) =>
  !isTime ? 1 : maximum > 2 * 3_600 ? 3_600 : maximum > 120 ? 60 : 1;
