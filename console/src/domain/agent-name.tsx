import { api } from '../api/client';
import { texts } from '../texts';

interface Props {
  id: string;
  /** The name, if the page has read it. */
  name: string | undefined;
  /** Whether the page is reading names that may include this one. */
  isReading: boolean;
}

/** The name of an agent, which is requested if the page has not read it. */
export function AgentName({ id, name, isReading }: Props) {
  const agent = api.useQuery(
    'get',
    '/api/agents/{agent_id}',
    { params: { path: { agent_id: id } } },
    { enabled: name === undefined && !isReading },
  );
  return name ?? agent.data?.data[0]?.name ?? (agent.isError ? id : texts.common.loading);
}
