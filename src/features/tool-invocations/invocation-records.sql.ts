import { unpreparedStatement } from '../../platform/database/statement';
import { LISTED_INVOCATION, type ListedInvocation } from './list-invocations.sql';
import type { InvocationState } from './tool-invocation.entity';

/** null: all */
export interface InvocationFilter {
  workspaceId: string;
  tool: string | null;
  state: InvocationState | null;
  agentId: string | null;
  callId: string | null;
  from: Date | null;
  to: Date | null;
}

const MATCHES = `
  FROM tool_invocations
  WHERE workspace_id = $workspaceId AND ($tool::text IS NULL OR tool = $tool)
    AND ($state::text IS NULL OR state = $state) AND ($agentId::uuid IS NULL OR agent_id = $agentId)
    AND ($callId::uuid IS NULL OR conversation_id = $callId)
    AND ($from::timestamptz IS NULL OR asked_at >= $from) AND ($to::timestamptz IS NULL OR asked_at <= $to)`;

const NEWEST_FIRST = 'ORDER BY asked_at DESC, id DESC';

/** One page, newest first. Each row has the number of all; a row without an id has nothing else. */
export const LIST_ALL_INVOCATIONS = unpreparedStatement<
  InvocationFilter & { offset: number; limit: number },
  { total: number } & (ListedInvocation | { id: null })
>(
  'list-tool-invocations',
  `
  SELECT total, page.*
  FROM (SELECT count(*)::int AS total ${MATCHES}) AS counted
  LEFT JOIN (SELECT ${LISTED_INVOCATION} ${MATCHES} ${NEWEST_FIRST} OFFSET $offset LIMIT $limit) AS page ON true
  ORDER BY "askedAt" DESC, id DESC`,
);

/** The next ones of an export, newest first, after the one that was asked for at a time and has an id. */
export const READ_INVOCATIONS = unpreparedStatement<
  InvocationFilter & { afterTime: Date | null; afterId: string | null; limit: number },
  ListedInvocation
>(
  'read-tool-invocations',
  `
  SELECT ${LISTED_INVOCATION} ${MATCHES}
    AND ($afterTime::timestamptz IS NULL OR (asked_at, id) < ($afterTime::timestamptz, $afterId::uuid))
  ${NEWEST_FIRST} LIMIT $limit`,
);
