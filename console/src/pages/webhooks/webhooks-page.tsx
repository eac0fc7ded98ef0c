import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { operations } from '../../api/schema';
import { Button } from '../../components/button';
import { FilterForm } from '../../components/filter-form';
import { filterQuery, isNarrowed } from '../../components/filter-query';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Pager } from '../../components/pager';
import { useQueryParameters } from '../../components/use-query-parameters';
import { texts } from '../../texts';
import { DELIVERY_FILTERS } from './delivery-filters';
import { DeliveryTable } from './delivery-table';
import { ReplayBar } from './replay-bar';
import { SecretSection } from './secret-section';
import { TestEventDialog } from './test-event-dialog';
import styles from './webhooks.module.css';

type Query = NonNullable<operations['listWebhookDeliveries']['parameters']['query']>;

const labels = texts.webhooks;

const NAMES = DELIVERY_FILTERS.map(({ name }) => name);

/** Deliveries are tried again without a hint. */
const EVERY_MS = 5_000;

/** The webhooks that were sent or are to be sent, and the secret that signs them. */
export default function WebhooksPage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = filterQuery(parameters, NAMES) as Query;
  const deliveries = api.useQuery(
    'get',
    '/api/webhooks/deliveries',
    { params: { query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status }) => status === 'pending') ? EVERY_MS : false,
    },
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isTesting, setTesting] = useState(false);
  return (
    <Page title={labels.title} actions={<Button onClick={() => setTesting(true)}>{labels.test}</Button>}>
      <p className={styles.muted}>{labels.intro}</p>
      <FilterForm
        filters={DELIVERY_FILTERS}
        parameters={parameters}
        onChange={(changes) => {
          setChosen(new Set());
          setParameters({ ...changes, page: undefined });
        }}
      />
      <ReplayBar
        chosen={chosen}
        onSent={(sent) => {
          setChosen((now) => new Set([...now].filter((id) => !sent.includes(id))));
          void deliveries.refetch();
        }}
      />
      <Loaded query={deliveries}>
        {({ data, pagination }) => (
          <>
            <DeliveryTable
              deliveries={data}
              empty={isNarrowed(parameters, NAMES) ? labels.empty : labels.none}
              selection={{ chosen, onChange: setChosen }}
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
