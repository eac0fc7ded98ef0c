import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface Props {
  kind: 'info' | 'warn' | 'good';
  children: ReactNode;
}

export const Notice = ({ kind, children }: Props) => (
  <div data-notice className={`${styles.notice} ${styles[kind]}`}>
    {children}
  </div>
);
