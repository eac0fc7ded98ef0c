import styles from './share-bar.module.css';

interface Props {
  share: number;
  /** A second share, in another fill. */
  rest?: number;
}

/** A share as a bar. The page shows the number beside it. */
export const ShareBar = ({ share, rest = 0 }: Props) => (
  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className={styles.bar}>
    <rect width="100" height="8" className={styles.whole} />
    <rect width={share * 100} height="8" className={styles.part} />
    {rest > 0 && <rect x={share * 100} width={rest * 100} height="8" className={styles.rest} />}
  </svg>
);
