import { CampaignStatus } from '../campaign-status';
import { type Listed, CampaignProgress } from '../../../domain/campaign-progress';
import { WaitingText } from '../../../domain/campaign-waiting';
import { type Column, Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';

const { columns: headers, ...labels } = texts.campaigns;

const COLUMNS: Column<Listed>[] = [
  { key: 'name', header: headers.name, cell: ({ campaignName }) => campaignName },
  { key: 'status', header: headers.status, cell: (campaign) => <CampaignStatus campaign={campaign} /> },
  { key: 'progress', header: headers.progress, cell: (campaign) => <CampaignProgress campaign={campaign} /> },
  { key: 'waiting', header: headers.waiting, cell: (campaign) => <WaitingText campaign={campaign} /> },
  {
    key: 'starts',
    header: headers.starts,
    cell: ({ scheduleTime }) => <TimeText at={scheduleTime} />,
    isMinor: true,
  },
];

export const CampaignTable = ({ campaigns }: { campaigns: Listed[] }) => (
  <Table
    caption={labels.title}
    columns={COLUMNS}
    rows={campaigns}
    rowKey={({ campaign_id }) => campaign_id}
    rowHref={({ campaign_id }) => `/campaigns/${campaign_id}`}
    empty={labels.empty}
  />
);
