import { Link } from 'wouter';
import type { Campaign } from '../../components/campaign/plan';
import { ZonedTime } from '../../components/campaign/zoned-time';
import { Facts } from '../../components/facts';
import { Section } from '../../components/page';
import { Table } from '../../components/table';
import { TimeText } from '../../components/time-text';
import { texts } from '../../texts';
import styles from './campaign-page.module.css';

const { detail: words, states } = texts.campaigns;

type State = keyof Campaign['progress'];

/** Those who are done first. */
const ORDER: State[] = [
  'disconnected',
  'failed',
  'skipped',
  'connected',
  'accepted',
  'queued',
  'retrying',
  'pending',
];

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** How many recipients are in each state, as a bar and as a table. */
export function ProgressSection({ campaign }: { campaign: Campaign }) {
  const { campaign_id, progress, recipientCount, timezone } = campaign;
  const all = Math.max(1, recipientCount);
  const rows = ORDER.map((state) => ({ state, count: progress[state] }));
  const label = rows
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${states[state]}: ${count.toLocaleString()}`)
    .join(', ');
  return (
    <Section title={words.progress}>
      <p>{words.recipients(recipientCount)}</p>
      <div className={styles.bar} role="img" aria-label={label}>
        <Bar parts={rows} all={all} />
      </div>
      <Table
        caption={words.progress}
        rows={rows}
        rowKey={({ state }) => state}
        columns={[
          {
            key: 'state',
            header: words.state,
            cell: ({ state }) => (
              <Link href={`/campaigns/${campaign_id}?status=${state}`}>
                <svg className={styles.swatch} viewBox="0 0 12 12" aria-hidden="true">
                  <rect width="12" height="12" className={styles[state]} />
                </svg>
                {states[state]}
              </Link>
            ),
          },
          { key: 'count', header: words.count, cell: ({ count }) => count.toLocaleString(), align: 'end' },
          {
            key: 'share',
            header: words.share,
            cell: ({ count }) => percent.format(count / all),
            align: 'end',
          },
        ]}
      />
      <Facts
        facts={[
          { name: words.lastMinute, value: campaign.calls_last_minute.toLocaleString() },
          {
            name: words.estimatedEnd,
            value: campaign.estimated_end && <ZonedTime at={campaign.estimated_end} zone={timezone} />,
          },
          { name: words.asOf, value: <TimeText at={campaign.as_of} /> },
        ]}
      />
    </Section>
  );
}

/** The parts beside each other. */
function Bar({ parts, all }: { parts: { state: State; count: number }[]; all: number }) {
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { count }) => sum + count, 0));
  return (
    <svg viewBox={`0 0 ${all} 1`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(
        ({ state, count }, index) =>
          count > 0 && (
            <rect key={state} x={starts[index]} width={count} height={1} className={styles[state]} />
          ),
      )}
    </svg>
  );
}
