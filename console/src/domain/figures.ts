import type { Sums } from '../api/series';
import { texts } from '../texts';
import { durationText } from '../ui/moment';
import { type SampleOf, smallText } from './small-sample';

const labels = texts.sums;

/** A figure of the calls in a time. */
export interface Figure {
  key: string;
  name: string;
  of: (sums: Sums) => number;
  show: (value: number) => string;
  /** Whether the value is a share, whose change is shown in percentage points. */
  isShare?: boolean;
  /** Whether it is better when there is more or less of it. Left out: neither. */
  better?: 'more' | 'less';
  /** The kind of calls that a rate or an average is of. Left out: the figure is a sum, which is exact whatever it is. */
  sampleOf?: Exclude<SampleOf, 'answers'>;
}

type Sampled = Partial<Record<Exclude<SampleOf, 'answers'>, number>>;

/** Says that a figure is of few calls; undefined: it is not. */
export const findSmallText = ({ sampleOf }: Pick<Figure, 'sampleOf'>, sums: Sampled) =>
  sampleOf && smallText(sampleOf, sums[sampleOf] ?? 0);

const whole = new Intl.NumberFormat();
const count = (value: number) => whole.format(value);
const countIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : count(value));
const durationIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : durationText(value));
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const percentIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : percent.format(value));
const decimal = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const decimalIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : decimal.format(value));
const divide = (credits: number, calls: number) => (calls === 0 ? NaN : credits / calls);
const relative = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** The figures in the order in which they are shown. */
export const FIGURES: Figure[] = [
  { key: 'calls', name: labels.calls, of: ({ calls }) => calls, show: count },
  {
    key: 'connected',
    name: labels.connected,
    of: ({ connected }) => connected,
    show: count,
    better: 'more',
  },
  {
    key: 'rate',
    name: labels.rate,
    of: ({ calls, connected }) => connected / calls,
    sampleOf: 'calls',
    show: percentIfKnown,
    isShare: true,
    better: 'more',
  },
  {
    key: 'reached',
    name: labels.reached,
    of: ({ reached = NaN }) => reached,
    show: countIfKnown,
    better: 'more',
  },
  {
    key: 'contact',
    name: labels.contact,
    of: ({ reached = NaN, calls }) => reached / calls,
    sampleOf: 'calls',
    show: percentIfKnown,
    isShare: true,
    better: 'more',
  },
  { key: 'voicemail', name: labels.voicemail, of: ({ voicemail = NaN }) => voicemail, show: countIfKnown },
  {
    key: 'inactivity',
    name: labels.inactivity,
    of: ({ inactivity = NaN }) => inactivity,
    show: countIfKnown,
    better: 'less',
  },
  { key: 'failed', name: labels.failed, of: ({ failed }) => failed, show: count, better: 'less' },
  {
    key: 'seconds',
    name: labels.seconds,
    of: ({ calls, seconds }) => (calls === 0 ? NaN : seconds),
    show: durationIfKnown,
  },
  {
    key: 'average',
    name: labels.average,
    of: ({ connected, average_duration_sec }) => (connected === 0 ? NaN : average_duration_sec),
    sampleOf: 'connected',
    show: durationIfKnown,
  },
  { key: 'credits', name: labels.credits, of: ({ credits }) => credits, show: count },
  {
    key: 'cost',
    name: labels.cost,
    of: ({ credits, connected }) => divide(credits, connected),
    sampleOf: 'connected',
    show: decimalIfKnown,
    better: 'less',
  },
  {
    key: 'reachedCost',
    name: labels.reachedCost,
    of: ({ credits, reached = NaN }) => divide(credits, reached),
    sampleOf: 'reached',
    show: decimalIfKnown,
    better: 'less',
  },
];

const tenths = (share: number) => Math.round(1_000 * share) / 10;

export interface Change {
  text: string;
  /** The sign of the change. */
  sign: -1 | 0 | 1;
  tone: 'good' | 'bad' | 'plain';
}

/** The change of a value that is above 0. */
export const findRelativeChange = (value: number, before: number, better: Figure['better']): Change => {
  const difference = value / before - 1;
  // A change that is shown as 0 has no direction.
  return toChange(difference, relative.format(difference), Math.round(100 * difference) === 0, better);
};

function toChange(difference: number, text: string, isSame: boolean, better: Figure['better']): Change {
  if (isSame) return { text, sign: 0, tone: 'plain' };
  const isMore = difference > 0;
  const tone = better === undefined ? 'plain' : isMore === (better === 'more') ? 'good' : 'bad';
  return { text, sign: isMore ? 1 : -1, tone };
}

/** The change of a figure since another time; undefined if one of the two is not known, or the first is 0. */
export function findChange({ of, isShare, better }: Figure, now: Sums, before: Sums): Change | undefined {
  const [value, valueBefore] = [of(now), of(before)];
  if (Number.isNaN(value) || Number.isNaN(valueBefore)) return undefined;
  if (!isShare) return valueBefore > 0 ? findRelativeChange(value, valueBefore, better) : undefined;
  // The difference of the rounded shares, which are the shares that are shown.
  const difference = tenths(value) - tenths(valueBefore);
  return toChange(
    difference,
    labels.points(points.format(difference)),
    Math.round(10 * difference) === 0,
    better,
  );
}
