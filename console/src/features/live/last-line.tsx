import { texts } from '../../texts';
import styles from './live.module.css';
import { useLastLine } from './use-last-line';

/** The last line of a connected call. */
export function LastLine({ call_id }: { call_id: string }) {
  const { data: line, isError } = useLastLine(call_id);
  if (line === undefined)
    return isError ? <span className={styles.muted}>{texts.live.lineUnread}</span> : null;
  if (line === null) return <span className={styles.muted}>{texts.live.noLine}</span>;
  return (
    <span className={styles.line} title={line.text} dir="auto">
      <span className={styles.muted}>{texts.call.speakers[line.speaker]}:</span> {line.text}
    </span>
  );
}
