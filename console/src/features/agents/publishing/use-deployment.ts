import { api } from '../../../api/client';
import { useIsScoped } from '../../../session/session';

/** Runs of rehearsals take seconds to minutes. */
const POLL_MS = 2_000;

/** The version of an agent that calls use, and what becomes of the newest one. A session that is limited to agents cannot read it. */
export function useDeployment(agentId: string) {
  const isScoped = useIsScoped();
  return api.useQuery(
    'get',
    '/api/agents/{agent_id}/deployment',
    { params: { path: { agent_id: agentId } } },
    {
      enabled: !isScoped,
      refetchInterval: ({ state }) => (state.data?.data.status === 'deploying' ? POLL_MS : false),
    },
  );
}
