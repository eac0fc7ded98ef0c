import { api } from '../../../api/client';
import { actorName } from '../../../domain/actor-name';
import { useIsScoped } from '../../../session/session';
import { texts } from '../../../texts';

/** The creator of the agent, which is the author of its oldest version. */
export function Creator({ agentId: agent_id }: { agentId: string }) {
  const versionsAt = (page: number | undefined) =>
    [
      'get',
      '/api/agents/{agent_id}/versions',
      { params: { path: { agent_id }, query: { page, limit: 1 } } },
    ] as const;
  // A scoped session may not read versions.
  const newest = api.useQuery(...versionsAt(1), { enabled: !useIsScoped() });
  const last = newest.data?.pagination.totalPages;
  const oldest = api.useQuery(...versionsAt(last), { enabled: last !== undefined });
  const [first] = oldest.data?.data ?? [];
  return first ? actorName(first.created_by) : texts.common.none;
}
