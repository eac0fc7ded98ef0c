import type { SeriesSums } from '../../api/series';
import type { Column } from '../../ui/table/table';
import { texts } from '../../texts';
import { isSmallSample, type Metric, METRICS } from './metrics';
import styles from './analytics.module.css';

const MAJOR = ['calls', 'rate'];

/** The columns of all metrics. Each can be sorted by, if the table is. */
export const sumColumns = <Row extends SeriesSums>(): Column<Row>[] =>
  METRICS.map((metric) => ({
    key: metric.key,
    header: metric.name,
    cell: (row) => <Value metric={metric} sums={row} />,
    align: 'end',
    isMinor: !MAJOR.includes(metric.key),
    sortBy: metric.key,
  }));

function Value({ metric, sums }: { metric: Metric; sums: SeriesSums }) {
  const shown = metric.show(metric.of(sums));
  if (!isSmallSample(metric, sums)) return shown;
  return (
    <span className={styles.muted} title={texts.analytics.smallSample}>
      {shown}
      <span className="visually-hidden">{` (${texts.analytics.smallSample})`}</span>
    </span>
  );
}
