import type { Sums } from '../../api/series';
import { FigureTiles } from '../../domain/figure-tiles';
import { SumsTable } from '../../domain/sums-table';
import { buttonClass } from '../../ui/button';
import { dayName } from '../../ui/moment';
import { Section } from '../../ui/page';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { Link } from 'wouter';
import type { Period } from './period';
import styles from './analytics.module.css';

const { analytics: labels } = texts;

/** The figures that are shown large. */
const TILES = ['calls', 'rate', 'reached', 'contact', 'seconds', 'average', 'credits', 'cost'];

interface Props {
  now: Sums;
  before?: { period: Period; isSoFar: boolean; totals: Sums | undefined };
  asOf: string;
  /** The address of the calls. */
  href: string;
}

/** The figures of the period, and their changes since the period before. */
export const Summary = ({ now, before, asOf, href }: Props) => (
  <Section
    title={labels.totals}
    actions={
      <Link href={href} className={buttonClass()}>
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
    <p className={styles.muted}>
      {before &&
        `${(before.isSoFar ? labels.beforeSoFarText : labels.beforeText)(dayName(before.period.start), dayName(before.period.end))} `}
      {labels.rates} {labels.asOf} <TimeText at={asOf} hasSeconds />.
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
