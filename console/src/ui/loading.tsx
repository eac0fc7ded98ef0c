import { texts } from '../texts';
import styles from './loading.module.css';

export const Loading = () => (
  <p role="status" data-loading className={styles.loading}>
    {texts.common.loading}
  </p>
);
