import { Link } from 'wouter';
import { api } from '../../api/client';
import { CAMPAIGN_POLL_MS, type Listed, CampaignProgress } from '../../domain/campaign-progress';
import { WaitingText } from '../../domain/campaign-waiting';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { LIMIT } from './problems';

const labels = texts.overview;

/** The number of campaigns that are shown. */
const SHOWN = 5;

/** Reads the newest running campaigns, any of which may have a problem. */
export const useRunningCampaigns = () =>
  api.useQuery(
    'get',
    '/api/campaign',
    { params: { query: { status: 'running', include: 'progress', limit: LIMIT } } },
    { refetchInterval: ({ state }) => (state.data?.data.length ? CAMPAIGN_POLL_MS : false) },
  );

/** The newest running campaigns and their progress. */
export function RunningCampaigns() {
  const campaigns = useRunningCampaigns();
  return (
    <Section title={labels.campaigns} actions={<Link href="/campaigns">{texts.campaigns.title}</Link>}>
      <Loaded query={campaigns} isCurrent>
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
                cell: (campaign) => <CampaignProgress campaign={campaign} />,
                phone: 'rest',
              },
              {
                key: 'waiting',
                header: texts.campaigns.columns.waiting,
                cell: (campaign) => <WaitingText campaign={campaign} />,
                phone: 'hidden',
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
