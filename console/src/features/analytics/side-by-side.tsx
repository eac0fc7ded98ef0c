import { memo } from 'react';
import { Link } from 'wouter';
import type { Group, Series } from '../../api/series';
import { MIN_SAMPLE } from '../../domain/small-sample';
import { Button } from '../../ui/button';
import { ShareBar } from '../../ui/chart/share-bar';
import { saveCsv } from '../../ui/csv';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { groupHref } from './call-links';
import { findMetric, isSmallSample, METRICS } from './metrics';
import type { ReportQuery } from './report-query';
import { type GroupRow, SUM_CELLS, toGroupRows } from './rows';
import { sumColumns } from './sum-columns';
import styles from './analytics.module.css';

const labels = texts.analytics;

interface Props {
  report: ReportQuery;
  group: Group;
  series: Series;
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
export const SideBySide = memo(function SideBySide({ report, group, series }: Props) {
  const [parameters, setParameters] = useQueryParameters();
  const order = parameters.get('order') === 'asc' ? 'asc' : 'desc';
  const sort = parameters.get('sort');
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
    <Section
      title={title}
      actions={rows.length > 0 && <Button onClick={save}>{texts.common.exportCsv}</Button>}
    >
      <Table
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ place }) => String(place)}
        sorting={{ by, order, onChange: (key, next) => setParameters({ sort: key, order: next }) }}
      />
      {rows.some((row) => METRICS.some((metric) => isSmallSample(metric, row))) && (
        <p className={styles.muted}>{labels.smallRows(MIN_SAMPLE)}</p>
      )}
    </Section>
  );
});
