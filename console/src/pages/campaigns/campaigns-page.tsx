import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client';
import type { operations } from '../../api/schema';
import { buttonClass } from '../../components/button';
import { EVERY_MS } from '../../components/campaign/progress-of';
import { filterQuery } from '../../components/filter-query';
import { ListFilters } from '../../components/list-filters';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Pager } from '../../components/pager';
import { useQueryParameters } from '../../components/use-query-parameters';
import { texts } from '../../texts';
import { CampaignTable } from './campaign-table';

type Query = NonNullable<operations['listCampaigns']['parameters']['query']>;

const words = texts.campaigns;

const FILTERS = [
  { name: 'search', label: words.search },
  {
    name: 'status',
    label: words.columns.status,
    choices: Object.entries(words.statuses).map(([value, label]) => ({ value, label })),
    any: words.any,
  },
];

export default function CampaignsPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = { ...filterQuery(parameters, ['search', 'status']), include: 'progress' } as Query;
  const campaigns = api.useQuery(
    'get',
    '/api/campaign',
    { params: { query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) =>
        data?.data.some(({ status }) => status === 'running') ? EVERY_MS : false,
    },
  );
  return (
    <Page
      title={words.title}
      actions={
        <Link href="/campaigns/new" className={buttonClass('primary')}>
          {words.create}
        </Link>
      }
    >
      <ListFilters label={words.filters} filters={FILTERS} state={state} />
      <Loaded query={campaigns}>
        {({ data, pagination }) => (
          <>
            <CampaignTable campaigns={data} />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
