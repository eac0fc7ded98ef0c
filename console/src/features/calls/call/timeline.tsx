import type { Schemas } from '../../../api/client';
import { TimeText } from '../../../ui/time-text';
import styles from './call.module.css';

type Entry = Schemas['TimelineEntryDto'];

const TONES: Partial<Record<Entry['kind'], 'bad' | 'warn'>> = { failed: 'bad', warning: 'warn' };

/** The timeline of a call. */
export const Timeline = ({ entries }: { entries: Entry[] }) => (
  <ol className={styles.timeline}>
    {entries.map((entry, index) => (
      <li key={index} data-tone={TONES[entry.kind]}>
        <span className={styles.at}>
          <TimeText at={entry.at} isClock hasSeconds />
        </span>
        <span>{entry.text}</span>
      </li>
    ))}
  </ol>
);
