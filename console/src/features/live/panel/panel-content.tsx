import { useLayoutEffect, useRef } from 'react';
import type { Schemas } from '../../../api/client';
import { ListenSection } from '../../../domain/listen-section';
import { type Turn, Turns } from '../../../domain/turns';
import type { FollowedCall } from '../../../live/use-followed-call';
import { texts } from '../../../texts';
import { FailureNotice } from '../../../ui/failure-notice';
import { Loaded } from '../../../ui/loaded';
import { Allowed } from '../../../ui/rights';
import styles from '../live.module.css';

type Call = Schemas['CallDetailDto'];
type Invocations = Schemas['ListedInvocationDto'][];

interface Props extends Pick<FollowedCall, 'transcript' | 'invocations'> {
  call: Call;
  isAudible: boolean;
}

const NONE: Invocations = [];

/** The audio and the transcript of a call. */
export const PanelContent = ({ call, transcript, invocations, isAudible }: Props) => (
  <>
    <Allowed to="operate">
      <ListenSection key={call.call_id} callId={call.call_id} isAudible={isAudible} />
    </Allowed>
    {invocations.isError && <FailureNotice error={invocations.error} />}
    <Loaded query={transcript}>
      {({ data: { turns, truncated } }) => (
        <Transcript
          key={call.call_id}
          call={call}
          turns={turns}
          invocations={invocations.data?.data ?? NONE}
          isTruncated={truncated}
        />
      )}
    </Loaded>
  </>
);

/** The distance from the end, in pixels, at which a reader still reads the end. */
const NEAR_PX = 32;

interface TranscriptProps {
  call: Call;
  turns: Turn[];
  invocations: Invocations;
  isTruncated: boolean;
}

/** The turns of a call. It scrolls to each new one, unless somebody has scrolled back to read earlier ones. */
function Transcript({ call, turns, invocations, isTruncated }: TranscriptProps) {
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current && log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [turns, invocations]);
  return (
    <div
      ref={log}
      role="log"
      aria-label={texts.live.transcript}
      tabIndex={0}
      className={styles.log}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {turns.length === 0 && (
        <p className={styles.muted}>{call.ended_at ? texts.call.noTranscript : texts.call.nothingSaid}</p>
      )}
      <Turns turns={turns} invocations={invocations} connectedAt={call.connected_at} />
      {isTruncated && <p className={styles.muted}>{texts.call.truncated}</p>}
    </div>
  );
}
