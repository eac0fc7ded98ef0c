import type { Actor } from '../../platform/http/actor';
import { statement } from '../../platform/database/statement';
import { CODE_KIND, type CodeKind, type CodeName } from './code-kinds';

/** A resource of the workspace; agentId: of an agent itself, or of a rehearsal. */
export interface LocatedResource extends CodeName {
  id: string;
  agentId: string | null;
}

/**
 * SQL: the content of resources, from which their definitions are made; of secrets the names only.
 * @param resources SQL: a table with the columns `kind` and `id`
 */
const contentsOf = (resources: string) => `
  ${resources}
  LEFT JOIN agents ON kind = '${CODE_KIND.agent}' AND agents.id = ${resources}.id AND agents.workspace_id = $workspaceId
  LEFT JOIN rehearsals
    ON kind = '${CODE_KIND.rehearsal}' AND rehearsals.id = ${resources}.id AND rehearsals.workspace_id = $workspaceId
  LEFT JOIN tools ON kind = '${CODE_KIND.tool}' AND tools.id = ${resources}.id AND tools.workspace_id = $workspaceId`;

const CONTENT = `
  CASE kind
    WHEN '${CODE_KIND.agent}' THEN jsonb_build_object(
      'type', agents.type, 'name', agents.name, 'category', agents.category, 'status', agents.status, 'publish', agents.publish,
      'config', agents.config - 'stats', 'analysis', agents.analysis,
      'knowledge', COALESCE(
        (SELECT jsonb_agg(knowledge_bases.name ORDER BY position)
         FROM knowledge_base_assignments JOIN knowledge_bases ON knowledge_bases.id = knowledge_base_id
         WHERE agent_id = agents.id), '[]'))
    WHEN '${CODE_KIND.rehearsal}' THEN jsonb_build_object(
      'name', rehearsals.name, 'enabled', rehearsals.enabled, 'definition', rehearsals.definition)
    ELSE jsonb_build_object(
      'definition', tools.definition,
      'secrets', COALESCE((SELECT jsonb_agg(secret) FROM jsonb_object_keys(tools.secrets) AS secret), '[]'))
  END AS content`;

/** A resource with its content. */
export interface StoredResource extends CodeName {
  id: string;
  content: object;
  updatedAt: Date;
  updatedBy: Actor | null;
}

/** One page, by kinds and slugs. Each row has the number of all resources; a row without a kind has nothing else. */
export const LIST_CODE = statement<
  { workspaceId: string; kind: CodeKind | null; offset: number; limit: number },
  { total: number } & (StoredResource | { kind: null })
>(
  'list-code',
  `
    WITH resources AS (
      SELECT '${CODE_KIND.agent}' AS kind, slug, id FROM agents WHERE workspace_id = $workspaceId AND deleted_at IS NULL
      UNION ALL
      SELECT '${CODE_KIND.rehearsal}', agents.slug || '/' || rehearsals.name, rehearsals.id
      FROM agents JOIN rehearsals ON agent_id = agents.id
      WHERE agents.workspace_id = $workspaceId AND deleted_at IS NULL
      UNION ALL
      SELECT '${CODE_KIND.tool}', name, id FROM tools WHERE workspace_id = $workspaceId
    ), chosen AS (
      SELECT kind, slug COLLATE "C" AS slug, id FROM resources WHERE $kind::text IS NULL OR kind = $kind
    ), page AS MATERIALIZED (
      SELECT * FROM chosen ORDER BY kind, slug OFFSET $offset LIMIT $limit
    )
    SELECT total, kind, page.slug, page.id, ${CONTENT},
      COALESCE(agents.updated_at, rehearsals.updated_at, tools.updated_at) AS "updatedAt",
      COALESCE(agents.updated_by, rehearsals.updated_by, tools.updated_by) AS "updatedBy"
    FROM (SELECT count(*)::int AS total FROM chosen) AS counted LEFT JOIN (${contentsOf('page')}) ON true
    ORDER BY kind, page.slug`,
);

export const READ_CODE = statement<{ workspaceId: string; kind: CodeKind; id: string }, { content: object }>(
  'read-code',
  `
    WITH located AS (SELECT $kind::text AS kind, $id::uuid AS id)
    SELECT ${CONTENT} FROM ${contentsOf('located')}
    WHERE COALESCE(agents.id, rehearsals.id, tools.id) IS NOT NULL`,
);

/** Finds the resources that exist, and the agents of rehearsals that do not. */
export const LOCATE_CODE = statement<
  { workspaceId: string; agents: string[]; rehearsals: string[]; tools: string[] },
  LocatedResource
>(
  'locate-code',
  `
    SELECT '${CODE_KIND.agent}' AS kind, slug, id, id AS "agentId" FROM agents
    WHERE workspace_id = $workspaceId AND deleted_at IS NULL AND slug = ANY ($agents)
    UNION ALL
    SELECT '${CODE_KIND.rehearsal}', wanted.slug, rehearsals.id, agents.id
    FROM unnest($rehearsals::text[]) AS wanted (slug)
    JOIN agents ON agents.workspace_id = $workspaceId AND deleted_at IS NULL AND agents.slug = split_part(wanted.slug, '/', 1)
    JOIN rehearsals ON agent_id = agents.id AND rehearsals.name = split_part(wanted.slug, '/', 2)
    UNION ALL
    SELECT '${CODE_KIND.tool}', name, id, NULL FROM tools WHERE workspace_id = $workspaceId AND name = ANY ($tools)`,
);
