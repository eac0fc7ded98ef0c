import { useConnection } from '../api/connection';
import { clockText } from '../ui/moment';
import { texts } from '../texts';
import styles from './shell.module.css';

/** A line of the header that is shown while the connection to the server is lost. */
export function ConnectionStatus() {
  const { isAway, isCut, since } = useConnection();
  return (
    <div role="status" className={styles.connection}>
      {isAway ? texts.connection.away(clockText(since)) : isCut && texts.connection.cut}
    </div>
  );
}
