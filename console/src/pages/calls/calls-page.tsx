import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../components/button';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Pager } from '../../components/pager';
import { useQueryParameters } from '../../components/use-query-parameters';
import { useLive } from '../../live/use-live';
import { texts } from '../../texts';
import { CallFilterForm } from './call-filter-form';
import { queryOf } from './call-filters';
import { CallTable } from './call-table';
import { ExportLinks } from './export-links';
import { SavedViews } from './saved-views';
import styles from './calls.module.css';

export default function CallsPage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = queryOf(parameters);
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const [unseen, setUnseen] = useState<ReadonlySet<string>>(new Set());
  // New calls are counted, and shown when the reader asks: rows do not move under the pointer.
  const newest = api.useQuery('get', '/api/calls', { params: { query: { limit: 1 } } });
  const newestId = newest.data?.data[0]?.call_id ?? '';
  useLive((event) => {
    // The ids of calls are in the order of their creation.
    if (event.kind === 'call' && newest.isSuccess && event.call_id > newestId)
      setUnseen((before) => new Set(before).add(event.call_id));
  });
  const showNew = () => {
    setUnseen(new Set());
    void Promise.all([newest.refetch(), calls.refetch()]);
  };
  return (
    <Page title={texts.calls.title} actions={<ExportLinks parameters={parameters} />}>
      <CallFilterForm
        parameters={parameters}
        onChange={(changes) => setParameters({ ...changes, page: undefined })}
      />
      <SavedViews parameters={parameters} />
      <div aria-live="polite" className={styles.news}>
        {unseen.size > 0 && (
          <>
            <span>{texts.calls.new(unseen.size)}</span>
            <Button onClick={showNew}>{texts.calls.showNew}</Button>
          </>
        )}
      </div>
      <Loaded query={calls}>
        {({ data, pagination }) => (
          <>
            <CallTable calls={data} />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
