import { useMutation } from '@tanstack/react-query';
import { client, type Schemas } from '../../api/client';
import { PAGE_SIZE, readPages } from '../../api/read-pages';
import type { operations } from '../../api/schema';
import { Button } from '../../ui/button';
import { saveCsv } from '../../ui/csv';
import { FailureNotice } from '../../ui/failure-notice';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Entry = Schemas['CreditEntryDto'];

export type CreditQuery = NonNullable<operations['listCreditEntries']['parameters']['query']>;

const labels = texts.settings.credits;

/** The API has no export of the ledger, so the export is read in pages, and has a bound. */
const MAX_PAGES = 20;
const MAX_ENTRIES = MAX_PAGES * PAGE_SIZE;

/** Reads the newest entries that match. */
const readEntries = (query: CreditQuery): Promise<Entry[]> =>
  readPages(
    (page) => client.GET('/api/workspace/credits', { params: { query: { ...query, ...page } } }),
    ({ id }) => id,
    MAX_PAGES,
  );

/** The button that saves the entries that match the filters. */
export function CreditExport({ query, total }: { query: CreditQuery; total: number }) {
  const act = useMutation({
    mutationFn: async () =>
      saveCsv<Entry>(
        'credits',
        [
          ['at', ({ at }) => at],
          ['kind', ({ kind }) => kind],
          ['amount', ({ amount }) => amount],
          ['balance', ({ balance }) => balance],
          ['call_id', ({ call_id }) => call_id ?? ''],
          ['customer_name', ({ customer_name }) => customer_name ?? ''],
          ['customer_number', ({ customer_number }) => customer_number ?? ''],
        ],
        await readEntries(query),
      ),
  });
  return (
    <>
      {total > MAX_ENTRIES && <span className={styles.muted}>{labels.exportBound(MAX_ENTRIES, total)}</span>}
      <Button act={act} disabled={total === 0} onClick={() => act.mutate()}>
        {texts.common.exportCsv}
      </Button>
      {act.isError && <FailureNotice error={act.error} />}
    </>
  );
}
