import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../../api/client';
import { Button } from '../../../ui/button';
import { isNarrowed } from '../../../ui/filters/filter-query';
import { type Filter, FilterBar } from '../../../ui/filters/filter-bar';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { Pager } from '../../../ui/table/pager';
import { type Column, Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { texts } from '../../../texts';
import { CreateDialog } from './create-dialog';
import { isBeingRead, StateOfSources } from '../state-of';
import { readRowsPerPage } from '../../../ui/table/rows-per-page';
import { useCreateRequest } from '../../../ui/use-create-request';

type KnowledgeBase = Schemas['KnowledgeBaseDto'];

const POLL_MS = 3_000;

const { columns: headers } = texts.knowledge;

const FILTERS: Filter[] = [{ name: 'search', label: texts.knowledge.search, type: 'search' }];

const countPassages = ({ sources }: KnowledgeBase) =>
  sources.reduce((sum, { metadata }) => sum + metadata.passages, 0);

const COLUMNS: Column<KnowledgeBase>[] = [
  { key: 'name', header: headers.name, cell: ({ name }) => name },
  {
    key: 'state',
    header: headers.state,
    cell: ({ sources }) => <StateOfSources sources={sources} />,
    phone: 'aside',
  },
  { key: 'sources', header: headers.sources, cell: ({ sources }) => sources.length, align: 'end' },
  {
    key: 'passages',
    header: headers.passages,
    cell: (base) => countPassages(base).toLocaleString(),
    align: 'end',
    isMinor: true,
    phone: 'named',
  },
  {
    key: 'updated',
    header: headers.updated,
    cell: ({ updatedAt }) => <TimeText at={updatedAt} />,
    isMinor: true,
  },
];

export default function KnowledgePage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const [isCreating, setCreating] = useState(false);
  useCreateRequest('administer', () => setCreating(true));
  const query = {
    page: Number(parameters.get('page') ?? 1),
    limit: readRowsPerPage(),
    search: parameters.get('search') ?? undefined,
  };
  const bases = api.useQuery(
    'get',
    '/api/knowledge-base',
    { params: { query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) => (data?.data.some(isBeingRead) ? POLL_MS : false),
    },
  );
  return (
    <Page
      title={texts.knowledge.title}
      actions={
        <Button needs="administer" variant="primary" onClick={() => setCreating(true)}>
          {texts.knowledge.create}
        </Button>
      }
    >
      <FilterBar label={texts.knowledge.filters} filters={FILTERS} state={state} />
      <Loaded query={bases}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={texts.knowledge.title}
              columns={COLUMNS}
              rows={data}
              rowKey={({ _id }) => _id}
              rowHref={({ _id }) => `/knowledge/${_id}`}
              empty={isNarrowed(parameters, ['search']) ? texts.knowledge.empty : texts.knowledge.none}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
