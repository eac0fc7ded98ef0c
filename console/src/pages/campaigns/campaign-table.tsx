import { CampaignStatus } from '../../components/campaign/campaign-status';
import { type Listed, ProgressOf } from '../../components/campaign/progress-of';
import { ZonedTime } from '../../components/campaign/zoned-time';
import { type Column, Table } from '../../components/table';
import { TimeText } from '../../components/time-text';
import { texts } from '../../texts';

const { columns: headers, ...words } = texts.campaigns;

/** Why nothing is dialled now, and until when. */
function WaitingOf({ campaign: { waiting, timezone } }: { campaign: Listed }) {
  if (!waiting) return texts.common.none;
  const { reason, until } = waiting;
  return (
    <>
      {words.reasons[reason]}
      {until && timezone && (
        <>
          ; {words.waitingUntil} <ZonedTime at={until} zone={timezone} />
        </>
      )}
    </>
  );
}

const COLUMNS: Column<Listed>[] = [
  { key: 'name', header: headers.name, cell: ({ campaignName }) => campaignName },
  { key: 'status', header: headers.status, cell: ({ status }) => <CampaignStatus status={status} /> },
  { key: 'progress', header: headers.progress, cell: (campaign) => <ProgressOf campaign={campaign} /> },
  { key: 'waiting', header: headers.waiting, cell: (campaign) => <WaitingOf campaign={campaign} /> },
  {
    key: 'starts',
    header: headers.starts,
    cell: ({ scheduleTime }) => <TimeText at={scheduleTime} />,
    isMinor: true,
  },
];

export const CampaignTable = ({ campaigns }: { campaigns: Listed[] }) => (
  <Table
    caption={words.title}
    columns={COLUMNS}
    rows={campaigns}
    rowKey={({ campaign_id }) => campaign_id}
    rowHref={({ campaign_id }) => `/campaigns/${campaign_id}`}
    empty={words.empty}
  />
);
