import { type Statement, statement } from '../../platform/database/statement';
import { toolsOfAgent } from '../tools/tools.sql';
import { PRESENTATION_FIELDS } from './agent-defaults';
import { SNAPSHOT_COLUMNS } from './agent-snapshot';
import type { AgentVersion, PinnedConfiguration } from './agent-version.entity';
import type { Actor } from '../../platform/http/actor';

/** An expression on a row of `agents`: its snapshot, as `toSnapshot` makes it, and the ids of its knowledge bases. */
const AGENT_SNAPSHOT = `
  agents.config - '{${PRESENTATION_FIELDS.join()}}'::text[]
    || jsonb_build_object(${SNAPSHOT_COLUMNS.map((column) => `'${column}', agents.${column}`).join(', ')},
         'knowledgeBases', COALESCE(
           (SELECT jsonb_agg(knowledge_base_id ORDER BY position)
            FROM knowledge_base_assignments WHERE agent_id = agents.id), '[]'))`;

/** Stores the current versions of agents, unless they are stored already. @returns the agents with a new version */
export const STORE_VERSIONS = statement<
  { ids: string[]; createdBy: Actor | null; restoredFrom: number | null },
  { id: string }
>(
  'store-agent-versions',
  `
    INSERT INTO agent_versions (agent_id, version, workspace_id, snapshot, tools, analysis, created_by, restored_from)
    SELECT id, deployment_version, workspace_id, ${AGENT_SNAPSHOT}, ${toolsOfAgent('agents')}, analysis, $createdBy::jsonb, $restoredFrom::integer
    FROM agents WHERE id = ANY ($ids)
    ON CONFLICT DO NOTHING
    RETURNING agent_id AS id`,
);

export const FIND_SNAPSHOT = statement<
  { workspaceId: string; agentId: string; version: number },
  PinnedConfiguration
>(
  'find-agent-snapshot',
  `
    SELECT snapshot, tools, analysis FROM agent_versions
    WHERE agent_id = $agentId AND version = $version AND workspace_id = $workspaceId`,
);

/** A version without its snapshot. */
export type ListedVersion = Pick<AgentVersion, 'version' | 'createdAt' | 'createdBy' | 'restoredFrom'> & {
  /** The number of calls that were started with the version. */
  calls: number;
};

/** A version as a whole. */
export type WholeVersion = ListedVersion & PinnedConfiguration;

/**
 * SQL: a table with the columns `agent_version` and `calls`: how many calls of $agentId of $workspaceId were started.
 * @param versions SQL: an array of the versions
 */
export type CallsOfVersions = (versions: string) => string;

/** The statement that lists versions. A folder above counts their calls; see {@link listVersions}. */
export abstract class VersionStatements {
  abstract readonly list: Statement<
    { workspaceId: string; agentId: string; offset: number; limit: number },
    { total: number } & (ListedVersion | { version: null })
  >;
  abstract readonly find: Statement<{ workspaceId: string; agentId: string; version: number }, WholeVersion>;
}

const VERSION_COLUMNS = `
  version, created_at AS "createdAt", created_by AS "createdBy", restored_from AS "restoredFrom",
  COALESCE(calls, 0) AS calls`;

/** One page, newest first. Each row has the number of all versions; a row without a version has nothing else. */
export const listVersions = (getCalls: CallsOfVersions): VersionStatements['list'] =>
  statement(
    'list-agent-versions',
    `
    WITH owned AS (
      SELECT version, created_at, created_by, restored_from FROM agent_versions
      WHERE agent_id = $agentId AND workspace_id = $workspaceId
    ), page AS MATERIALIZED (
      SELECT * FROM owned ORDER BY version DESC OFFSET $offset LIMIT $limit
    )
    SELECT total, ${VERSION_COLUMNS}
    FROM (SELECT count(*)::int AS total FROM owned) AS counted LEFT JOIN page ON true
    LEFT JOIN ${getCalls('ARRAY(SELECT version FROM page)')} AS started ON agent_version = version
    ORDER BY version DESC`,
  );

export const findVersion = (getCalls: CallsOfVersions): VersionStatements['find'] =>
  statement(
    'find-agent-version',
    `
    SELECT ${VERSION_COLUMNS}, snapshot, tools, analysis
    FROM agent_versions LEFT JOIN ${getCalls('ARRAY[$version::integer]')} AS started ON agent_version = version
    WHERE agent_id = $agentId AND version = $version AND workspace_id = $workspaceId`,
  );
