import { memo } from 'react';
import { countContacts, type Series, type Sums } from '../../api/series';
import { countedText } from '../../domain/counted-calls';
import { FigureTiles } from '../../domain/figure-tiles';
import { SumsTable } from '../../domain/sums-table';
import { buttonClass } from '../../ui/button';
import { dayName } from '../../ui/moment';
import { Section } from '../../ui/page';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { Link } from 'wouter';
import { callsHref } from './call-links';
import { periodBefore } from './period';
import type { ReportQuery } from './report-query';
import styles from './analytics.module.css';

const labels = texts.analytics;

/** The figures that are shown large. */
const TILES = [
  ...['calls', 'connected', 'rate', 'reached', 'contact'],
  ...['failed', 'seconds', 'average', 'credits', 'reachedCost'],
];

const toSums = (series: Series): Sums => ({ ...series.totals, ...countContacts(series) });

interface Props {
  report: ReportQuery;
  series: Series;
  /** The series of the period before; undefined: it is not read. */
  before: Series | undefined;
  /** Whether the period before ends at this time of the day. */
  isSoFar: boolean;
  /** The number of all calls; undefined: it is not read. */
  allCalls: number | undefined;
}

/** The figures of the period, and their changes since the period before. */
export const Summary = memo(function Summary({
  report,
  series,
  before: seriesBefore,
  isSoFar,
  allCalls,
}: Props) {
  const now = toSums(series);
  const before = report.isComparing
    ? { ...periodBefore(report.period), totals: seriesBefore && toSums(seriesBefore) }
    : undefined;
  return (
    <Section
      title={labels.totals}
      actions={
        <Link href={callsHref(report)} className={buttonClass()}>
          {labels.callsLink}
        </Link>
      }
    >
      <div className={styles.tiles}>
        <FigureTiles
          label={labels.totals}
          keys={TILES}
          now={now}
          before={before?.totals}
          isComparing={Boolean(before)}
        />
      </div>
      <p>{countedText(report.counted, now.calls, allCalls)}</p>
      <p className={styles.muted}>
        {before &&
          `${(isSoFar ? labels.beforeSoFarText : labels.beforeText)(dayName(before.start), dayName(before.end))} `}
        {labels.rates} {labels.asOf} <TimeText at={series.as_of} hasSeconds />.
      </p>
      <details>
        <summary>{labels.totalsTable}</summary>
        <SumsTable
          caption={labels.totals}
          what={texts.overview.columns.what}
          now={{ header: labels.period, totals: now }}
          before={
            before && {
              header: labels.before,
              change: texts.overview.columns.change,
              totals: before.totals,
            }
          }
        />
      </details>
    </Section>
  );
});
