import { type ReactNode, useEffect, useRef } from 'react';
import styles from './notice.module.css';

/** A notice about a finished action. It takes the focus, because the control may have been removed. */
export function DoneNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} role="status" className={`${styles.notice} ${styles.good}`}>
      {children}
    </div>
  );
}
