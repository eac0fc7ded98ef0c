import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { ShareBar } from '../ui/chart/share-bar';
import styles from './campaign-progress.module.css';

const labels = texts.campaigns;

/** The interval at which a list with a running campaign is read. */
export const CAMPAIGN_POLL_MS = 5_000;

export type Listed = Schemas['ListedCampaignDto'];

/** The progress of a campaign in a list. */
export function CampaignProgress({ campaign }: { campaign: Listed }) {
  const { progress, recipientCount, status } = campaign;
  if (!progress) return texts.common.none;
  const { disconnected, failed, skipped } = progress;
  const retrying = status === 'cancelled' ? 0 : progress.retrying;
  const done = disconnected + failed;
  const all = Math.max(1, recipientCount);
  return (
    <>
      <span className={styles.done}>
        {labels.doneCount(done, recipientCount)} <ShareBar share={done / all} rest={skipped / all} />
      </span>
      {(retrying > 0 || skipped > 0) && (
        <span className={styles.small}>
          {[retrying > 0 && labels.retryingCount(retrying), skipped > 0 && labels.skippedCount(skipped)]
            .filter(Boolean)
            .join(', ')}
        </span>
      )}
    </>
  );
}
