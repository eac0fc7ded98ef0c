import { useState } from 'react';
import { Button } from '../../ui/button';
import { texts } from '../../texts';
import { ReplayDialog, ReplayProgress, ReplayResult } from './replay-parts';
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
  return (
    <>
      <div className={styles.bar}>
        {replay?.isOver === false ? (
          <>
            <Button onClick={stop}>{labels.stop}</Button>
            <ReplayProgress replay={replay} />
          </>
        ) : (
          <Button needs="operate" disabled={chosen.size === 0} onClick={() => setAsked(true)}>
            {chosen.size === 0 ? labels.replayChosen : labels.replayMany(chosen.size)}
          </Button>
        )}
      </div>
      {replay?.isOver && <ReplayResult replay={replay} getRest={labels.replayRest} />}
      {isAsked && (
        <ReplayDialog
          count={chosen.size}
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
