import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { DoneNotice } from '../../ui/done-notice';
import { FailureNotice } from '../../ui/failure-notice';
import { texts } from '../../texts';
import { useReplay } from './use-replay';
import styles from './webhooks.module.css';

const labels = texts.webhooks;

interface Props {
  chosen: ReadonlySet<string>;
  /** Called with the ids of the webhooks that were sent. */
  onSent: (sent: string[]) => void;
}

/** Sends the chosen webhooks again, and shows the progress. */
export function ReplayBar({ chosen, onSent }: Props) {
  const { replay, start, stop } = useReplay(onSent);
  const [isAsked, setAsked] = useState(false);
  const isRunning = replay !== undefined && !replay.isOver;
  const rest = replay ? replay.total - replay.done.length : 0;
  return (
    <>
      <div className={styles.bar}>
        {isRunning ? (
          <Button onClick={stop}>{labels.stop}</Button>
        ) : (
          <Button disabled={chosen.size === 0} onClick={() => setAsked(true)}>
            {chosen.size === 0 ? labels.replayChosen : labels.replayMany(chosen.size)}
          </Button>
        )}
        {isRunning && <progress aria-label={labels.replay} value={replay.done.length} max={replay.total} />}
        {isRunning && <span>{labels.replaying(replay.done.length, replay.total)}</span>}
      </div>
      {replay?.isOver && replay.error === undefined && (
        <DoneNotice>
          {labels.replayed(replay.done.length)}
          {rest > 0 && ` ${labels.replayRest(rest)}`}
        </DoneNotice>
      )}
      {replay?.error !== undefined && (
        <>
          <FailureNotice error={replay.error} />
          <p>{labels.replayRest(rest)}</p>
        </>
      )}
      {isAsked && (
        <ConfirmDialog
          title={labels.replayTitle(chosen.size)}
          text={labels.replayText}
          action={labels.replayMany(chosen.size)}
          isDestructive={false}
          run={() => {
            void start([...chosen]);
            return Promise.resolve();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
