import { api, client, type Schemas } from './client';
import { readPages } from './read-pages';

/** The events of calls. A failed test event is shown to its sender only. */
const CALL_EVENTS: Schemas['DeliveryDto']['type'][] = ['call.started', 'call.ended', 'call.failed'];

/** The query of the given-up webhooks that nobody has dismissed, the latest first. */
const GIVEN_UP = { status: 'failed', dismissed: false, type: CALL_EVENTS, sortBy: 'given_up_at' } as const;

/** The latest webhook that was given up, and their number. No event announces one, so the pages poll. */
export const useGivenUpWebhooks = (refetchInterval: number) =>
  api.useQuery(
    'get',
    '/api/webhooks/deliveries',
    { params: { query: { ...GIVEN_UP, limit: 1 } } },
    { refetchInterval },
  );

/** Reads the webhooks that were given up. @param maxPages the number of pages that are read */
export const readGivenUpWebhooks = (maxPages: number) =>
  readPages(
    (page) => client.GET('/api/webhooks/deliveries', { params: { query: { ...GIVEN_UP, ...page } } }),
    ({ delivery_id }) => delivery_id,
    maxPages,
  );

/** The largest number of webhooks that one request dismisses. */
const MAX_DISMISSED = 10_000;

/** Dismisses the webhooks that were given up until the latest one that was shown. */
export async function dismissGivenUpWebhooks(until: string): Promise<void> {
  let dismissed: number | undefined;
  do {
    const { data } = await client.POST('/api/webhooks/deliveries/dismiss', { body: { until } });
    dismissed = data?.data.dismissed;
  } while (dismissed === MAX_DISMISSED);
}

/** Sends a webhook again. */
export const resendWebhook = (delivery_id: string) =>
  client.POST('/api/webhooks/deliveries/{delivery_id}/replay', { params: { path: { delivery_id } } });
