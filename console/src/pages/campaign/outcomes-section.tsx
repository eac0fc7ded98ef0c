import { Section } from '../../components/page';
import type { Campaign } from '../../components/campaign/plan';
import { ShareBar } from '../../components/share-bar';
import { Table } from '../../components/table';
import { texts } from '../../texts';

const words = texts.campaigns.detail;

/** How the last calls of the recipients ended, the most frequent first. */
export function OutcomesSection({ outcomes }: Pick<Campaign, 'outcomes'>) {
  const rows = Object.entries(outcomes)
    .map(([outcome, count]) => ({ outcome, count }))
    .toSorted((one, other) => other.count - one.count);
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title={words.outcomes}>
      <Table
        caption={words.outcomes}
        rows={rows}
        rowKey={({ outcome }) => outcome}
        empty={words.noOutcomes}
        columns={[
          {
            key: 'outcome',
            header: words.outcome,
            cell: ({ outcome }) => (outcome === 'other' ? words.otherOutcomes : outcome.replaceAll('_', ' ')),
          },
          { key: 'count', header: words.count, cell: ({ count }) => count.toLocaleString(), align: 'end' },
          {
            key: 'share',
            header: words.share,
            cell: ({ count }) => <ShareBar share={count / Math.max(1, all)} />,
          },
        ]}
      />
    </Section>
  );
}
