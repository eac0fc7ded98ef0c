import { useState } from 'react';
import { api } from '../../api/client';
import { AgentField } from '../../domain/agent-field';
import { CallDialog } from '../../domain/call-dialog';
import { texts } from '../../texts';
import { FailureNotice } from '../../ui/failure-notice';

const labels = texts.people;

interface Props {
  number: string;
  name: string;
  /** The agent that is chosen first; '': none. */
  agentId: string;
  onClose: () => void;
}

/** Calls a person with an agent that is chosen. */
export function CallPersonDialog({ agentId: first, onClose, ...person }: Props) {
  const [agentId, setAgentId] = useState(first);
  const agent = api.useQuery(
    'get',
    '/api/agents/{agent_id}',
    { params: { path: { agent_id: agentId } } },
    { enabled: agentId !== '' },
  );
  return (
    <CallDialog
      title={labels.callTitle(person.number)}
      agent={agent.data?.data[0]}
      person={person}
      onClose={onClose}
    >
      <AgentField value={agentId} any={labels.chooseAgent} required onChange={setAgentId} />
      {agent.isError && <FailureNotice error={agent.error} retry={() => void agent.refetch()} />}
    </CallDialog>
  );
}
