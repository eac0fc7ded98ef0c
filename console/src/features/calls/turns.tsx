import type { Schemas } from '../../api/client';
import { latencyText } from '../../domain/call-performance';
import { Button } from '../../ui/button';
import { durationText } from '../../ui/moment';
import { texts } from '../../texts';
import styles from './turns.module.css';

export type Turn = Schemas['TranscriptTurnDto'];

/** The start of a turn in the recording, in seconds. */
export const getOffset = (at: string, connectedAt: string | null) =>
  connectedAt === null ? 0 : Math.max(0, (Date.parse(at) - Date.parse(connectedAt)) / 1_000);

interface Props {
  turns: Turn[];
  connectedAt: string | null;
  /** The place of the turn that is played now. */
  heard?: number;
  /** Plays the recording; left out: there is none. */
  onPlay?: (seconds: number) => void;
}

/** The turns of a call, each with its time and, if the agent answered the person, the latency. */
export const Turns = ({ turns, connectedAt, heard, onPlay }: Props) => (
  <ol className={styles.turns}>
    {turns.map((turn, index) => {
      const offset = getOffset(turn.started_at, connectedAt);
      return (
        <li key={turn.sequence} data-speaker={turn.speaker} aria-current={index === heard || undefined}>
          <div className={styles.speaker}>
            <span>{texts.call.speakers[turn.speaker]}</span>
            {turn.latency_ms !== null && (
              <span title={texts.performance.answeredTitle}>
                {texts.performance.answered(latencyText(turn.latency_ms))}
              </span>
            )}
            <span className={styles.time}>
              {onPlay ? (
                <Button variant="quiet" onClick={() => onPlay(offset)} title={texts.call.jumpTo}>
                  {durationText(offset)}
                </Button>
              ) : (
                durationText(offset)
              )}
            </span>
          </div>
          <p>{turn.text}</p>
          {turn.tool && <pre className={styles.tool}>{JSON.stringify(turn.tool, null, 2)}</pre>}
        </li>
      );
    })}
  </ol>
);
