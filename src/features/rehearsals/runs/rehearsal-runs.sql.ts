import { statement } from '../../../platform/database/statement';
import type { CheckResult } from './grade';
import type { RehearsalResult, ResultStatus } from './rehearsal-result.entity';
import { IS_UNFINISHED } from './rehearsal-result.entity';
import { IS_OPEN, type RunCause } from './rehearsal-run.entity';

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

/** They are locked in the order in which runs are offered. */
export const LOCK_RUNS_OF_PERSON = statement<{ workspaceId: string; phoneNumber: string }, { id: string }>(
  'lock-rehearsal-runs-of-person',
  `
    SELECT id FROM rehearsal_runs
    WHERE workspace_id = $workspaceId AND id IN (
      SELECT DISTINCT run_id FROM rehearsal_results
      WHERE workspace_id = $workspaceId AND person_number = $phoneNumber ORDER BY run_id LIMIT ${RUNS_OF_PERSON})
    ORDER BY id FOR UPDATE`,
);

export interface CountedRun {
  runId: string;
  total: number;
  /** The number without those of the version with which the run is compared. */
  own: number;
  done: number;
  passed: number;
  failed: number;
  errors: number;
  /** Why the first of them was not played. */
  error: string | null;
  tokens: number;
}

export const COUNT_RUNS = statement<{ workspaceId: string; runIds: string[] }, CountedRun>(
  'count-rehearsal-results',
  `
    SELECT run_id AS "runId", count(*)::int AS total, count(*) FILTER (WHERE NOT against)::int AS own, count(*) FILTER (WHERE NOT (${IS_UNFINISHED}))::int AS done,
           count(*) FILTER (WHERE status = 'passed' AND NOT against)::int AS passed,
           count(*) FILTER (WHERE status = 'failed' AND NOT against)::int AS failed,
           count(*) FILTER (WHERE status = 'error' AND NOT against)::int AS errors,
           (array_agg(error ORDER BY position) FILTER (WHERE error IS NOT NULL))[1] AS error, LEAST(sum(tokens), 2147483647)::int AS tokens
    FROM rehearsal_results WHERE workspace_id = $workspaceId AND run_id = ANY ($runIds) GROUP BY run_id`,
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
