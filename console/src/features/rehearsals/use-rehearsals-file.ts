import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client';

/** The rehearsals of an agent as one document of YAML. */
export async function readFile(agentId: string): Promise<string> {
  const { data } = await client.GET('/api/agents/{agent_id}/rehearsals/export', {
    params: { path: { agent_id: agentId } },
    parseAs: 'text',
  });
  return String(data ?? '');
}

/** The file of an agent, which is read when the page opens and after it was saved. */
export const useRehearsalsFile = (agentId: string) =>
  useQuery({
    queryKey: ['rehearsals file', agentId],
    queryFn: () => readFile(agentId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
