import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { Button } from './button';
import styles from './pager.module.css';

interface Props {
  /** What is paged, where a page has several lists. */
  label?: string;
  pagination: Schemas['Pagination'];
  onPage: (page: number) => void;
}

export const Pager = ({ label, pagination, onPage }: Props) => (
  <nav
    className={styles.pager}
    aria-label={[label, texts.common.page(pagination.page, pagination.totalPages)].filter(Boolean).join(': ')}
  >
    <span className={styles.total}>{texts.common.total(pagination.total)}</span>
    <Button disabled={!pagination.hasPrevPage} onClick={() => onPage(pagination.page - 1)}>
      {texts.common.previous}
    </Button>
    <span aria-current="page">{texts.common.page(pagination.page, pagination.totalPages)}</span>
    <Button disabled={!pagination.hasNextPage} onClick={() => onPage(pagination.page + 1)}>
      {texts.common.next}
    </Button>
  </nav>
);
