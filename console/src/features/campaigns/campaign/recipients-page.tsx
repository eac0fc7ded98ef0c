import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { RecipientState } from '../../../domain/recipient-state';
import { api, client, type Schemas } from '../../../api/client';
import type { operations } from '../../../api/schema';
import { Button } from '../../../ui/button';
import type { Campaign } from '../plan/plan';
import { TimeText } from '../../../ui/time-text';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { ExportLinks } from '../../../ui/export-links';
import { filterQuery } from '../../../ui/filters/filter-query';
import { type Filter, FilterBar } from '../../../ui/filters/filter-bar';
import { Loaded } from '../../../ui/loaded';
import { Pager } from '../../../ui/table/pager';
import { Table } from '../../../ui/table/table';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { PersonLink } from '../../../domain/person-link';
import { getTerm } from '../../../domain/term';
import { texts } from '../../../texts';
import { CampaignFrame } from './campaign-frame';
import { RecipientWaitDialog } from './recipient-wait-dialog';

type Recipient = Schemas['RecipientDto'];
type Query = NonNullable<operations['listRecipients']['parameters']['query']>;

const { list: labels, states, results } = texts.campaigns;

const FILTERS: Filter[] = [
  {
    name: 'status',
    label: labels.status,
    choices: Object.entries(states).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'result',
    label: labels.result,
    choices: Object.entries(results).map(([value, label]) => ({ value, label })),
  },
  { name: 'search', label: labels.search, type: 'search' },
];

/** Whether a recipient can be removed. The campaign is done with the others. */
const mayBeRemoved = ({ status }: Recipient) => !['disconnected', 'failed', 'skipped'].includes(status);

const isWaiting = ({ status }: Recipient) => status === 'pending' || status === 'retrying';

interface Props {
  campaign: Campaign;
  onDone: (text: string) => Promise<void>;
}

/** The recipients of a campaign and their states. */
export default function RecipientsPage() {
  return (
    <CampaignFrame>{(campaign, onDone) => <Recipients campaign={campaign} onDone={onDone} />}</CampaignFrame>
  );
}

function Recipients({ campaign: { campaign_id, status, timezone }, onDone }: Props) {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const [asked, setAsked] = useState<string>();
  const [waiting, setWaiting] = useState<string>();
  const query = filterQuery(parameters, ['status', 'result', 'search']) as Query;
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
    await onDone(labels.removed(recipient_number));
  };
  return (
    <>
      <FilterBar label={labels.title} filters={FILTERS} state={state}>
        <ExportLinks
          path={`/api/campaign/${campaign_id}/recipients/export`}
          filters={filters}
          name="recipients"
          isEmpty={recipients.data?.pagination.total === 0 && !recipients.data.pagination.totalIsLowerBound}
        />
      </FilterBar>
      <Loaded query={recipients}>
        {({ data, pagination }) => (
          <>
            <Table<Recipient>
              caption={labels.title}
              rows={data}
              rowKey={({ phone_number }) => phone_number}
              empty={pagination.totalIsLowerBound ? labels.emptySoFar : labels.empty}
              columns={[
                {
                  key: 'number',
                  header: labels.columns.number,
                  cell: ({ phone_number }) => <PersonLink number={phone_number} />,
                },
                {
                  key: 'name',
                  header: labels.columns.name,
                  cell: ({ customer_name }) => customer_name,
                  isMinor: true,
                  phone: 'rest',
                },
                {
                  key: 'status',
                  header: labels.columns.status,
                  cell: (recipient) => <RecipientState {...recipient} />,
                  phone: 'aside',
                },
                {
                  key: 'attempts',
                  header: labels.columns.attempts,
                  cell: ({ attempts }) => attempts,
                  align: 'end',
                  isMinor: true,
                },
                {
                  key: 'outcome',
                  header: labels.columns.outcome,
                  cell: ({ outcome }) => outcome && getTerm(outcome),
                  isMinor: true,
                  phone: 'detail',
                },
                {
                  key: 'next',
                  header: labels.columns.next(timezone),
                  cell: ({ next_attempt_at }) =>
                    next_attempt_at && <TimeText at={next_attempt_at} zone={timezone} isZoneKnown />,
                  isMinor: true,
                },
                {
                  key: 'call',
                  header: labels.columns.call,
                  cell: ({ last_call_id, phone_number }) =>
                    last_call_id && (
                      <Link href={`/calls/${last_call_id}`} aria-label={labels.openCallNamed(phone_number)}>
                        {labels.openCall}
                      </Link>
                    ),
                },
                {
                  key: 'act',
                  header: labels.columns.act,
                  phone: 'act',
                  cell: (recipient) => (
                    <>
                      {isWaiting(recipient) && (
                        <Button
                          variant="quiet"
                          aria-label={labels.whyNamed(recipient.phone_number)}
                          onClick={() => setWaiting(recipient.phone_number)}
                        >
                          {labels.why}
                        </Button>
                      )}
                      {isOpen && mayBeRemoved(recipient) && (
                        <Button
                          needs="operate"
                          variant="quiet"
                          aria-label={labels.removeNamed(recipient.phone_number)}
                          onClick={() => setAsked(recipient.phone_number)}
                        >
                          {labels.remove}
                        </Button>
                      )}
                    </>
                  ),
                  align: 'end',
                },
              ]}
            />
            <Pager
              label={labels.title}
              pagination={pagination}
              onPage={(page) => setParameters({ page: String(page) })}
            />
          </>
        )}
      </Loaded>
      {waiting !== undefined && (
        <RecipientWaitDialog
          campaignId={campaign_id}
          number={waiting}
          timezone={timezone}
          onClose={() => setWaiting(undefined)}
        />
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={labels.removeTitle(asked)}
          text={labels.removeText(asked)}
          action={labels.remove}
          run={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
