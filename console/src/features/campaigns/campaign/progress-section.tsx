import { Link } from 'wouter';
import { isBeingCancelled } from '../cancelling';
import type { Campaign } from '../plan/plan';
import { Facts } from '../../../ui/facts';
import { Section } from '../../../ui/page';
import { Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import styles from './campaign-page.module.css';

const { detail: labels, states, results: resultNames } = texts.campaigns;

type State = keyof Campaign['progress'];
type Result = keyof Campaign['results'];

/** The results of the recipients whose last call was connected and has ended. */
const RESULTS: Result[] = ['reached', 'voicemail', 'inactivity'];

/** The order of the parts, which begins with finished recipients. */
const ORDER: State[] = ['failed', 'skipped', 'connected', 'accepted', 'queued', 'retrying', 'pending'];

/** The recipients whom a cancelled campaign no longer calls. */
const LEFT: State[] = ['queued', 'retrying', 'pending'];

/** A row of the table. The counts of all rows add up to the number of recipients. */
interface Row {
  key: State | Result;
  name: string;
  /** The state in the filter of the list of recipients. */
  filter: string;
  count: number;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** The number of recipients in each state, as a bar and as a table. */
export function ProgressSection({ campaign }: { campaign: Campaign }) {
  const { campaign_id, progress, results, recipientCount, timezone } = campaign;
  const all = Math.max(1, recipientCount);
  const isLeaving = isBeingCancelled(campaign);
  const getName = (state: State) =>
    isLeaving && LEFT.includes(state) ? labels.beingCancelled(states[state]) : states[state];
  const rows: Row[] = [
    ...RESULTS.map((result) => ({
      key: result,
      name: resultNames[result],
      filter: `result=${result}`,
      count: results[result],
    })),
    ...ORDER.map((state) => ({
      key: state,
      name: getName(state),
      filter: `status=${state}`,
      count: progress[state],
    })),
  ];
  const label = rows
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${name}: ${count.toLocaleString()}`)
    .join(', ');
  return (
    <Section title={labels.progress}>
      <p>{labels.recipients(recipientCount)}</p>
      <div className={styles.bar} role="img" aria-label={label}>
        <Bar parts={rows} all={all} />
      </div>
      <Table
        caption={labels.progress}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          {
            key: 'state',
            header: labels.state,
            cell: ({ key, name, filter }) => (
              <Link href={`/campaigns/${campaign_id}/recipients?${filter}`}>
                <svg className={styles.swatch} viewBox="0 0 12 12" aria-hidden="true">
                  <rect width="12" height="12" className={styles[key]} />
                </svg>
                {name}
              </Link>
            ),
          },
          { key: 'count', header: labels.count, cell: ({ count }) => count.toLocaleString(), align: 'end' },
          {
            key: 'share',
            header: labels.share,
            cell: ({ count }) => percent.format(count / all),
            align: 'end',
          },
        ]}
      />
      <Facts
        facts={[
          { name: labels.lastMinute, value: campaign.calls_last_minute.toLocaleString() },
          {
            name: labels.estimatedEnd,
            value: campaign.estimated_end && <TimeText at={campaign.estimated_end} zone={timezone} />,
          },
          { name: labels.asOf, value: <TimeText at={campaign.as_of} isClock hasSeconds /> },
        ]}
      />
    </Section>
  );
}

/** The parts of the bar. */
function Bar({ parts, all }: { parts: Row[]; all: number }) {
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { count }) => sum + count, 0));
  return (
    <svg viewBox={`0 0 ${all} 1`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(
        ({ key, count }, index) =>
          count > 0 && <rect key={key} x={starts[index]} width={count} height={1} className={styles[key]} />,
      )}
    </svg>
  );
}
