import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../../api/failure';
import { texts } from '../../texts';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { DoneNotice } from '../../ui/done-notice';
import { getPerson } from '../../domain/phone-number';
import { Notice } from '../../ui/notice';
import styles from './live.module.css';
import type { Call } from './in-progress';
import { type HangUps, useHangUps } from './use-hang-ups';

const labels = texts.live;

interface Props {
  /** Whether there are calls to choose from. */
  hasCalls: boolean;
  chosen: Call[];
  /** Renders the bar of the button. */
  children: (act: ReactNode) => ReactNode;
  /** Called with the ids of the calls that are hung up. */
  onDone: (done: string[]) => void;
}

/** Hangs up the chosen calls after one question, shows the progress, and names each refusal. */
export function HangUpBar({ hasCalls, chosen, children, onDone }: Props) {
  const { hangUps, start, stop } = useHangUps(onDone);
  const [asked, setAsked] = useState<Call[]>();
  const isRunning = hangUps !== undefined && !hangUps.isOver;
  const [confirmed, setConfirmed] = useState<Call[]>();
  // The dialog has closed by now: while it is open, the result could not take the focus.
  useEffect(() => {
    if (confirmed) void start(confirmed.map(({ call_id }) => call_id));
  }, [confirmed]);
  return (
    <>
      {children(
        isRunning ? (
          <>
            <Button onClick={stop}>{labels.stop}</Button>
            <progress
              aria-label={texts.call.hangUp}
              value={hangUps.done.length + hangUps.refused.length}
              max={hangUps.total}
            />
            <span>{labels.hangingUp(hangUps.done.length + hangUps.refused.length, hangUps.total)}</span>
          </>
        ) : (
          hasCalls && (
            <Button variant="danger" disabled={chosen.length === 0} onClick={() => setAsked(chosen)}>
              {chosen.length === 0 ? labels.hangUpChosen : labels.hangUpMany(chosen.length)}
            </Button>
          )
        ),
      )}
      {hangUps?.isOver && <Result hangUps={hangUps} calls={confirmed ?? []} />}
      {asked && (
        <ConfirmDialog
          title={labels.hangUpManyTitle(asked.length)}
          text={labels.hangUpManyText(asked.length)}
          action={labels.hangUpMany(asked.length)}
          run={() => Promise.resolve()}
          onDone={() => setConfirmed(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

const getMessage = (error: unknown) =>
  error instanceof ApiFailure
    ? [error.message, error.uncertainty].filter(Boolean).join(' ')
    : texts.failure.unexpected;

/** @param calls the calls that were to be hung up, some of which are not in the list any more */
function Result({ hangUps, calls }: { hangUps: HangUps; calls: Call[] }) {
  const { total, done, refused } = hangUps;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const names = new Map(calls.map((call) => [call.call_id, getPerson(call)]));
  const rest = total - done.length - refused.length;
  if (refused.length === 0 && rest === 0) return <DoneNotice>{labels.hungUp(done.length)}</DoneNotice>;
  return (
    <div ref={notice} tabIndex={-1} role="alert">
      <Notice kind="warn">
        <p>{labels.hungUpCounts(done.length, total)}</p>
        {refused.length > 0 && (
          <ul className={styles.refusals}>
            {refused.map(({ call_id, error }) => (
              <li key={call_id}>
                {names.get(call_id)}: {getMessage(error)}
              </li>
            ))}
          </ul>
        )}
        {rest > 0 && <p>{labels.notHungUp(rest)}</p>}
      </Notice>
    </div>
  );
}
