import type { Series } from '../api/series';
import { texts } from '../texts';
import { type Column, Table } from './table';
import { durationText } from './time-text';

const { sums: labels } = texts;

type Totals = Series['totals'];

interface Row {
  key: string;
  name: string;
  of: (totals: Totals) => number;
  show: (value: number) => string;
}

const count = (value: number) => value.toLocaleString();
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

const changeText = (now: number, before: number) =>
  !(before > 0) || Number.isNaN(now) ? texts.common.none : change.format(now / before - 1);

interface Props {
  caption: string;
  what: string;
  now: { header: string; totals: Totals };
  before?: { header: string; change: string; totals: Totals | undefined };
  /** For comparison only. */
  other?: { header: string; totals: Totals | undefined };
}

/** Totals, one a row, beside those of another time. */
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
        cell: ({ of }) => (totals ? changeText(of(now.totals), of(totals)) : texts.common.none),
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
