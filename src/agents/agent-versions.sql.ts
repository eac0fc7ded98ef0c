import { statement } from '../database/statement';
import { PRESENTATION_FIELDS } from './agent-defaults';
import { SNAPSHOT_COLUMNS } from './agent-snapshot';
import type { AgentSnapshot } from './agent-version.entity';

/** An expression on a row of `agents`: its snapshot, as `snapshotOf` makes it, and the ids of its knowledge bases. */
const AGENT_SNAPSHOT = `
  agents.config - '{${PRESENTATION_FIELDS.join()}}'::text[]
    || jsonb_build_object(${SNAPSHOT_COLUMNS.map((column) => `'${column}', agents.${column}`).join(', ')},
         'knowledgeBases', COALESCE(
           (SELECT jsonb_agg(knowledge_base_id ORDER BY position)
            FROM knowledge_base_assignments WHERE agent_id = agents.id), '[]'))`;

/** The current versions of agents, unless they are stored already. */
export const STORE_VERSIONS = statement<{ ids: string[] }>(
  'store-agent-versions',
  `
    INSERT INTO agent_versions (agent_id, version, workspace_id, snapshot)
    SELECT id, deployment_version, workspace_id, ${AGENT_SNAPSHOT} FROM agents WHERE id = ANY ($ids)
    ON CONFLICT DO NOTHING`,
);

export const FIND_SNAPSHOT = statement<
  { workspaceId: string; agentId: string; version: number },
  { snapshot: AgentSnapshot }
>(
  'find-agent-snapshot',
  `
    SELECT snapshot FROM agent_versions
    WHERE agent_id = $agentId AND version = $version AND workspace_id = $workspaceId`,
);
