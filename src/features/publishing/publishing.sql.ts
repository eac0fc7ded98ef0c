import { PUBLISH_MODE, type PublishMode } from '../../accounts/workspaces/publish-modes';
import { statement } from '../../platform/database/statement';
import type { Actor } from '../../platform/http/actor';
import { ACTIVE_VERSION } from '../agents/active-version.sql';
import { DEPLOYMENT_STATUS, type DeploymentStatus } from '../agents/agent-types';
import { IS_DEPLOYING } from '../agents/agent.entity';
import type { RunStatus } from '../rehearsals/runs/rehearsal-run.entity';

/*
 * The states of the newest version of a gated agent. A new version begins again, and only the newest one changes.
 *
 *   draft ── publish ──▶ deploying ── its rehearsals pass, or none is enabled ──▶ active
 *                          ▲    └──── something failed or was not played ──▶ failed
 *                          └──────────────── publish ──────────────────────────┘
 *   any ── force, roll back ──▶ active
 */

const { draft, deploying, active, failed } = DEPLOYMENT_STATUS;

/** SQL: the assignments that make the newest version of an agent the one that calls use. */
const MAKE_ACTIVE = `
  deployment_status = '${active}', deployment_error = NULL, deployment_deployed_at = now(),
  previous_version = COALESCE(active_version, previous_version), active_version = deployment_version, active_type = type`;

/** SQL: the state of the newest version of a gated agent. A server of the last release makes versions without one. */
const STATUS = `CASE WHEN deployment_status = '${active}' AND active_version IS DISTINCT FROM deployment_version
  THEN '${draft}' ELSE deployment_status END`;

/** SQL: the version that calls used before the active one; of an automatic agent, that before the newest. */
const PREVIOUS_VERSION = `CASE WHEN gated OR active_version = deployment_version THEN previous_version
  ELSE (SELECT max(version) FROM agent_versions WHERE agent_id = agents.id AND version < deployment_version) END`;

/** SQL: whether calls of an agent use only what was published, as its row or that of its workspace says. */
const IS_GATED = `COALESCE(agents.publish, workspaces.publish) = '${PUBLISH_MODE.gated}'`;

/**
 * Has the newest versions of gated agents rehearsed, or makes them drafts. The rows are locked.
 * @param keepsDraft whether an agent whose version before is a draft gets another draft
 * @param isDecided whether versions that are active, or rehearsed now, begin again
 * @returns the gated ones
 */
export const MOVE_ON = statement<
  {
    workspaceId: string;
    ids: string[];
    isDraft: boolean;
    keepsDraft: boolean;
    isDecided: boolean;
    by: Actor | null;
  },
  { id: string }
>(
  'move-on-with-versions',
  `
    UPDATE agents
    SET gated = true, deployment_status = CASE WHEN $isDraft OR $keepsDraft AND gated AND deployment_status = '${draft}'
          THEN '${draft}' ELSE '${deploying}' END,
        deployment_error = NULL, deployment_run_id = NULL, deployment_by = $by::jsonb,
        -- A server of the last release may have made the agent, and calls use its versions until now.
        active_version = CASE WHEN gated THEN active_version ELSE ${PREVIOUS_VERSION} END,
        deployment_deployed_at = CASE WHEN active_version IS NOT NULL THEN deployment_deployed_at END
    FROM workspaces
    WHERE workspaces.id = $workspaceId AND agents.workspace_id = $workspaceId AND agents.id = ANY ($ids) AND ${IS_GATED}
      AND ($isDecided OR ${STATUS} IN ('${draft}', '${failed}'))
    RETURNING agents.id`,
);

/**
 * Lets calls of a gated agent use its newest version. The row is locked.
 * @param isRehearsed whether the run of the agent is that of the version
 */
export const ACTIVATE = statement<{ workspaceId: string; id: string; isRehearsed: boolean }>(
  'activate-agent-version',
  `
    UPDATE agents SET gated = true, deployment_run_id = CASE WHEN $isRehearsed THEN deployment_run_id END, ${MAKE_ACTIVE}
    FROM workspaces
    WHERE workspaces.id = $workspaceId AND agents.workspace_id = $workspaceId AND agents.id = $id AND ${IS_GATED}`,
);

export const FAIL = statement<{ workspaceId: string; id: string; error: string }>(
  'fail-agent-version',
  `UPDATE agents SET deployment_status = '${failed}', deployment_error = $error
   WHERE workspace_id = $workspaceId AND id = $id AND ${IS_DEPLOYING}`,
);

export const NOTE_RUN = statement<{ workspaceId: string; id: string; runId: string }>(
  'note-run-of-agent-version',
  `UPDATE agents SET deployment_run_id = $runId WHERE workspace_id = $workspaceId AND id = $id`,
);

/** An agent whose newest version can go on: its run has ended, or is still to begin. */
export interface DeployingAgent {
  id: string;
  workspaceId: string;
  userId: string;
  name: string;
  /** The newest one. */
  version: number;
  /** null: there is none */
  runId: string | null;
  runStatus: RunStatus | null;
  /** The actor who has made the version, or asked to publish it. null: the server itself */
  by: Actor | null;
  /** Whether a rehearsal of it is enabled. */
  isRehearsed: boolean;
}

/** @param ids null: all of the workspace */
export const FIND_DEPLOYING = statement<{ workspaceId: string; ids: string[] | null }, DeployingAgent>(
  'find-deploying-agents',
  `
    SELECT agents.id, agents.workspace_id AS "workspaceId", agents.user_id AS "userId", agents.name,
           deployment_version AS version, run.id AS "runId", run.status AS "runStatus",
           deployment_by AS "by",
           EXISTS (SELECT FROM rehearsals WHERE agent_id = agents.id AND enabled) AS "isRehearsed"
    FROM agents LEFT JOIN rehearsal_runs AS run
      ON run.id = deployment_run_id AND run.workspace_id = $workspaceId AND run.agent_version = deployment_version
    WHERE agents.workspace_id = $workspaceId AND ${IS_DEPLOYING} AND ($ids::uuid[] IS NULL OR agents.id = ANY ($ids)) AND (run.id IS NULL OR run.ended_at IS NOT NULL)
    ORDER BY agents.id`,
);

export const FIND_WORKSPACES_THAT_DEPLOY = statement<object, { workspaceId: string }>(
  'find-workspaces-that-deploy',
  `SELECT DISTINCT workspace_id AS "workspaceId" FROM agents WHERE ${IS_DEPLOYING}`,
);

/** An agent with how its versions get to calls. */
export interface FoundDeployment {
  id: string;
  name: string;
  publish: PublishMode;
  publishOwn: PublishMode | null;
  status: DeploymentStatus;
  version: number;
  activeVersion: number | null;
  deployedAt: Date | null;
  error: string | null;
  runId: string | null;
  /** The version that calls used before. */
  previousVersion: number | null;
}

export const FIND_DEPLOYMENT = statement<{ workspaceId: string; id: string }, FoundDeployment>(
  'find-agent-deployment',
  `
    SELECT agents.id, name, CASE WHEN gated THEN '${PUBLISH_MODE.gated}' ELSE '${PUBLISH_MODE.automatic}' END AS publish, publish AS "publishOwn",
           CASE WHEN gated THEN ${STATUS} ELSE '${active}' END AS status, deployment_version AS version,
           ${ACTIVE_VERSION} AS "activeVersion",
           CASE WHEN gated THEN deployment_deployed_at ELSE deployment_last_updated END AS "deployedAt",
           CASE WHEN gated THEN deployment_error END AS error,
           (SELECT run.id FROM rehearsal_runs AS run
            WHERE gated AND run.id = deployment_run_id AND run.workspace_id = $workspaceId
              AND run.agent_version = deployment_version) AS "runId",
           ${PREVIOUS_VERSION} AS "previousVersion"
    FROM agents WHERE workspace_id = $workspaceId AND id = $id AND deleted_at IS NULL`,
);

export const FIND_WORKSPACE_PUBLISHING = statement<{ workspaceId: string }, { publish: PublishMode }>(
  'find-workspace-publishing',
  `SELECT publish FROM workspaces WHERE id = $workspaceId`,
);

export const SET_WORKSPACE_PUBLISHING = statement<
  { workspaceId: string; publish: PublishMode },
  { id: string }
>(
  'set-workspace-publishing',
  `UPDATE workspaces SET publish = $publish WHERE id = $workspaceId AND publish <> $publish RETURNING id`,
);

export const SET_AGENT_PUBLISHING = statement<
  { workspaceId: string; id: string; publish: PublishMode | null; updatedBy: Actor | null },
  { id: string }
>(
  'set-agent-publishing',
  `UPDATE agents SET publish = $publish, updated_at = now(), updated_by = $updatedBy::jsonb
   WHERE workspace_id = $workspaceId AND id = $id AND publish IS DISTINCT FROM $publish RETURNING id`,
);

/**
 * Makes agents gated, or automatic, as their rows and that of the workspace say. What calls use of a gated one at first
 * is its newest version; the newest version of one that becomes automatic goes active.
 * @returns the agents that have changed
 */
export const FOLLOW_SETTINGS = statement<{ workspaceId: string }, { id: string }>(
  'follow-publishing-settings',
  `
    WITH changing AS (
      SELECT agents.id, ${IS_GATED} AS is_gated FROM agents JOIN workspaces ON workspaces.id = agents.workspace_id
      WHERE agents.workspace_id = $workspaceId AND deleted_at IS NULL AND gated <> (${IS_GATED})
      ORDER BY agents.id FOR NO KEY UPDATE OF agents
    )
    UPDATE agents
    SET gated = is_gated, deployment_status = '${active}', deployment_error = NULL, deployment_run_id = NULL,
        deployment_deployed_at = CASE WHEN is_gated THEN deployment_last_updated ELSE now() END,
        deployment_last_updated =
          CASE WHEN is_gated OR active_version = deployment_version THEN deployment_last_updated ELSE now() END,
        previous_version = CASE WHEN is_gated OR active_version = deployment_version THEN ${PREVIOUS_VERSION}
                                ELSE active_version END,
        active_version = deployment_version, active_type = type
    FROM changing WHERE agents.id = changing.id
    RETURNING agents.id`,
);
