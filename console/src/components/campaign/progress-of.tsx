import { queryOptions, useQuery } from '@tanstack/react-query';
import { client, type Schemas } from '../../api/client';
import { texts } from '../../texts';
import { ShareBar } from '../share-bar';
import styles from './campaign.module.css';
import type { Campaign } from './plan';

const words = texts.campaigns;

const EVERY_MS = 5_000;

/** How many need no further call. */
export const doneOf = ({ disconnected, failed, skipped }: Campaign['progress']) =>
  disconnected + failed + skipped;

/** One of a list, with its counts. A campaign that runs is read again; of one that has ended, nothing changes. */
export const campaignQuery = ({ campaign_id, status, updatedAt }: Schemas['CampaignDto']) =>
  queryOptions({
    queryKey: ['campaign of a list', campaign_id, status, updatedAt],
    queryFn: async ({ signal }) => {
      const params = { path: { campaign_id } };
      const { data } = await client.GET('/api/campaign/{campaign_id}', { params, signal });
      return data?.data ?? null;
    },
    staleTime: EVERY_MS,
    refetchInterval: status === 'running' ? EVERY_MS : false,
  });

export const useCampaign = (campaign: Schemas['CampaignDto']) => useQuery(campaignQuery(campaign));

/** How far a campaign of a list is. */
export function ProgressOf({ campaign }: { campaign: Schemas['CampaignDto'] }) {
  const { data } = useCampaign(campaign);
  if (!data) return texts.common.none;
  const { progress, recipientCount } = data;
  const done = doneOf(progress);
  const { retrying, skipped } = progress;
  return (
    <>
      <span className={styles.done}>
        {words.doneOf(done, recipientCount)} <ShareBar share={done / Math.max(1, recipientCount)} />
      </span>
      {(retrying > 0 || skipped > 0) && (
        <span className={styles.small}>
          {[retrying > 0 && words.retryingCount(retrying), skipped > 0 && words.skippedCount(skipped)]
            .filter(Boolean)
            .join(', ')}
        </span>
      )}
    </>
  );
}
