import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import type { Campaign } from '../plan/plan';
import { actorName } from '../../../domain/actor-name';
import { TimeText } from '../../../ui/time-text';
import { Loaded } from '../../../ui/loaded';
import { Section } from '../../../ui/page';
import { Pager } from '../../../ui/table/pager';
import { type Column, Table } from '../../../ui/table/table';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { texts } from '../../../texts';
import styles from './campaign-page.module.css';

type Entry = Schemas['CampaignLogEntryDto'];

const labels = texts.campaigns.log;

const createColumns = (zone: string): Column<Entry>[] => [
  {
    key: 'at',
    header: labels.at(zone),
    cell: ({ at }) => <TimeText at={at} zone={zone} isZoneKnown />,
    phone: 'aside',
  },
  {
    key: 'actor',
    header: labels.actor,
    cell: ({ actor }) => (actor ? actorName(actor) : labels.server),
    isMinor: true,
  },
  { key: 'event', header: labels.event, cell: ({ event }) => labels.events[event], phone: 'title' },
  {
    key: 'text',
    header: labels.text,
    cell: ({ text }) => <div className={styles.text}>{text}</div>,
  },
];

/** The log of the campaign, newest entry first. */
export function LogSection({ campaign: { campaign_id, timezone } }: { campaign: Campaign }) {
  const [parameters, setParameters] = useQueryParameters();
  const query = { limit: 10, page: Number(parameters.get('log') ?? 1) };
  const log = api.useQuery(
    'get',
    '/api/campaign/{campaign_id}/log',
    { params: { path: { campaign_id }, query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Section title={labels.title}>
      <Loaded query={log}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={labels.title}
              rows={data.map((entry, index) => ({ ...entry, index }))}
              rowKey={({ at, event, index }) => `${at} ${event} ${index}`}
              columns={createColumns(timezone)}
              empty={labels.empty}
            />
            <Pager
              label={labels.title}
              pagination={pagination}
              onPage={(page) => setParameters({ log: String(page) })}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
