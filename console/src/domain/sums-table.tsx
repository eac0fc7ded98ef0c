import type { Sums } from '../api/series';
import { texts } from '../texts';
import { type Column, Table } from '../ui/table/table';
import { ChangeText } from './change-text';
import { type Figure, FIGURES, findChange, findSmallText } from './figures';
import { SampledValue } from './sampled-value';

interface Props {
  caption: string;
  what: string;
  now: { header: string; totals: Sums };
  before?: { header: string; change: string; totals: Sums | undefined };
  /** Totals to compare with. */
  other?: { header: string; totals: Sums | undefined };
}

/** Totals in rows, beside the totals of another period. */
export function SumsTable({ caption, what, now, before, other }: Props) {
  const shown = (figure: Figure, totals: Sums | undefined) =>
    totals ? (
      <SampledValue small={findSmallText(figure, totals)}>{figure.show(figure.of(totals))}</SampledValue>
    ) : (
      texts.common.none
    );
  const columns: Column<Figure>[] = [
    { key: 'what', header: what, cell: ({ name }) => name },
    { key: 'now', header: now.header, cell: (row) => shown(row, now.totals), align: 'end', phone: 'aside' },
  ];
  if (before) {
    const { totals } = before;
    columns.push(
      { key: 'before', header: before.header, cell: (row) => shown(row, totals), align: 'end' },
      {
        key: 'change',
        header: before.change,
        cell: (row) => {
          const change = totals && findChange(row, now.totals, totals);
          return change ? <ChangeText change={change} /> : texts.common.none;
        },
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
  return <Table caption={caption} columns={columns} rows={FIGURES} rowKey={({ key }) => key} />;
}
