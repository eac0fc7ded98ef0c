import styles from './share-bar.module.css';

/** A part of a whole as a bar. The number stands beside it. */
export const ShareBar = ({ share }: { share: number }) => (
  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className={styles.bar}>
    <rect width="100" height="8" className={styles.whole} />
    <rect width={share * 100} height="8" className={styles.part} />
  </svg>
);
