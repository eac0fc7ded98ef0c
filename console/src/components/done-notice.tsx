import { type ReactNode, useEffect, useRef } from 'react';
import styles from './notice.module.css';

/** What was done. It gets the focus, since the control that began it may be gone. */
export function DoneNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} role="status" className={`${styles.notice} ${styles.good}`}>
      {children}
    </div>
  );
}
