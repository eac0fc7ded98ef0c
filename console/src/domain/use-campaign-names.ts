import { useQueries } from '@tanstack/react-query';
import { api } from '../api/client';

const SHOWN = 100;

/**
 * The names of these campaigns by id. They are read with the newest campaigns of the workspace, and otherwise one by one.
 * @param isAllowed whether the session may read campaigns; otherwise there are no names
 */
export function useCampaignNames(ids: string[], isAllowed: boolean): Map<string, string> {
  const newest = api.useQuery(
    'get',
    '/api/campaign',
    { params: { query: { limit: SHOWN } } },
    { enabled: isAllowed && ids.length > 0 },
  );
  const names = new Map(
    (newest.data?.data ?? []).map(({ campaign_id, campaignName }) => [campaign_id, campaignName]),
  );
  const missing = newest.data ? ids.filter((id) => !names.has(id)) : [];
  const others = useQueries({
    queries: missing.map((campaign_id) =>
      api.queryOptions('get', '/api/campaign/{campaign_id}', { params: { path: { campaign_id } } }),
    ),
  });
  for (const [index, id] of missing.entries()) {
    const name = others[index]?.data?.data.campaignName;
    if (name !== undefined) names.set(id, name);
  }
  return names;
}
