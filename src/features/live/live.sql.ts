import { OPEN_STATUSES } from '../campaigns/plan/campaign-status';
import { CALL_EVENT } from '../calls/model/call-event.entity';
import { type ConversationStatus, IS_IN_PROGRESS } from '../calls/model/call-states';
import { literals } from '../../platform/database/closed-list';
import { INVOCATION_STATE, type InvocationState } from '../tool-invocations/tool-invocation.entity';
import { IS_UNFINISHED } from '../rehearsals/runs/rehearsal-result.entity';
import { IS_OPEN, type RunStatus } from '../rehearsals/runs/rehearsal-run.entity';
import { statement } from '../../platform/database/statement';

export interface CallState {
  id: string;
  workspaceId: string;
  campaignId: string | null;
  status: ConversationStatus;
}

/**
 * The time within which calls that begin and end between two polls are found. It is longer than the commit of an
 * accepted call.
 */
const RECENT = `interval '10 seconds'`;

const CALL_STATE = 'id, workspace_id AS "workspaceId", campaign_id AS "campaignId", status';

/** The calls in progress, and those that have ended and were accepted or corrected recently. */
export const FIND_LIVE_CALLS = statement<{ workspaceIds: string[] }, CallState>(
  'find-live-calls',
  `
    SELECT ${CALL_STATE} FROM conversations
    WHERE ${IS_IN_PROGRESS} AND workspace_id = ANY ($workspaceIds)
    UNION ALL
    SELECT ${CALL_STATE} FROM conversations
    WHERE workspace_id = ANY ($workspaceIds) AND created_at >= now() - ${RECENT} AND NOT (${IS_IN_PROGRESS})
    UNION ALL
    SELECT ${CALL_STATE} FROM conversations
    WHERE workspace_id = ANY ($workspaceIds) AND id IN (
      SELECT conversation_id FROM call_events
      WHERE kind = '${CALL_EVENT.corrected}' AND created_at >= now() - ${RECENT})`,
);

export const FIND_CALL_STATES = statement<{ ids: string[] }, CallState>(
  'find-call-states',
  `SELECT ${CALL_STATE} FROM conversations WHERE id = ANY ($ids)`,
);

export interface CampaignState {
  id: string;
  workspaceId: string;
  /** The revision differs after each change of the row. */
  revision: string;
}

/** The campaigns that have not ended, and those that ended recently. */
export const FIND_LIVE_CAMPAIGNS = statement<{ workspaceIds: string[] }, CampaignState>(
  'find-live-campaigns',
  `
    SELECT id, workspace_id AS "workspaceId", xmin::text AS revision FROM campaigns
    WHERE workspace_id = ANY ($workspaceIds)
      AND (status IN (${literals(OPEN_STATUSES)}) OR updated_at >= now() - ${RECENT})`,
);

export interface ToolState {
  id: string;
  workspaceId: string;
  callId: string;
  state: InvocationState;
}

/**
 * The invocations of tools that run, and those that were settled recently and asked for a moment before: a tool has up to ten
 * minutes.
 */
export const FIND_LIVE_INVOCATIONS = statement<{ workspaceIds: string[] }, ToolState>(
  'find-live-tool-invocations',
  `
    SELECT id, workspace_id AS "workspaceId", conversation_id AS "callId", state FROM tool_invocations
    WHERE workspace_id = ANY ($workspaceIds) AND (
      state = '${INVOCATION_STATE.running}' OR asked_at >= now() - interval '15 minutes' AND settled_at >= now() - ${RECENT})`,
);

export interface RunState {
  id: string;
  workspaceId: string;
  status: RunStatus;
  done: number;
  total: number;
}

/** The rehearsal runs that go on, and those that ended recently. */
export const FIND_LIVE_RUNS = statement<{ workspaceIds: string[] }, RunState>(
  'find-live-rehearsal-runs',
  `
    SELECT run.id, run.workspace_id AS "workspaceId", run.status, counted.done, counted.total
    FROM rehearsal_runs AS run
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, count(*) FILTER (WHERE NOT (result.${IS_UNFINISHED}))::int AS done
      FROM rehearsal_results AS result WHERE result.run_id = run.id
    ) AS counted
    WHERE run.workspace_id = ANY ($workspaceIds) AND (run.${IS_OPEN} OR run.ended_at >= now() - ${RECENT})`,
);
