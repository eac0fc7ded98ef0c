import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button';
import { texts } from '../../texts';
import { ReplayDialog, ReplayProgress, ReplayResult } from './replay-parts';
import { useReplay } from './use-replay';

const labels = texts.webhooks;

interface Props {
  chosen: ReadonlySet<string>;
  /** Called with the ids of the webhooks that were sent. */
  onSent: (sent: string[]) => void;
  /** Renders the bar of the button. */
  children: (act: ReactNode) => ReactNode;
}

/** Sends the chosen webhooks again, and shows the progress. */
export function ReplayBar({ chosen, onSent, children }: Props) {
  const { replay, start, stop } = useReplay(onSent);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      {children(
        replay?.isOver === false ? (
          <>
            <Button onClick={stop}>{labels.stop}</Button>
            <ReplayProgress replay={replay} />
          </>
        ) : (
          <Button needs="operate" disabled={chosen.size === 0} onClick={() => setAsked(true)}>
            {chosen.size === 0 ? labels.replayChosen : labels.replayMany(chosen.size)}
          </Button>
        ),
      )}
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
