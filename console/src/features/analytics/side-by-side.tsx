import { Link } from 'wouter';
import type { Group, Series } from '../../api/series';
import { Button } from '../../ui/button';
import { ShareBar } from '../../ui/chart/share-bar';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { groupHref } from './call-links';
import { saveCsv } from './csv';
import { findMetric, METRICS } from './metrics';
import type { ReportQuery } from './report-query';
import { type GroupRow, SUM_CELLS, toGroupRows } from './rows';
import { sumColumns } from './sum-columns';

const { analytics: labels } = texts;

interface Props {
  report: ReportQuery;
  group: Group;
  series: Series;
  sort: string | null;
  order: string | null;
  onSort: (by: string, order: 'asc' | 'desc') => void;
}

/** Sorts by a metric. Groups without a value come last. */
function sortRows(rows: GroupRow[], by: string, order: 'asc' | 'desc'): GroupRow[] {
  const { of } = findMetric(by);
  const sign = order === 'asc' ? 1 : -1;
  const weigh = (row: GroupRow) => {
    const value = of(row);
    return Number.isNaN(value) ? Infinity : sign * value;
  };
  return rows.toSorted((one, other) => {
    const [first, second] = [weigh(one), weigh(other)];
    return first === second ? 0 : first - second;
  });
}

/** The metrics of each group of the calls. */
export function SideBySide({ report, group, series, sort, order: asked, onSort }: Props) {
  const order = asked === 'asc' ? 'asc' : 'desc';
  const by = METRICS.some(({ key }) => key === sort) ? (sort ?? '') : 'calls';
  const rows = sortRows(toGroupRows(series), by, order);
  const title = labels.sideBySide[group];
  const columns: Column<GroupRow>[] = [
    {
      key: 'group',
      header: labels.groups[group],
      cell: ({ key, group: name }) => {
        const href = groupHref(report, group, key);
        return href ? <Link href={href}>{name}</Link> : name;
      },
    },
    ...sumColumns<GroupRow>(),
    { key: 'share', header: labels.share, cell: ({ share }) => <ShareBar share={share} />, isMinor: true },
  ];
  const save = () =>
    saveCsv(
      `calls by ${group}`,
      [['key', ({ key }) => key ?? ''], ['group', (row) => row.group], ...SUM_CELLS],
      rows,
    );
  return (
    <Section title={title} actions={rows.length > 0 && <Button onClick={save}>{labels.csv}</Button>}>
      <Table
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ place }) => String(place)}
        sorting={{ by, order, onChange: onSort }}
      />
    </Section>
  );
}
