import { Link } from 'wouter';
import { api } from '../../api/client';
import { EVERY_MS, type Listed, ProgressOf } from '../../components/campaign/progress-of';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { Table } from '../../components/table';
import { texts } from '../../texts';
import { LIMIT } from './problems';

const labels = texts.overview;

/** How many are shown. */
const SHOWN = 5;

/** The newest ones, of which each may need attention. */
export const useRunningCampaigns = () =>
  api.useQuery(
    'get',
    '/api/campaign',
    { params: { query: { status: 'running', include: 'progress', limit: LIMIT } } },
    { refetchInterval: ({ state }) => (state.data?.data.length ? EVERY_MS : false) },
  );

/** The newest campaigns that are running, and how far they are. */
export function RunningCampaigns() {
  const campaigns = useRunningCampaigns();
  return (
    <Section title={labels.campaigns} actions={<Link href="/campaigns">{texts.campaigns.title}</Link>}>
      <Loaded query={campaigns}>
        {({ data }) => (
          <Table<Listed>
            caption={labels.campaigns}
            rows={data.slice(0, SHOWN)}
            rowKey={({ campaign_id }) => campaign_id}
            rowHref={({ campaign_id }) => `/campaigns/${campaign_id}`}
            empty={labels.noCampaigns}
            columns={[
              { key: 'name', header: labels.campaign, cell: ({ campaignName }) => campaignName },
              {
                key: 'progress',
                header: labels.progress,
                cell: (campaign) => <ProgressOf campaign={campaign} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
