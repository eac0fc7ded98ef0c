import { Section } from '../../../ui/page';
import type { Campaign } from '../plan/plan';
import { ShareBar } from '../../../ui/chart/share-bar';
import { type Column, Table } from '../../../ui/table/table';
import { getTerm } from '../../../domain/term';
import { texts } from '../../../texts';

const labels = texts.campaigns.detail;

interface Row {
  outcome: string;
  count: number;
  /** The number of these recipients who will be called again. */
  again: number;
}

const AGAIN: Column<Row> = {
  key: 'again',
  header: labels.retrying,
  cell: ({ again }) => again.toLocaleString(),
  align: 'end',
};

const addCounts = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);

/** The ends of the recipients' last calls, the most frequent first. Recipients who will be called again count too. */
export function OutcomesSection({
  campaign: { outcomes, retrying_outcomes: retrying },
}: {
  campaign: Campaign;
}) {
  const rows = [...new Set([...Object.keys(outcomes), ...Object.keys(retrying)])]
    .map((outcome) => ({
      outcome,
      again: retrying[outcome] ?? 0,
      count: (outcomes[outcome] ?? 0) + (retrying[outcome] ?? 0),
    }))
    .toSorted((one, other) => other.count - one.count);
  const all = addCounts(rows.map(({ count }) => count));
  const again = addCounts(rows.map((row) => row.again));
  return (
    <Section title={labels.outcomes}>
      {all > 0 && <p>{labels.outcomesText(all, again)}</p>}
      <Table<Row>
        caption={labels.outcomes}
        rows={rows}
        rowKey={({ outcome }) => outcome}
        empty={labels.noOutcomes}
        columns={[
          {
            key: 'outcome',
            header: labels.outcome,
            cell: ({ outcome }) => (outcome === 'other' ? labels.otherOutcomes : getTerm(outcome)),
          },
          {
            key: 'count',
            header: labels.count,
            cell: ({ count }) => count.toLocaleString(),
            align: 'end',
            phone: 'aside',
          },
          ...(again > 0 ? [AGAIN] : []),
          {
            key: 'share',
            header: labels.share,
            cell: ({ count }) => <ShareBar share={count / Math.max(1, all)} />,
            phone: 'rest',
          },
        ]}
      />
    </Section>
  );
}
