import { useRef, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { Button } from '../../../ui/button';
import { durationText } from '../../../ui/moment';
import { texts } from '../../../texts';
import styles from './call.module.css';
import { Recording } from './recording';

type Turn = Schemas['TranscriptTurnDto'];

interface Props {
  call: Schemas['CallDetailDto'];
  turns: Turn[];
  isComplete: boolean;
  isTruncated: boolean;
}

/** The start of a turn in the recording, in seconds. */
const getOffset = (turn: Turn, connectedAt: string | null) =>
  connectedAt === null ? 0 : Math.max(0, (Date.parse(turn.started_at) - Date.parse(connectedAt)) / 1_000);

/** The transcript beside the recording. The turn that is playing is marked; a click on a turn plays it. */
export function Conversation({ call, turns, isComplete, isTruncated }: Props) {
  const audio = useRef<HTMLAudioElement>(null);
  const [position, setPosition] = useState<number>();
  const offsets = turns.map((turn) => getOffset(turn, call.connected_at));
  const heard = position === undefined ? -1 : offsets.findLastIndex((offset) => offset <= position);
  const playFrom = (seconds: number) => {
    if (!audio.current) return;
    audio.current.currentTime = seconds;
    void audio.current.play();
  };
  return (
    <>
      {call.recording_url ? (
        <Recording
          call={{ ...call, recording_url: call.recording_url }}
          audio={audio}
          position={position}
          onPosition={setPosition}
        />
      ) : (
        call.ended_at && <p className={styles.muted}>{texts.call.noRecording}</p>
      )}
      {turns.length === 0 && <p className={styles.muted}>{texts.call.noTranscript}</p>}
      <ol className={styles.turns}>
        {turns.map((turn, index) => (
          <li key={turn.sequence} data-speaker={turn.speaker} aria-current={index === heard || undefined}>
            <div className={styles.speaker}>
              <span>{texts.call.speakers[turn.speaker]}</span>
              {call.recording_url ? (
                <Button
                  variant="quiet"
                  onClick={() => playFrom(offsets[index] ?? 0)}
                  title={texts.call.jumpTo}
                >
                  {durationText(offsets[index] ?? 0)}
                </Button>
              ) : (
                <span>{durationText(offsets[index] ?? 0)}</span>
              )}
            </div>
            <p>{turn.text}</p>
            {turn.tool && <pre className={styles.tool}>{JSON.stringify(turn.tool, null, 2)}</pre>}
          </li>
        ))}
      </ol>
      {isTruncated && <p className={styles.muted}>{texts.call.truncated}</p>}
      {call.ended_at && turns.length > 0 && !isComplete && (
        <p className={styles.muted}>{texts.call.incomplete}</p>
      )}
    </>
  );
}
