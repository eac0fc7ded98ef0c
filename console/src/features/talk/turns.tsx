import { useEffect, useRef } from 'react';
import { texts } from '../../texts';
import type { Turn } from './conversation';
import type { Way } from './session';
import styles from './talk.module.css';

/** The distance to its end within which a list follows new lines. */
const NEAR_PX = 80;

/** The turns so far. The list stays at its end unless the reader has scrolled back. */
export function Turns({ turns, way }: { turns: Turn[]; way: Way }) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = list;
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [turns]);
  return (
    <div
      ref={list}
      className={styles.turns}
      // A microphone would hear a screen reader that reads out what was said.
      role={way === 'writing' ? 'log' : 'region'}
      aria-label={texts.talk.during.transcript}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - clientHeight - scrollTop < NEAR_PX;
      }}
    >
      {turns.length === 0 && <p className={styles.muted}>{texts.talk.during.nothing}</p>}
      <ol>
        {turns.map(({ speaker, text, isFinal }, index) => (
          <li key={index} data-speaker={speaker} data-provisional={isFinal ? undefined : true}>
            <span className={styles.speaker}>
              {speaker === 'user' ? texts.talk.during.you : texts.call.speakers.agent}
            </span>
            <p dir="auto">{text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
