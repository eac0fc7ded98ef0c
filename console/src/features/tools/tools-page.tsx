import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { type Filter, FilterBar } from '../../ui/filters/filter-bar';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { getWeek } from '../../ui/filters/periods';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { CreateToolDialog } from './create-tool-dialog';
import { offeredNames } from './offered-tools';
import { readRowsPerPage } from '../../ui/table/rows-per-page';
import { useCreateRequest } from '../../ui/use-create-request';

type Tool = Schemas['ToolDto'];

const labels = texts.tools;

const FILTERS: Filter[] = [{ name: 'search', label: labels.search, type: 'search' }];

/** The unknown invocations that are read and counted. */
const COUNTED = 100;

/** The tools of the workspace, each with the number of its unknown invocations. */
export default function ToolsPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const [isCreating, setCreating] = useState(false);
  useCreateRequest('administer', () => setCreating(true));
  const query = {
    page: Number(parameters.get('page') ?? 1),
    limit: readRowsPerPage(),
    search: parameters.get('search') ?? undefined,
  };
  const tools = api.useQuery(
    'get',
    '/api/tools',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const unknown = api.useQuery('get', '/api/tool-invocations', {
    params: { query: { state: 'unknown', start_date: getWeek().start, limit: COUNTED } },
  });
  const countUnknown = (tool: Tool) => {
    if (!unknown.data) return texts.common.none;
    const { data, pagination } = unknown.data;
    const names = offeredNames(tool);
    const count = data.filter((invocation) => names.includes(invocation.tool)).length;
    if (count === 0) return count;
    const text = pagination.hasNextPage ? texts.common.atLeast(count) : count.toLocaleString();
    return <Badge tone="warn">{text}</Badge>;
  };
  return (
    <Page
      title={labels.title}
      beside={<p>{labels.intro}</p>}
      actions={
        <Button needs="administer" variant="primary" onClick={() => setCreating(true)}>
          {labels.create}
        </Button>
      }
    >
      <FilterBar label={labels.filters} filters={FILTERS} state={state} />
      <Loaded query={tools}>
        {({ data, pagination }) => (
          <>
            <Table<Tool>
              caption={labels.title}
              rows={data}
              rowKey={({ tool_id }) => tool_id}
              rowHref={({ tool_id }) => `/tools/${tool_id}`}
              empty={labels.none}
              columns={[
                { key: 'name', header: labels.columns.name, cell: ({ name }) => name },
                { key: 'kind', header: labels.columns.kind, cell: ({ kind }) => labels.kinds[kind] },
                {
                  key: 'effect',
                  header: labels.columns.effect,
                  cell: ({ effect }) => (effect === null ? labels.asServerSays : labels.effects[effect]),
                },
                { key: 'address', header: labels.columns.address, cell: ({ url }) => url, isMinor: true },
                {
                  key: 'unknown',
                  header: labels.columns.unknown,
                  phone: 'named',
                  cell: countUnknown,
                  align: 'end',
                },
                {
                  key: 'updated',
                  header: labels.columns.updated,
                  cell: ({ updated_at }) => <TimeText at={updated_at} />,
                  isMinor: true,
                },
              ]}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {isCreating && <CreateToolDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
