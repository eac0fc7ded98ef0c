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

/** The length of the shortest number that a campaign can have, with its +. */
const MIN_LENGTH = 8;

/** The campaigns that call the number, and everything for which each of them does not call it now. */
export function CampaignsSection({ number }: { number: string }) {
  const recipients = api.useQuery(
    'get',
    '/api/recipients',
    { params: { query: { search: number, limit: 100 } } },
    // The server takes a shorter one for a part of a number.
    { staleTime: 0, enabled: number.length >= MIN_LENGTH },
  );
  return (
    <Section title={labels.title}>
      {number.length < MIN_LENGTH && <p>{labels.none}</p>}
      <Loaded query={{ ...recipients, isPending: recipients.isLoading }}>
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
