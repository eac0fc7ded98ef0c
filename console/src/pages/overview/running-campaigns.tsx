import { api, type Schemas } from '../../api/client';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { ShareBar } from '../../components/share-bar';
import { Table } from '../../components/table';
import { texts } from '../../texts';

type Campaign = Schemas['CampaignDto'];

const labels = texts.overview;

/** The newest campaigns that are running, and how far they are. */
export function RunningCampaigns() {
  const query = { status: 'running' as const, limit: 5 };
  const campaigns = api.useQuery('get', '/api/campaign', { params: { query } });
  return (
    <Section title={labels.campaigns}>
      <Loaded query={campaigns}>
        {({ data }) => (
          <Table<Campaign>
            caption={labels.campaigns}
            rows={data}
            rowKey={({ campaign_id }) => campaign_id}
            rowHref={({ campaign_id }) => `/campaigns/${campaign_id}`}
            empty={labels.noCampaigns}
            columns={[
              { key: 'name', header: labels.campaign, cell: ({ campaignName }) => campaignName },
              {
                key: 'progress',
                header: labels.progress,
                cell: (campaign) => <Progress campaign={campaign} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Progress({ campaign: { campaign_id, recipientCount } }: { campaign: Campaign }) {
  const detail = api.useQuery('get', '/api/campaign/{campaign_id}', { params: { path: { campaign_id } } });
  if (!detail.data) return texts.common.none;
  const called = recipientCount - detail.data.data.progress.pending;
  return (
    <>
      {labels.progressText(called, recipientCount)} <ShareBar share={called / Math.max(1, recipientCount)} />
    </>
  );
}
