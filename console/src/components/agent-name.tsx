import { api } from '../api/client';
import { texts } from '../texts';

interface Props {
  id: string;
  /** If it is known already. */
  name: string | undefined;
  /** Names are being read that may contain its own. */
  isReading: boolean;
}

/** The name of an agent, which is asked for if it is not among those that were read. */
export function AgentName({ id, name, isReading }: Props) {
  const agent = api.useQuery(
    'get',
    '/api/agents/{agent_id}',
    { params: { path: { agent_id: id } } },
    { enabled: name === undefined && !isReading },
  );
  return name ?? agent.data?.data[0]?.name ?? (agent.isError ? id : texts.common.loading);
}
