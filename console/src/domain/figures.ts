import type { Sums } from '../api/series';
import { texts } from '../texts';
import { durationText } from '../ui/moment';

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
}

const whole = new Intl.NumberFormat();
const count = (value: number) => whole.format(value);
const countIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : count(value));
const durationIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : durationText(value));
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const percentIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : percent.format(value));
const decimal = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
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
    show: durationIfKnown,
  },
  { key: 'credits', name: labels.credits, of: ({ credits }) => credits, show: count },
  {
    key: 'cost',
    name: labels.cost,
    of: ({ credits, connected }) => credits / connected,
    show: (value) => (Number.isNaN(value) ? texts.common.none : decimal.format(value)),
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
