import { memo } from 'react';
import { Link } from 'wouter';
import type { Series } from '../../api/series';
import { Button } from '../../ui/button';
import { saveCsv } from '../../ui/csv';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { callsHref, groupHref } from './call-links';
import type { ReportQuery } from './report-query';
import { type Row, SUM_CELLS, toRows, untilNow } from './rows';
import { sumColumns } from './sum-columns';

import styles from './analytics.module.css';

const labels = texts.analytics;

/** The most rows that a browser shows fast. */
const MAX_ROWS = 500;

const GROUP: Column<Row> = { key: 'group', header: labels.group, cell: ({ group }) => group };

interface Props {
  report: ReportQuery;
  series: Series;
}

/** The numbers of the chart. */
export const DataTable = memo(function DataTable({ report, series: whole }: Props) {
  const series = untilNow(whole);
  const isGrouped = report.group !== undefined;
  const rows = toRows(series, isGrouped);
  const getHref = ({ calls, within, groupKey }: Row) => {
    if (calls === 0) return undefined;
    return report.group ? groupHref(report, report.group, groupKey, { within }) : callsHref(report, within);
  };
  const start: Column<Row> = {
    key: 'start',
    header: labels.start,
    cell: (row) => {
      const href = getHref(row);
      return <span className={styles.moment}>{href ? <Link href={href}>{row.start}</Link> : row.start}</span>;
    },
  };
  const save = () =>
    saveCsv(
      `calls by ${series.interval}`,
      [
        ['start', ({ at }) => at],
        ...(isGrouped ? [['group', ({ group }: Row) => group] as [string, (row: Row) => string]] : []),
        ...SUM_CELLS,
      ],
      rows,
    );
  return (
    <Section title={labels.table} actions={<Button onClick={save}>{texts.common.exportCsv}</Button>}>
      {rows.length > MAX_ROWS && <p>{labels.rowsLeftOut(MAX_ROWS, rows.length)}</p>}
      <Table
        caption={labels.table}
        columns={[start, ...(isGrouped ? [GROUP] : []), ...sumColumns<Row>()]}
        rows={rows.slice(0, MAX_ROWS)}
        rowKey={({ key }) => key}
      />
    </Section>
  );
});
