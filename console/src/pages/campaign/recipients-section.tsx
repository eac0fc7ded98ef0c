import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, client, type Schemas } from '../../api/client';
import type { operations } from '../../api/schema';
import { Button } from '../../components/button';
import type { Campaign } from '../../components/campaign/plan';
import { ZonedTime } from '../../components/campaign/zoned-time';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ExportLinks } from '../../components/export-links';
import { filterQuery } from '../../components/filter-query';
import { ListFilters } from '../../components/list-filters';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { Pager } from '../../components/pager';
import { Table } from '../../components/table';
import { useQueryParameters } from '../../components/use-query-parameters';
import { texts } from '../../texts';
import { RecipientState } from './recipient-state';

type Recipient = Schemas['RecipientDto'];
type Query = NonNullable<operations['listRecipients']['parameters']['query']>;

const { list: words, states, any } = texts.campaigns;

const FILTERS = [
  {
    name: 'status',
    label: words.status,
    choices: Object.entries(states).map(([value, label]) => ({ value, label })),
    any,
  },
  { name: 'search', label: words.search },
];

/** Of somebody else, nothing is left to do. */
const mayBeRemoved = ({ status }: Recipient) => !['disconnected', 'failed', 'skipped'].includes(status);

interface Props {
  campaign: Campaign;
  onDone: (text: string) => Promise<void>;
}

/** Whom the campaign calls, and how far each of them is. */
export function RecipientsSection({ campaign: { campaign_id, status, timezone }, onDone }: Props) {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const [asked, setAsked] = useState<string>();
  const query = filterQuery(parameters, ['status', 'search']) as Query;
  const { page: _, limit: __, ...filters } = query;
  const recipients = api.useQuery(
    'get',
    '/api/campaign/{campaign_id}/recipients',
    { params: { path: { campaign_id }, query } },
    { placeholderData: keepPreviousData },
  );
  const isOpen = ['scheduled', 'running', 'paused'].includes(status);
  const remove = async (recipient_number: string) => {
    const params = { path: { campaign_id, recipient_number } };
    await client.DELETE('/api/campaign/{campaign_id}/recipients/{recipient_number}', { params });
    await recipients.refetch();
    await onDone(words.removed(recipient_number));
  };
  return (
    <Section
      title={words.title}
      actions={
        <ExportLinks
          path={`/api/campaign/${campaign_id}/recipients/export`}
          filters={filters}
          name="recipients"
        />
      }
    >
      <ListFilters label={words.title} filters={FILTERS} state={state} />
      <Loaded query={recipients}>
        {({ data, pagination }) => (
          <>
            <Table<Recipient>
              caption={words.title}
              rows={data}
              rowKey={({ phone_number }) => phone_number}
              empty={words.empty}
              columns={[
                { key: 'number', header: words.columns.number, cell: ({ phone_number }) => phone_number },
                {
                  key: 'name',
                  header: words.columns.name,
                  cell: ({ customer_name }) => customer_name,
                  isMinor: true,
                },
                {
                  key: 'status',
                  header: words.columns.status,
                  cell: (recipient) => <RecipientState status={recipient.status} />,
                },
                {
                  key: 'attempts',
                  header: words.columns.attempts,
                  cell: ({ attempts }) => attempts,
                  align: 'end',
                  isMinor: true,
                },
                {
                  key: 'outcome',
                  header: words.columns.outcome,
                  cell: ({ outcome }) => outcome?.replaceAll('_', ' '),
                  isMinor: true,
                },
                {
                  key: 'next',
                  header: words.columns.next(timezone),
                  cell: ({ next_attempt_at }) =>
                    next_attempt_at && <ZonedTime at={next_attempt_at} zone={timezone} isZoneKnown />,
                  isMinor: true,
                },
                {
                  key: 'call',
                  header: words.columns.call,
                  cell: ({ last_call_id, phone_number }) =>
                    last_call_id && (
                      <Link href={`/calls/${last_call_id}`} aria-label={words.openCallOf(phone_number)}>
                        {words.openCall}
                      </Link>
                    ),
                },
                {
                  key: 'act',
                  header: words.columns.act,
                  cell: (recipient) =>
                    isOpen &&
                    mayBeRemoved(recipient) && (
                      <Button
                        variant="quiet"
                        aria-label={words.removeOf(recipient.phone_number)}
                        onClick={() => setAsked(recipient.phone_number)}
                      >
                        {words.remove}
                      </Button>
                    ),
                  align: 'end',
                },
              ]}
            />
            <Pager
              label={words.title}
              pagination={pagination}
              onPage={(page) => setParameters({ page: String(page) })}
            />
          </>
        )}
      </Loaded>
      {asked !== undefined && (
        <ConfirmDialog
          title={words.removeTitle(asked)}
          text={words.removeText(asked)}
          action={words.remove}
          run={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}
