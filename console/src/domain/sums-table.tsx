import type { Sums } from '../api/series';
import { texts } from '../texts';
import { type Column, Table } from '../ui/table/table';
import { durationText } from '../ui/moment';

const { sums: labels } = texts;

type Totals = Sums;

interface Row {
  key: string;
  name: string;
  of: (totals: Totals) => number;
  show: (value: number) => string;
  /** Whether the value is a share, whose change is shown in percentage points. */
  isShare?: boolean;
}

const count = (value: number) => value.toLocaleString();
const countIfKnown = (value: number) => (Number.isNaN(value) ? texts.common.none : count(value));
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

const ROWS: Row[] = [
  { key: 'calls', name: labels.calls, of: ({ calls }) => calls, show: count },
  { key: 'connected', name: labels.connected, of: ({ connected }) => connected, show: count },
  {
    key: 'rate',
    name: labels.rate,
    of: ({ calls, connected }) => connected / calls,
    show: (value) => (Number.isNaN(value) ? texts.common.none : percent.format(value)),
    isShare: true,
  },
  { key: 'reached', name: labels.reached, of: ({ reached = NaN }) => reached, show: countIfKnown },
  { key: 'voicemail', name: labels.voicemail, of: ({ voicemail = NaN }) => voicemail, show: countIfKnown },
  {
    key: 'inactivity',
    name: labels.inactivity,
    of: ({ inactivity = NaN }) => inactivity,
    show: countIfKnown,
  },
  { key: 'failed', name: labels.failed, of: ({ failed }) => failed, show: count },
  { key: 'seconds', name: labels.seconds, of: ({ seconds }) => seconds, show: durationText },
  {
    key: 'average',
    name: labels.average,
    of: ({ average_duration_sec }) => average_duration_sec,
    show: durationText,
  },
  { key: 'credits', name: labels.credits, of: ({ credits }) => credits, show: count },
];

const tenths = (share: number) => Math.round(1_000 * share) / 10;

const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

function changeText({ of, isShare }: Row, totals: Totals, totalsBefore: Totals): string {
  const [now, before] = [of(totals), of(totalsBefore)];
  if (Number.isNaN(now) || Number.isNaN(before)) return texts.common.none;
  // The difference of the rounded shares, which are the shares that the table shows.
  if (isShare) return labels.points(points.format(tenths(now) - tenths(before)));
  return before > 0 ? change.format(now / before - 1) : texts.common.none;
}

interface Props {
  caption: string;
  what: string;
  now: { header: string; totals: Totals };
  before?: { header: string; change: string; totals: Totals | undefined };
  /** Totals to compare with. */
  other?: { header: string; totals: Totals | undefined };
}

/** Totals in rows, beside the totals of another period. */
export function SumsTable({ caption, what, now, before, other }: Props) {
  const shown = ({ of, show }: Row, totals: Totals | undefined) =>
    totals ? show(of(totals)) : texts.common.none;
  const columns: Column<Row>[] = [
    { key: 'what', header: what, cell: ({ name }) => name },
    { key: 'now', header: now.header, cell: (row) => shown(row, now.totals), align: 'end' },
  ];
  if (before) {
    const { totals } = before;
    columns.push(
      { key: 'before', header: before.header, cell: (row) => shown(row, totals), align: 'end' },
      {
        key: 'change',
        header: before.change,
        cell: (row) => (totals ? changeText(row, now.totals, totals) : texts.common.none),
        align: 'end',
      },
    );
  }
  if (other)
    columns.push({
      key: 'other',
      header: other.header,
      cell: (row) => shown(row, other.totals),
      align: 'end',
      isMinor: true,
    });
  return <Table caption={caption} columns={columns} rows={ROWS} rowKey={({ key }) => key} />;
}
