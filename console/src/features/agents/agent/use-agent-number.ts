import { api, type Schemas } from '../../../api/client';

/** The phone number of an agent, which the list of agents contains; '': it has none. */
export const useAgentNumber = (agent: Schemas['AgentDto'] | undefined) =>
  api.useQuery(
    'get',
    '/api/agents',
    { params: { query: { search: agent?.name, type: agent?.type, limit: 100 } } },
    {
      enabled: agent !== undefined,
      select: ({ data }) => data.find(({ id }) => id === agent?._id)?.phoneNumber,
    },
  );
