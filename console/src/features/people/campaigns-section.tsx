import { api, type Schemas } from '../../api/client';
import { RecipientState } from '../../domain/recipient-state';
import { RecipientWaits } from '../../domain/recipient-waits';
import { texts } from '../../texts';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';

type Recipient = Schemas['FoundRecipientDto'];

const { campaigns: labels } = texts.people;

const COLUMNS: Column<Recipient>[] = [
  {
    key: 'campaign',
    header: labels.campaign,
    cell: ({ campaignName }) => campaignName,
    phone: 'title',
  },
  { key: 'state', header: labels.state, cell: (recipient) => <RecipientState {...recipient} /> },
  { key: 'attempts', header: labels.attempts, cell: ({ attempts }) => attempts, align: 'end' },
  {
    key: 'why',
    header: labels.why,
    cell: ({ obstacles, timezone }) => <RecipientWaits waits={obstacles} timezone={timezone} />,
  },
];

/** The campaigns that call the number, and everything for which each of them does not call it now. */
export function CampaignsSection({ number }: { number: string }) {
  const recipients = api.useQuery(
    'get',
    '/api/recipients',
    { params: { query: { search: number, limit: 100 } } },
    { staleTime: 0 },
  );
  return (
    <Section title={labels.title}>
      <Loaded query={recipients}>
        {({ data }) => (
          <Table<Recipient>
            caption={labels.title}
            columns={COLUMNS}
            rows={data}
            rowKey={({ campaign_id }) => campaign_id}
            rowHref={({ campaign_id }) => `/campaigns/${campaign_id}`}
            empty={labels.none}
          />
        )}
      </Loaded>
    </Section>
  );
}
