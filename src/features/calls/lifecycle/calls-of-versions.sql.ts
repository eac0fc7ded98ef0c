import type { Dimension } from '../counts/call-dimensions';

const AGENT_VERSION: Dimension = 'agent_version';

/**
 * SQL: how many calls of $agentId of $workspaceId were started with each of these versions. The calls of the segments are
 * counted, and later ones are read. A correction of a call does not change its version.
 * @param versions SQL: an array
 */
export const callsOfVersions = (versions: string) => `
  (SELECT asked.agent_version, (counted.calls + read.calls)::int AS calls
   FROM unnest(${versions}) AS asked (agent_version)
   CROSS JOIN (SELECT max(segmented_until) AS until FROM call_rollup_states WHERE workspace_id = $workspaceId) AS segmented
   CROSS JOIN LATERAL (
     SELECT COALESCE(sum(connected + failed), 0) AS calls
     FROM call_values JOIN call_value_rollups ON value_id = call_values.id
     WHERE workspace_id = $workspaceId AND dimension = '${AGENT_VERSION}'
       AND value = $agentId::uuid || '/' || asked.agent_version) AS counted
   CROSS JOIN LATERAL (
     SELECT count(*) AS calls FROM conversations
     WHERE agent_id = $agentId AND conversations.agent_version = asked.agent_version
       AND created_at >= COALESCE(until, '-infinity')) AS read)`;
