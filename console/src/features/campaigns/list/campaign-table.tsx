import { CampaignStatus } from '../campaign-status';
import { AgentName } from '../../../domain/agent-name';
import { type Listed, CampaignProgress } from '../../../domain/campaign-progress';
import { WaitingText } from '../../../domain/campaign-waiting';
import { type Column, Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { useAgentNames } from '../../../domain/use-agent-names';
import { texts } from '../../../texts';

const { columns: headers, ...labels } = texts.campaigns;

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** The share of all people of a campaign whose call reached a person. */
const getReached = ({ results, recipientCount }: Listed) =>
  results && recipientCount > 0 ? percent.format(results.reached / recipientCount) : texts.common.none;

const NAME: Column<Listed> = {
  key: 'name',
  header: headers.name,
  cell: ({ campaignName }) => campaignName,
};

const COLUMNS: Column<Listed>[] = [
  {
    key: 'status',
    header: headers.status,
    cell: (campaign) => <CampaignStatus campaign={campaign} />,
    phone: 'aside',
  },
  {
    key: 'progress',
    header: headers.progress,
    cell: (campaign) => <CampaignProgress campaign={campaign} />,
    phone: 'rest',
  },
  { key: 'reached', header: headers.reached, cell: getReached, align: 'end', phone: 'named' },
  {
    key: 'waiting',
    header: headers.waiting,
    cell: (campaign) => <WaitingText campaign={campaign} />,
    phone: 'hidden',
  },
  {
    key: 'starts',
    header: headers.starts,
    cell: ({ scheduleTime }) => <TimeText at={scheduleTime} />,
    isMinor: true,
  },
];

export function CampaignTable({ campaigns, empty }: { campaigns: Listed[]; empty: string }) {
  const { names, isReading } = useAgentNames();
  const agent: Column<Listed> = {
    key: 'agent',
    header: headers.agent,
    cell: ({ assistantId: id }) => <AgentName id={id} name={names.get(id)} isReading={isReading} />,
    isMinor: true,
  };
  return (
    <Table
      caption={labels.title}
      columns={[NAME, agent, ...COLUMNS]}
      rows={campaigns}
      rowKey={({ campaign_id }) => campaign_id}
      rowHref={({ campaign_id }) => `/campaigns/${campaign_id}`}
      empty={empty}
    />
  );
}
