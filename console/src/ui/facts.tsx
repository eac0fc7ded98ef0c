import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  name: string;
  value: ReactNode;
  /** Whether the value is long, such as an address. */
  isWide?: boolean;
}

/** Names with values. Those without a value are left out. */
export const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(({ value }) => value !== undefined && value !== null && value !== '' && value !== false)
      .map(({ name, value, isWide }) => (
        <div key={name} data-wide={isWide || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
