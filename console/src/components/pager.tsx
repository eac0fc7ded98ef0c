import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { Button } from './button';
import styles from './pager.module.css';

interface Props {
  pagination: Schemas['Pagination'];
  onPage: (page: number) => void;
}

export const Pager = ({ pagination, onPage }: Props) => (
  <nav className={styles.pager} aria-label={texts.common.page(pagination.page, pagination.totalPages)}>
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
