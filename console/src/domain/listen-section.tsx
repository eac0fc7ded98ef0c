import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts';
import { Button } from '../ui/button';
import { FailureNotice } from '../ui/failure-notice';
import { Notice } from '../ui/notice';
import { Section } from '../ui/page';
import { Listening, type ListeningEnd } from './audio/listening';

const labels = texts.call.listening;

type Stage =
  | { name: 'off' | 'starting' | 'hearing' }
  | { name: 'over'; end: ListeningEnd }
  | { name: 'failed'; error: Error };

interface Props {
  callId: string;
  /** Whether users can listen to the call now. */
  isAudible: boolean;
}

/** Lets the user hear a call. It stays until the page is left, so that the end of the call is shown. */
export function ListenSection({ callId, isAudible }: Props) {
  const [stage, setStage] = useState<Stage>({ name: 'off' });
  const listening = useRef<Listening>(undefined);
  useEffect(() => () => listening.current?.stop(), [callId]);
  if (!isAudible && stage.name === 'off') return null;

  const begin = () => {
    setStage({ name: 'starting' });
    listening.current = new Listening(callId, {
      heard: () => setStage({ name: 'hearing' }),
      over: (end) => setStage({ name: 'over', end }),
      failed: (error) => setStage({ name: 'failed', error }),
    });
    void listening.current.run();
  };
  const stop = () => {
    listening.current?.stop();
    setStage({ name: 'off' });
  };
  const isOn = stage.name === 'starting' || stage.name === 'hearing';
  return (
    <Section
      title={labels.title}
      actions={
        isOn ? (
          <Button onClick={stop}>{labels.stop}</Button>
        ) : (
          isAudible && (
            <Button needs="operate" onClick={begin}>
              {labels.listen}
            </Button>
          )
        )
      }
    >
      <p>{labels.text}</p>
      <div role="status">
        {stage.name === 'starting' && <p>{labels.starting}</p>}
        {stage.name === 'hearing' && <p>{labels.hearing}</p>}
        {stage.name === 'over' && (
          <Notice kind={stage.end === 'ended' ? 'info' : 'warn'}>{labels.ends[stage.end]}</Notice>
        )}
      </div>
      {stage.name === 'failed' && <FailureNotice error={stage.error} />}
    </Section>
  );
}
