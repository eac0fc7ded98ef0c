import type { SeriesSums } from '../../api/series';
import type { Column } from '../../ui/table/table';
import { METRICS } from './metrics';

const MAJOR = ['calls', 'rate'];

/** The columns of all metrics. Each can be sorted by, if the table is. */
export const sumColumns = <Row extends SeriesSums>(): Column<Row>[] =>
  METRICS.map(({ key, name, of, show }) => ({
    key,
    header: name,
    cell: (row) => show(of(row)),
    align: 'end',
    isMinor: !MAJOR.includes(key),
    sortBy: key,
  }));
