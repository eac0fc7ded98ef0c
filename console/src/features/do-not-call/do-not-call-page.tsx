import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { operations } from '../../api/schema';
import { DoNotCallDialog } from '../../domain/do-not-call-dialog';
import { RemoveEntryDialog } from '../../domain/remove-entry-dialog';
import { Button } from '../../ui/button';
import { filterQuery, isNarrowed } from '../../ui/filters/filter-query';
import { type Filter, FilterBar } from '../../ui/filters/filter-bar';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { useCreateRequest } from '../../ui/use-create-request';
import { texts } from '../../texts';
import { EntryTable } from './entry-table';
import { ImportDialog } from './import-dialog';

type Query = NonNullable<operations['listDoNotCall']['parameters']['query']>;

const labels = texts.doNotCall;

const FILTERS: Filter[] = [{ name: 'search', label: labels.search, type: 'search' }];

/** The numbers that nobody in the workspace may call. */
export default function DoNotCallPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const [asked, setAsked] = useState<'add' | 'import' | { remove: string }>();
  useCreateRequest('operate', () => setAsked('add'));
  const [done, setDone] = useState('');
  const query = filterQuery(parameters, ['search']) as Query;
  const entries = api.useQuery(
    'get',
    '/api/do-not-call',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const close = () => setAsked(undefined);
  const onDone = async (text: string) => {
    await entries.refetch();
    setDone(text);
  };
  return (
    <Page
      title={labels.title}
      beside={<p>{labels.intro}</p>}
      actions={
        <>
          <Button needs="operate" onClick={() => setAsked('import')}>
            {labels.import}
          </Button>
          <Button needs="operate" variant="primary" onClick={() => setAsked('add')}>
            {labels.add}
          </Button>
        </>
      }
    >
      <p role="status" className={done === '' ? 'visually-hidden' : undefined}>
        {done}
      </p>
      <FilterBar label={labels.filters} filters={FILTERS} state={state} />
      <Loaded query={entries}>
        {({ data, pagination }) => (
          <>
            <EntryTable
              entries={data}
              empty={isNarrowed(parameters, ['search']) ? labels.empty : labels.none}
              onRemove={(number) => setAsked({ remove: number })}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {asked === 'add' && <DoNotCallDialog onDone={onDone} onClose={close} />}
      {asked === 'import' && <ImportDialog onDone={onDone} onClose={close} />}
      {typeof asked === 'object' && (
        <RemoveEntryDialog number={asked.remove} onDone={onDone} onClose={close} />
      )}
    </Page>
  );
}
