import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { ExportLinks } from '../../../ui/export-links';
import { FilterBar } from '../../../ui/filters/filter-bar';
import { isNarrowed } from '../../../ui/filters/filter-query';
import { MINUTES } from '../../../ui/filters/periods';
import { SavedViews } from '../../../domain/saved-views';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { ColumnChoice } from '../../../ui/table/column-choice';
import { Pager } from '../../../ui/table/pager';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { useIsScoped } from '../../../session/session';
import { texts } from '../../../texts';
import { FILTERS, toQuery } from './call-filters';
import { CallTable } from './call-table';
import { CompareBar } from './compare-bar';
import { readColumns, storeColumns } from './column-storage';
import { listColumns } from './columns';
import { useCallFilters } from './use-call-filters';
import { useNewCalls } from './use-new-calls';
import styles from './calls.module.css';

/** The first column is always shown. */
const CHOICES = listColumns(() => undefined)
  .slice(1)
  .map(({ key, header }) => ({ value: key, label: header }));

export default function CallsPage() {
  const isScoped = useIsScoped();
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = toQuery(parameters);
  const { page: _, limit: __, ...filters } = query;
  const { sortBy: ___, sortOrder: ____, ...counted } = filters;
  // New calls are announced and shown on a click, so that rows do not move under the pointer.
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchOnWindowFocus: false, refetchOnReconnect: false },
  );
  const [compared, setCompared] = useState<ReadonlySet<string>>(
    () => new Set(parameters.getAll('compare').slice(0, 1)),
  );
  const [columns, setColumns] = useState(readColumns);
  const added = useNewCalls(filters, calls.isPlaceholderData ? undefined : calls.data?.pagination.total);
  return (
    <Page
      title={texts.calls.title}
      actions={
        <>
          <div className={styles.notes}>
            <div aria-live="polite" className={styles.news}>
              {added > 0 && (
                <>
                  <span>{texts.calls.new(added)}</span>
                  <Button onClick={() => void calls.refetch()}>{texts.calls.showNew}</Button>
                </>
              )}
            </div>
            <CompareBar chosen={compared} onClear={() => setCompared(new Set())} />
          </div>
          <ExportLinks
            path="/api/calls/export"
            filters={filters}
            name="calls"
            isEmpty={calls.data?.pagination.total === 0}
          />
        </>
      }
    >
      <FilterBar filters={useCallFilters(counted)} times={MINUTES} state={state}>
        {!isScoped && <SavedViews page="calls" parameters={parameters} times={MINUTES} />}
        <ColumnChoice
          columns={CHOICES}
          chosen={columns}
          onChange={(chosen) => setColumns(storeColumns(chosen))}
          onReset={() => setColumns(storeColumns(undefined))}
        />
      </FilterBar>
      <Loaded query={calls}>
        {({ data, pagination }) => (
          <>
            <CallTable
              calls={data}
              chosen={columns}
              compared={compared}
              onCompare={setCompared}
              empty={isNarrowed(parameters, FILTERS) ? texts.calls.empty : texts.calls.none}
              sorting={{
                by: parameters.get('sortBy') ?? 'created_at',
                order: parameters.get('sortOrder') === 'asc' ? 'asc' : 'desc',
                onChange: (sortBy, sortOrder) => setParameters({ sortBy, sortOrder, page: undefined }),
              }}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
