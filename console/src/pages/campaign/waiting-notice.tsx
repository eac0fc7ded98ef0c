import type { Campaign } from '../../components/campaign/plan';
import { ZonedTime } from '../../components/campaign/zoned-time';
import { Notice } from '../../components/notice';
import { texts } from '../../texts';

const words = texts.campaigns;

/** Why nothing is dialled now, and until when; or why the campaign has failed. */
export const WaitingNotice = ({ campaign: { waiting, timezone, failureReason } }: { campaign: Campaign }) => (
  <div role="status" hidden={!waiting && !failureReason}>
    {waiting && (
      <Notice kind="warn">
        <p>
          <strong>{words.waitingBecause(words.reasons[waiting.reason])}</strong>
          {waiting.until && (
            <>
              {' '}
              {words.waitingUntil} <ZonedTime at={waiting.until} zone={timezone} />.
            </>
          )}
        </p>
        <p>
          {words.waitingSince} <ZonedTime at={waiting.since} zone={timezone} />.
        </p>
      </Notice>
    )}
    {failureReason && (
      <Notice kind="warn">
        <p>{words.failedBecause(failureReason)}</p>
      </Notice>
    )}
  </div>
);
