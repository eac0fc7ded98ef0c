import type { Schemas } from '../../api/client';
import { TimeText } from '../../components/time-text';
import styles from './call.module.css';

type Entry = Schemas['TimelineEntryDto'];

const isBad = ({ kind }: Entry) => kind === 'failed';

/** What happened, in order: when, and who did what. */
export const Timeline = ({ entries }: { entries: Entry[] }) => (
  <ol className={styles.timeline}>
    {entries.map((entry, index) => (
      <li key={index} data-bad={isBad(entry) || undefined}>
        <span className={styles.at}>
          <TimeText at={entry.at} isClock />
        </span>
        <span>{entry.text}</span>
      </li>
    ))}
  </ol>
);
