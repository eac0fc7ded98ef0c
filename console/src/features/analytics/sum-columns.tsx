import type { SeriesSums } from '../../api/series';
import { findSmallText } from '../../domain/figures';
import { SampledValue } from '../../domain/sampled-value';
import type { Column } from '../../ui/table/table';
import { METRICS } from './metrics';

const MAJOR = ['calls', 'rate'];

/** The columns of all metrics. Each can be sorted by, if the table is. */
export const sumColumns = <Row extends SeriesSums>(): Column<Row>[] =>
  METRICS.map((metric) => ({
    key: metric.key,
    header: metric.name,
    cell: (row) => (
      <SampledValue small={findSmallText(metric, row)}>{metric.show(metric.of(row))}</SampledValue>
    ),
    align: 'end',
    isMinor: !MAJOR.includes(metric.key),
    sortBy: metric.key,
  }));
