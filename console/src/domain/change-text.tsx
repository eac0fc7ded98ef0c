import type { Change } from './figures';
import styles from './change-text.module.css';

const ARROWS = { '-1': '▼', '0': '', '1': '▲' };

/** The change of a figure. The arrow shows its direction, and the colour whether it is an improvement. */
export const ChangeText = ({ change: { text, sign, tone } }: { change: Change }) => (
  <span className={styles[tone]}>
    <span aria-hidden="true" className={styles.arrow}>
      {ARROWS[sign]}
    </span>{' '}
    {text}
  </span>
);
