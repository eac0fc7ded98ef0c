import type { ReactNode } from 'react';
import styles from './sampled-value.module.css';

interface Props {
  /** Says that the value is of few calls; undefined: it is not. */
  small: string | undefined;
  children: ReactNode;
}

/** A rate or an average, pale if it is of few calls. */
export const SampledValue = ({ small, children }: Props) =>
  small === undefined ? (
    children
  ) : (
    <span className={styles.small} title={small}>
      {children}
      <span className="visually-hidden">{` (${small})`}</span>
    </span>
  );
