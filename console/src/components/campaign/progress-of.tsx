import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import { ShareBar } from '../share-bar';
import styles from './campaign.module.css';

const words = texts.campaigns;

/** How often a list is read in which a campaign runs. */
export const EVERY_MS = 5_000;

export type Listed = Schemas['ListedCampaignDto'];

/** How far a campaign of a list is. */
export function ProgressOf({ campaign: { progress, recipientCount } }: { campaign: Listed }) {
  if (!progress) return texts.common.none;
  const { disconnected, failed, retrying, skipped } = progress;
  const done = disconnected + failed;
  const all = Math.max(1, recipientCount);
  return (
    <>
      <span className={styles.done}>
        {words.doneOf(done, recipientCount)} <ShareBar share={done / all} rest={skipped / all} />
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
