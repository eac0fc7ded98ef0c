import type { Campaign } from '../plan/plan';
import { TimeText } from '../../../ui/time-text';
import { isPlanned } from '../../../domain/campaign-waiting';
import { Notice } from '../../../ui/notice';
import { texts } from '../../../texts';

const labels = texts.campaigns;

/** The reason why the campaign does not dial now, or why it has failed. */
export const WaitingNotice = ({ campaign: { waiting, timezone, failureReason } }: { campaign: Campaign }) => (
  <div role="status" hidden={!waiting && !failureReason}>
    {waiting && (
      <Notice kind={isPlanned(waiting) ? 'info' : 'warn'}>
        <p>
          <strong>{labels.waitingBecause(labels.reasons[waiting.reason])}</strong>
          {waiting.until && (
            <>
              {' '}
              {labels.waitingUntil} <TimeText at={waiting.until} zone={timezone} />.
            </>
          )}
        </p>
        <p>
          {labels.waitingSince} <TimeText at={waiting.since} zone={timezone} />.
        </p>
      </Notice>
    )}
    {failureReason && (
      <Notice kind="warn">
        <p>{labels.failedBecause(failureReason)}</p>
      </Notice>
    )}
  </div>
);
