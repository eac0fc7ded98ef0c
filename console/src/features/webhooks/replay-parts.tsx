import { ConfirmDialog } from '../../ui/confirm-dialog';
import { DoneNotice } from '../../ui/done-notice';
import { FailureNotice } from '../../ui/failure-notice';
import { texts } from '../../texts';
import type { Replay } from './use-replay';

const labels = texts.webhooks;

/** The number of webhooks that were sent so far, and the number of all. */
export const ReplayProgress = ({ replay }: { replay: Replay }) => (
  <>
    <progress aria-label={labels.replay} value={replay.done.length} max={replay.total} />
    <span>{labels.replaying(replay.done.length, replay.total)}</span>
  </>
);

interface ResultProps {
  replay: Replay;
  /** The sentence about those that were not sent. */
  getRest: (count: number) => string;
}

/** The result, once all are sent, one is refused or the reader has stopped it. */
export function ReplayResult({ replay: { total, done, error }, getRest }: ResultProps) {
  const rest = total - done.length;
  if (error !== undefined)
    return (
      <>
        <FailureNotice error={error} />
        <p>{getRest(rest)}</p>
      </>
    );
  return (
    <DoneNotice>
      {labels.replayed(done.length)}
      {rest > 0 && ` ${getRest(rest)}`}
    </DoneNotice>
  );
}

interface DialogProps {
  count: number;
  /** More text about what is sent. */
  more?: string;
  run: () => Promise<void>;
  onClose: () => void;
}

/** Asks before webhooks are sent again. */
export const ReplayDialog = ({ count, more, run, onClose }: DialogProps) => (
  <ConfirmDialog
    title={labels.replayTitle(count)}
    text={labels.replayText}
    action={labels.replayMany(count)}
    isDestructive={false}
    run={run}
    onClose={onClose}
  >
    {more && <p>{more}</p>}
  </ConfirmDialog>
);
