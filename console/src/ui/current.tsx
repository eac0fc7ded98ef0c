import type { ReactNode } from 'react';
import { useConnection } from '../api/connection';
import { texts } from '../texts';
import styles from './current.module.css';
import { clockText } from './moment';

interface Props {
  /** The time when the data was read. */
  at: number;
  children: ReactNode;
}

/** Live data. While the connection is lost, it names its time; it is grey if the server does not answer. */
export function Current({ at, children }: Props) {
  const { isAway, isCut } = useConnection();
  return (
    <div className={styles.current} data-old={isAway || undefined}>
      {(isAway || isCut) && <p className={styles.at}>{texts.common.asOf(clockText(at))}</p>}
      {children}
    </div>
  );
}
