import { api } from '../api/client';

/** The names of the first hundred agents of the workspace, by id. */
export function useAgentNames(): { names: Map<string, string>; isReading: boolean } {
  const agents = api.useQuery('get', '/api/agents', {
    params: { query: { limit: 100, sortBy: 'updatedAt' } },
  });
  return {
    names: new Map((agents.data?.data ?? []).map(({ id, name }) => [id, name])),
    isReading: agents.isPending,
  };
}
