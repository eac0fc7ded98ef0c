import { api, client } from './client';
import { DELIVERY_TYPES } from './delivery-types';
import { readPages } from './read-pages';

/** A failed test event is shown to its sender only. */
const SHOWN_EVENTS = DELIVERY_TYPES.filter((type) => type !== 'webhook.test');

/** The query of the given-up webhooks that nobody has dismissed, the latest first. */
const GIVEN_UP = { status: 'failed', dismissed: false, type: SHOWN_EVENTS, sortBy: 'given_up_at' } as const;

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
