import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import type { operations } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { isNarrowed } from '../../../ui/filters/filter-query';
import { type Filter, FilterBar } from '../../../ui/filters/filter-bar';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { Pager } from '../../../ui/table/pager';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { texts } from '../../../texts';
import { AgentTable } from './agent-table';
import { CreateAgentDialog } from './create-agent-dialog';
import { readRowsPerPage } from '../../../ui/table/rows-per-page';
import { useCreateRequest } from '../../../ui/use-create-request';

type Query = NonNullable<operations['listAgents']['parameters']['query']>;

/** The columns that are sorted upwards first. */
const ASCENDING = ['name', 'type'];

const toChoices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const FILTERS: Filter[] = [
  { name: 'search', label: texts.agents.search, type: 'search' },
  { name: 'type', label: texts.agents.type, choices: toChoices(texts.agents.types) },
  {
    name: 'status',
    label: texts.agents.status,
    choices: toChoices({ true: texts.agents.active, false: texts.agents.off }),
  },
];

const NARROWING = ['search', 'type', 'status'];

const firstOrder = (by: string) => (ASCENDING.includes(by) ? 'asc' : 'desc');

function getSorting(parameters: URLSearchParams): Required<Pick<Query, 'sortBy' | 'sortOrder'>> {
  const sortBy = (parameters.get('sortBy') ?? 'createdAt') as NonNullable<Query['sortBy']>;
  return { sortBy, sortOrder: (parameters.get('sortOrder') as Query['sortOrder']) ?? firstOrder(sortBy) };
}

/** Converts the query of the page's address to the query of the API. */
function toQuery(parameters: URLSearchParams): Query {
  const get = (name: string) => parameters.get(name) ?? undefined;
  return {
    limit: readRowsPerPage(),
    page: Number(get('page') ?? 1),
    search: get('search'),
    type: get('type') as Query['type'],
    status: get('status') === undefined ? undefined : get('status') === 'true',
    ...getSorting(parameters),
  };
}

export default function AgentsPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const agents = api.useQuery(
    'get',
    '/api/agents',
    { params: { query: toQuery(parameters) } },
    { placeholderData: keepPreviousData },
  );
  const { sortBy, sortOrder } = getSorting(parameters);
  const sort = (by: string, order: 'asc' | 'desc') =>
    setParameters({ sortBy: by, sortOrder: by === sortBy ? order : firstOrder(by), page: undefined });
  // The page of a template leads here with its id.
  const template = parameters.get('template') ?? undefined;
  const [isCreating, setCreating] = useState(template !== undefined);
  useCreateRequest('administer', () => setCreating(true));
  const closeCreation = () => {
    setCreating(false);
    if (template !== undefined) setParameters({ template: undefined }, { replace: true });
  };
  return (
    <Page
      title={texts.agents.title}
      actions={
        <Button needs="administer" variant="primary" onClick={() => setCreating(true)}>
          {texts.agents.create}
        </Button>
      }
    >
      <FilterBar label={texts.agents.filters} filters={FILTERS} state={state} />
      <Loaded query={agents}>
        {({ data, pagination }) => (
          <>
            <AgentTable
              agents={data}
              sorting={{ by: sortBy, order: sortOrder, onChange: sort }}
              empty={isNarrowed(parameters, NARROWING) ? texts.agents.empty : texts.agents.none}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {isCreating && <CreateAgentDialog template={template} onClose={closeCreation} />}
    </Page>
  );
}
