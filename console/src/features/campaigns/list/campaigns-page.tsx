import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../../api/client';
import type { operations } from '../../../api/schema';
import { buttonClass } from '../../../ui/button';
import { isMoving } from '../cancelling';
import { CAMPAIGN_POLL_MS } from '../../../domain/campaign-progress';
import { filterQuery, isNarrowed } from '../../../ui/filters/filter-query';
import { type Filter, FilterBar } from '../../../ui/filters/filter-bar';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { Allowed } from '../../../ui/rights';
import { Pager } from '../../../ui/table/pager';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { texts } from '../../../texts';
import { CampaignTable } from './campaign-table';

type Query = NonNullable<operations['listCampaigns']['parameters']['query']>;

const labels = texts.campaigns;

const NAMES = ['search', 'status'];

const FILTERS: Filter[] = [
  { name: 'search', label: labels.search, type: 'search' },
  {
    name: 'status',
    label: labels.columns.status,
    choices: Object.entries(labels.statuses).map(([value, label]) => ({ value, label })),
  },
];

export default function CampaignsPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = { ...filterQuery(parameters, NAMES), include: 'progress' } as Query;
  const campaigns = api.useQuery(
    'get',
    '/api/campaign',
    { params: { query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) => (data?.data.some(isMoving) ? CAMPAIGN_POLL_MS : false),
    },
  );
  return (
    <Page
      title={labels.title}
      actions={
        <Allowed to="operate">
          <Link href="/campaigns/new" className={buttonClass('primary')}>
            {labels.create}
          </Link>
        </Allowed>
      }
    >
      <FilterBar label={labels.filters} filters={FILTERS} state={state} />
      <Loaded query={campaigns}>
        {({ data, pagination }) => (
          <>
            <CampaignTable
              campaigns={data}
              empty={isNarrowed(parameters, NAMES) ? labels.empty : labels.none}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
