import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { TimeText } from '../ui/time-text';

type Waiting = NonNullable<Schemas['ListedCampaignDto']['waiting']>;

const labels = texts.campaigns;

/** Whether a campaign waits as planned, for its windows or its retry pauses. */
export const isPlanned = ({ reason }: Waiting) => reason === 'outside_window' || reason === 'retry_pause';

/** The reason why the campaign does not dial now, and the time when it resumes. */
export function WaitingText({
  campaign: { waiting, timezone },
}: {
  campaign: Pick<Schemas['ListedCampaignDto'], 'waiting' | 'timezone'>;
}) {
  if (!waiting) return texts.common.none;
  const { reason, until } = waiting;
  return (
    <>
      {labels.reasons[reason]}
      {until && timezone && (
        <>
          ; {labels.resumesAt} <TimeText at={until} zone={timezone} />
        </>
      )}
    </>
  );
}
