import type { Schemas } from '../../../api/client';
import { FailureNotice } from '../../../ui/failure-notice';
import { AgentStatus } from '../agent-status';
import { type Column, Table } from '../../../ui/table/table';
import type { Sorting } from '../../../ui/table/table-header';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import { providerName } from '../../../texts/providers';
import { Share } from '../share';
import { type Health, NO_CALLS, useAgentsHealth } from './use-agents-health';

type Agent = Schemas['AgentSummaryDto'];

const { columns: headers } = texts.agents;

const NO_HEALTH: Health = { ...NO_CALLS, outbound: NO_CALLS };

/** The columns about the calls of the last week. */
const healthColumns = (of: (agent: Agent) => Health): Column<Agent>[] => [
  { key: 'calls', header: headers.calls, cell: (agent) => of(agent).calls.toLocaleString(), align: 'end' },
  {
    key: 'failed',
    header: headers.failed,
    cell: (agent) => <Share part={of(agent).failed} whole={of(agent).calls} isBad />,
    align: 'end',
  },
  {
    key: 'connected',
    header: headers.connected,
    cell: (agent) => <Share part={of(agent).outbound.connected} whole={of(agent).outbound.calls} />,
    align: 'end',
  },
];

interface Props {
  agents: Agent[];
  sorting: Sorting;
  empty: string;
}

export function AgentTable({ agents, sorting, empty }: Props) {
  const { data: health, error, refetch } = useAgentsHealth();
  const columns: Column<Agent>[] = [
    { key: 'name', header: headers.name, cell: ({ name }) => name, sortBy: 'name' },
    {
      key: 'type',
      header: headers.type,
      cell: ({ type }) => texts.agents.types[type],
      sortBy: 'type',
      isMinor: true,
    },
    {
      key: 'status',
      header: headers.status,
      cell: ({ status }) => <AgentStatus status={status} />,
      phone: 'aside',
      sortBy: 'status',
    },
    {
      key: 'number',
      header: headers.number,
      cell: ({ phoneNumber }) => phoneNumber || texts.common.none,
      phone: 'hidden',
    },
    {
      key: 'voice',
      header: headers.voice,
      cell: ({ voiceEngine }) => providerName(voiceEngine),
      isMinor: true,
    },
    ...(health ? healthColumns(({ id }) => health.get(id) ?? NO_HEALTH) : []),
    {
      key: 'updated',
      header: headers.updated,
      cell: ({ updatedAt }) => <TimeText at={updatedAt} />,
      sortBy: 'updatedAt',
      isMinor: true,
    },
  ];
  return (
    <>
      {error && <FailureNotice error={error} retry={() => void refetch()} />}
      <Table
        caption={texts.agents.title}
        columns={columns}
        rows={agents}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/agents/${id}`}
        sorting={sorting}
        empty={empty}
      />
    </>
  );
}
