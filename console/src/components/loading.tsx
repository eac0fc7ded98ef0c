import { texts } from '../texts';
import styles from './loading.module.css';

export const Loading = () => (
  <p role="status" className={styles.loading}>
    {texts.common.loading}
  </p>
);
