import { useRef, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { texts } from '../../../texts';
import { getOffset, toTurnId, type Turn, Turns } from '../../../domain/turns';
import styles from './call.module.css';
import { NoRecording } from './no-recording';
import { Recording, type Words } from './recording';

interface Props {
  call: Schemas['CallDetailDto'];
  turns: Turn[];
  invocations: Schemas['ListedInvocationDto'][];
  isComplete: boolean;
  isTruncated: boolean;
}

const toWords = (turns: Turn[], connectedAt: string | null): Words[] =>
  turns.map(({ speaker, text, started_at, ended_at }) => ({
    speaker,
    text,
    from: getOffset(started_at, connectedAt),
    to: getOffset(ended_at ?? started_at, connectedAt),
  }));

/** The transcript beside the recording. The turn that is playing is marked; a click on a turn plays it. */
export function Conversation({ call, turns, invocations, isComplete, isTruncated }: Props) {
  const audio = useRef<HTMLAudioElement>(null);
  const [position, setPosition] = useState<number>();
  const words = toWords(turns, call.connected_at);
  const heard = position === undefined ? -1 : words.findLastIndex(({ from }) => from <= position);
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
          words={words}
          heard={words[heard]}
          onSeek={playFrom}
        />
      ) : (
        call.ended_at && <NoRecording call={call} />
      )}
      {turns.length === 0 && (
        <p className={styles.muted}>{call.ended_at ? texts.call.noTranscript : texts.call.nothingSaid}</p>
      )}
      <Turns
        turns={turns}
        invocations={invocations}
        connectedAt={call.connected_at}
        heard={heard}
        toId={toTurnId}
        onPlay={call.recording_url ? playFrom : undefined}
      />
      {isTruncated && <p className={styles.muted}>{texts.call.truncated}</p>}
      {call.ended_at && turns.length > 0 && !isComplete && (
        <p className={styles.muted}>{texts.call.incomplete}</p>
      )}
    </>
  );
}
