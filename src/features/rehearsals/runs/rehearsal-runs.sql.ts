import { statement } from '../../../platform/database/statement';
import { DEPLOYMENT_STATUS } from '../../agents/agent-types';
import { ERROR_OF_DELETED_RUN } from '../../agents/deployment-error.sql';
import type { CheckResult } from './grade';
import type { RehearsalResult, ResultStatus } from './rehearsal-result.entity';
import { IS_UNFINISHED } from './rehearsal-result.entity';
import { IS_OPEN, MAX_STORED_TOKENS, type RunCause, type RunCounts } from './rehearsal-run.entity';

export const COUNT_OPEN_RUNS = statement<{ workspaceId: string }, { count: number }>(
  'count-open-rehearsal-runs',
  `SELECT count(*)::int AS count FROM rehearsal_runs WHERE workspace_id = $workspaceId AND ${IS_OPEN}`,
);

export const LOCK_OPEN_RUNS_OF_AGENTS = statement<
  { workspaceId: string; agentIds: string[]; causes: readonly RunCause[] },
  { id: string }
>(
  'lock-open-rehearsal-runs-of-agents',
  `SELECT id FROM rehearsal_runs
   WHERE workspace_id = $workspaceId AND agent_id = ANY ($agentIds) AND cause = ANY ($causes) AND ${IS_OPEN}
   ORDER BY id FOR NO KEY UPDATE`,
);

/** The runs that one transaction of an erasure deletes, each with up to 2,000 calls. */
const RUNS_OF_PERSON = 5;

export const FIND_RUNS_OF_PERSON = statement<{ workspaceId: string; phoneNumber: string }, { id: string }>(
  'find-rehearsal-runs-of-person',
  `SELECT DISTINCT run_id AS id FROM rehearsal_results
   WHERE workspace_id = $workspaceId AND person_number = $phoneNumber ORDER BY run_id LIMIT ${RUNS_OF_PERSON}`,
);

/** Waits for an agent that is failing because of a run, and then finds its error. */
export const FORGET_FAILURES = statement<{ workspaceId: string; runIds: string[] }>(
  'forget-failures-of-rehearsal-runs',
  `
    UPDATE agents SET deployment_error = ${ERROR_OF_DELETED_RUN}
    WHERE workspace_id = $workspaceId AND id = ANY (ARRAY(
      SELECT agents.id FROM rehearsal_runs AS run
      JOIN agents ON agents.id = run.agent_id AND agents.deployment_run_id = run.id
      WHERE run.workspace_id = $workspaceId AND run.id = ANY ($runIds)
        AND (agents.deployment_error IS NOT NULL OR agents.deployment_status = '${DEPLOYMENT_STATUS.deploying}')
      ORDER BY agents.id FOR NO KEY UPDATE OF agents))`,
);

/** They are locked in the order in which runs are offered. */
export const LOCK_RUNS = statement<{ workspaceId: string; runIds: string[] }, { id: string }>(
  'lock-rehearsal-runs',
  `SELECT id FROM rehearsal_runs WHERE workspace_id = $workspaceId AND id = ANY ($runIds) ORDER BY id FOR UPDATE`,
);

/** SQL: the {@link RunCounts} of a run as JSON. @param runId SQL: its id */
export const countResults = (runId: string) => `(
  SELECT jsonb_build_object(
    'total', count(*), 'own', count(*) FILTER (WHERE NOT against),
    'done', count(*) FILTER (WHERE NOT (${IS_UNFINISHED})),
    'passed', count(*) FILTER (WHERE status = 'passed' AND NOT against),
    'failed', count(*) FILTER (WHERE status = 'failed' AND NOT against),
    'errors', count(*) FILTER (WHERE status = 'error' AND NOT against),
    'error', (array_agg(error ORDER BY position) FILTER (WHERE error IS NOT NULL AND NOT against))[1],
    'tokens', LEAST(COALESCE(sum(tokens), 0), ${MAX_STORED_TOKENS}))
  FROM rehearsal_results WHERE run_id = ${runId})`;

export const COUNT_RUNS = statement<
  { workspaceId: string; runIds: string[] },
  { runId: string; counts: RunCounts }
>(
  'count-rehearsal-results',
  `SELECT id AS "runId", COALESCE(counted, ${countResults('rehearsal_runs.id')}) AS counts
   FROM rehearsal_runs WHERE workspace_id = $workspaceId AND id = ANY ($runIds)`,
);

/** Keeps the counts of runs that were cancelled. */
export const KEEP_COUNTS = statement<{ workspaceId: string; runIds: string[] }>(
  'keep-counts-of-rehearsal-runs',
  `UPDATE rehearsal_runs SET counted = ${countResults('rehearsal_runs.id')}
   WHERE workspace_id = $workspaceId AND id = ANY ($runIds) AND NOT (${IS_OPEN}) AND counted IS NULL`,
);

/** A call of a run, with what was said. */
export type ReportedResult = Pick<
  RehearsalResult,
  'position' | 'name' | 'repeat' | 'against' | 'seed' | 'definition' | 'status' | 'error' | 'checks' | 'facts'
>;

/** The calls that one statement reads, each with up to 64 KB of facts and as much of its definition. */
export const REPORTED_RESULTS = 20;

export const READ_RESULTS = statement<{ workspaceId: string; runId: string; after: number }, ReportedResult>(
  'read-rehearsal-results',
  `
    SELECT position, name, repeat, against, seed, definition, status, error, checks, facts
    FROM rehearsal_results WHERE workspace_id = $workspaceId AND run_id = $runId AND position > $after
    ORDER BY position LIMIT ${REPORTED_RESULTS}`,
);

export interface ListedResult {
  name: string;
  repeat: number;
  against: boolean;
  status: ResultStatus;
  error: string | null;
  /** The checks that have failed, of the first repetition of its name in which one has. */
  failed: CheckResult[] | null;
}

export const LIST_RESULTS = statement<{ workspaceId: string; runId: string }, ListedResult>(
  'list-rehearsal-results',
  `
    SELECT name, repeat, against, status, error,
           CASE WHEN repeat = min(repeat) FILTER (WHERE status = 'failed') OVER (PARTITION BY name, against)
                THEN jsonb_path_query_array(checks, '$[*] ? (@.passed == false)') END AS failed
    FROM rehearsal_results WHERE workspace_id = $workspaceId AND run_id = $runId ORDER BY position`,
);
