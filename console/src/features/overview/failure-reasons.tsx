import { Link } from 'wouter';
import type { Series } from '../../api/series';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { ShareBar } from '../../ui/chart/share-bar';
import { Table } from '../../ui/table/table';
import { getTerm } from '../../domain/term';
import { getWeek, toMinutes } from '../../ui/filters/periods';
import { type Counted, toFilters } from '../../domain/counted-calls';
import { texts } from '../../texts';
import { useWeek } from './use-week';
import styles from './overview.module.css';

const labels = texts.overview;

/** The number of reasons that are shown. */
const TOP = 5;

interface Reason {
  key: string;
  failed: number;
  share: number;
}

function topReasons({ buckets, totals }: Series): Reason[] {
  const failed = new Map<string, number>();
  for (const group of buckets.flatMap(({ groups }) => groups)) {
    failed.set(group.key ?? '', (failed.get(group.key ?? '') ?? 0) + group.failed);
  }
  return [...failed]
    .map(([key, count]) => ({ key, failed: count, share: count / Math.max(1, totals.failed) }))
    .filter((reason) => reason.failed > 0)
    .sort((one, other) => other.failed - one.failed)
    .slice(0, TOP);
}

/** The most frequent reasons that ended calls before they were connected. */
export function FailureReasons({ counted }: { counted: Counted }) {
  const series = useWeek(counted);
  const toHref = ({ key }: Reason) => {
    const { start } = toMinutes(getWeek());
    const failed = { status: 'failed', disconnect_reason: key, start_date: start };
    return `/calls?${new URLSearchParams({ ...toFilters(counted), ...failed })}`;
  };
  return (
    <Section title={labels.reasons}>
      <Loaded query={series}>
        {(data) => (
          <>
            <Table
              caption={labels.reasons}
              rows={topReasons(data)}
              rowKey={({ key }) => key}
              empty={labels.noReasons}
              columns={[
                {
                  key: 'reason',
                  header: labels.reason,
                  cell: (reason) =>
                    reason.key ? (
                      <Link href={toHref(reason)}>{getTerm(reason.key)}</Link>
                    ) : (
                      labels.unknownReason
                    ),
                },
                { key: 'calls', header: texts.sums.calls, cell: ({ failed }) => failed, align: 'end' },
                {
                  key: 'share',
                  header: texts.analytics.share,
                  cell: ({ share }) => <ShareBar share={share} />,
                },
              ]}
            />
            <p className={styles.muted}>{texts.counted.chosen(texts.counted.names[counted])}</p>
          </>
        )}
      </Loaded>
    </Section>
  );
}
