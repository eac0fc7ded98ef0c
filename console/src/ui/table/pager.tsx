import type { ChangeEvent, MouseEvent } from 'react';
import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import { Button } from '../button';
import { focusHeading } from '../focus-heading';
import { ROWS_PER_PAGE, storeRowsPerPage } from './rows-per-page';
import fieldStyles from '../fields.module.css';
import styles from './pager.module.css';

interface Props {
  /** The name of the list, if the page has several lists. */
  label?: string;
  pagination: Schemas['Pagination'];
  onPage: (page: number) => void;
}

/** The pager below a list. Another page is shown from the top of the list. */
export function Pager({ label, pagination, onPage }: Props) {
  const { page, limit, totalPages, total, totalIsLowerBound, hasPrevPage, hasNextPage } = pagination;
  const last = Math.max(1, totalPages);
  const goTo = (next: number) => (event: MouseEvent) => {
    const list = event.currentTarget.closest('nav')?.previousElementSibling;
    onPage(next);
    if (!(list instanceof HTMLElement) || list.tabIndex < 0) return focusHeading();
    list.focus({ preventScroll: true });
    list.scrollIntoView();
  };
  const isPastEnd = page > last;
  const hasSizes = total > ROWS_PER_PAGE[0] && ROWS_PER_PAGE.some((rows) => rows === limit);
  const resize = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    storeRowsPerPage(Number(target.value));
    onPage(1);
  };
  return (
    <nav
      className={isPastEnd ? `${styles.pager} ${styles.pastEnd}` : styles.pager}
      aria-label={[label, texts.common.page(page, last)].filter(Boolean).join(': ')}
    >
      {isPastEnd ? (
        <>
          <span role="status" className={styles.total}>
            {texts.common.pastEnd(page, last)}
          </span>
          <Button onClick={goTo(1)}>{texts.common.first}</Button>
          {last > 1 && <Button onClick={goTo(last)}>{texts.common.last}</Button>}
        </>
      ) : (
        <>
          {/* An empty list says so itself. */}
          <span className={styles.total}>
            {(total > 0 || totalIsLowerBound) &&
              (totalIsLowerBound ? texts.common.atLeast : texts.common.total)(total)}
          </span>
          {hasSizes && (
            <label className={styles.size}>
              {texts.common.rowsPerPage}
              <select value={limit} onChange={resize} className={fieldStyles.control}>
                {ROWS_PER_PAGE.map((rows) => (
                  <option key={rows}>{rows}</option>
                ))}
              </select>
            </label>
          )}
          {last > 1 && (
            <>
              <Button disabled={!hasPrevPage} onClick={goTo(page - 1)}>
                {texts.common.previous}
              </Button>
              <span aria-current="page">{texts.common.page(page, last)}</span>
              <Button disabled={!hasNextPage} onClick={goTo(page + 1)}>
                {texts.common.next}
              </Button>
            </>
          )}
        </>
      )}
    </nav>
  );
}
