import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client';
import { readRowsPerPage } from '../../ui/table/rows-per-page';

/** A page of the runs of an agent, newest first. Parts of the page that show the same one share its request. */
export const useRuns = (agentId: string, page = 1) =>
  api.useQuery(
    'get',
    '/api/rehearsal-runs',
    { params: { query: { agent_id: agentId, page, limit: readRowsPerPage() } } },
    { placeholderData: keepPreviousData },
  );
