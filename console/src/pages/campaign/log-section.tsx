import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import type { Campaign } from '../../components/campaign/plan';
import { ZonedTime } from '../../components/campaign/zoned-time';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { Pager } from '../../components/pager';
import { type Column, Table } from '../../components/table';
import { useQueryParameters } from '../../components/use-query-parameters';
import { texts } from '../../texts';
import styles from './campaign-page.module.css';

type Entry = Schemas['CampaignLogEntryDto'];

const words = texts.campaigns.log;

const columnsOf = (zone: string): Column<Entry>[] => [
  { key: 'at', header: words.at(zone), cell: ({ at }) => <ZonedTime at={at} zone={zone} isZoneKnown /> },
  { key: 'event', header: words.event, cell: ({ event }) => words.events[event] },
  {
    key: 'text',
    header: words.text,
    cell: ({ text }) => <div className={styles.text}>{text}</div>,
  },
];

/** What happened to the campaign, the newest first. */
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
    <Section title={words.title}>
      <Loaded query={log}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={words.title}
              rows={data.map((entry, index) => ({ ...entry, index }))}
              rowKey={({ at, event, index }) => `${at} ${event} ${index}`}
              columns={columnsOf(timezone)}
              empty={words.empty}
            />
            <Pager
              label={words.title}
              pagination={pagination}
              onPage={(page) => setParameters({ log: String(page) })}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
