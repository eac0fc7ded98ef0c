import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { operations } from '../../api/schema';
import { Button } from '../../ui/button';
import { FilterBar } from '../../ui/filters/filter-bar';
import { filterQuery, isNarrowed, namesOf } from '../../ui/filters/filter-query';
import { MINUTES } from '../../ui/filters/periods';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { useGivenUpWebhooks } from '../../api/given-up-webhooks';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { DELIVERY_FILTERS } from './delivery-filters';
import { DeliveryTable } from './delivery-table';
import { GivenUpNotice } from './given-up-notice';
import { useMay } from '../../ui/rights';
import { ReplayBar } from './replay-bar';
import { SecretSection } from './secret-section';
import { TestEventDialog } from './test-event-dialog';

type Query = NonNullable<operations['listWebhookDeliveries']['parameters']['query']>;

const labels = texts.webhooks;

const NAMES = namesOf(DELIVERY_FILTERS, MINUTES);

/** No event announces a retry, so the page polls. */
const POLL_MS = 5_000;

/** The webhooks that were sent or are to be sent, and the secret that signs them. */
export default function WebhooksPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = filterQuery(parameters, [...NAMES, 'sortBy']) as Query;
  const deliveries = api.useQuery(
    'get',
    '/api/webhooks/deliveries',
    { params: { query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status }) => status === 'pending') ? POLL_MS : false,
    },
  );
  const givenUp = useGivenUpWebhooks(POLL_MS);
  const refresh = () => {
    void deliveries.refetch();
    void givenUp.refetch();
  };
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isTesting, setTesting] = useState(false);
  const mayReplay = useMay('operate');
  return (
    <Page
      title={labels.title}
      beside={
        <GivenUpNotice
          latest={givenUp.data?.data[0]}
          total={givenUp.data?.pagination.total ?? 0}
          onSent={refresh}
        />
      }
      actions={
        <Button needs="administer" onClick={() => setTesting(true)}>
          {labels.test}
        </Button>
      }
    >
      <ReplayBar
        chosen={chosen}
        onSent={(sent) => {
          setChosen((now) => new Set([...now].filter((id) => !sent.includes(id))));
          refresh();
        }}
      >
        {(act) => (
          <FilterBar
            filters={DELIVERY_FILTERS}
            times={MINUTES}
            state={state}
            onChange={() => setChosen(new Set())}
          >
            {act}
          </FilterBar>
        )}
      </ReplayBar>
      <Loaded query={deliveries}>
        {({ data, pagination }) => (
          <>
            <DeliveryTable
              deliveries={data}
              empty={isNarrowed(parameters, NAMES) ? labels.empty : labels.none}
              selection={mayReplay ? { chosen, onChange: setChosen } : undefined}
            />
            <Pager
              pagination={pagination}
              onPage={(page) => {
                setChosen(new Set());
                setParameters({ page: String(page) });
              }}
            />
          </>
        )}
      </Loaded>
      <SecretSection />
      {isTesting && <TestEventDialog onClose={() => setTesting(false)} />}
    </Page>
  );
}
