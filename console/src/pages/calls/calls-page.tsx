import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client';
import { Button } from '../../components/button';
import { ExportLinks } from '../../components/export-links';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Pager } from '../../components/pager';
import { useQueryParameters } from '../../components/use-query-parameters';
import { useLive } from '../../live/use-live';
import { texts } from '../../texts';
import { CallFilterForm } from './call-filter-form';
import { queryOf } from './call-filters';
import { CallTable } from './call-table';
import { SavedViews } from './saved-views';
import styles from './calls.module.css';

/** The ids of the calls from this time on; of the last hundred if there are more. */
async function callsSince(start_date: string): Promise<string[]> {
  const { data } = await client.GET('/api/calls', { params: { query: { start_date, limit: 100 } } });
  return data?.data.map(({ call_id }) => call_id) ?? [];
}

/** The stream was cut again. When it is back, another gap follows. */
const ignoreUntilNextGap = () => undefined;

export default function CallsPage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = queryOf(parameters);
  const { page: _, limit: __, ...filters } = query;
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const [unseen, setUnseen] = useState<ReadonlySet<string>>(new Set());
  // New calls are counted, and shown when the reader asks: rows do not move under the pointer.
  const newest = api.useQuery('get', '/api/calls', { params: { query: { limit: 1 } } });
  const shown = newest.data?.data[0];
  const notice = (ids: string[]) => {
    // The ids of calls are in the order of their creation.
    const added = newest.isSuccess ? ids.filter((id) => id > (shown?.call_id ?? '')) : [];
    if (added.length > 0) setUnseen((before) => new Set([...before, ...added]));
  };
  useLive((event) => {
    if (event.kind === 'call') notice([event.call_id]);
    if (event.kind === 'gap' && shown) void callsSince(shown.created_at).then(notice, ignoreUntilNextGap);
  });
  const showNew = () => {
    setUnseen(new Set());
    void Promise.all([newest.refetch(), calls.refetch()]);
  };
  return (
    <Page
      title={texts.calls.title}
      actions={<ExportLinks path="/api/calls/export" filters={filters} name="calls" />}
    >
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
