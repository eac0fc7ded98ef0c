import { isSuspended } from '../../../accounts/workspaces/suspended.sql';
import { statement } from '../../../platform/database/statement';
import type { RehearsedTurn } from '../../../platform/messaging/wire';
import type { PinnedConfiguration } from '../../agents/agent-version.entity';
import type { RehearsalDefinition } from '../rehearsal-definition';
import { definitionOf, IS_UNFINISHED, tokensOf } from './rehearsal-result.entity';
import {
  IS_OPEN,
  isJoined,
  isSpoken,
  PLAYED_CONFIGURATION,
  PLAYED_VERSION,
  type RunMode,
} from './rehearsal-run.entity';
import { countResults } from './rehearsal-runs.sql';

/*
 * The states of a call. Each change names the state that it starts from, so that a message that is late, repeated
 * or sent by another runtime changes nothing.
 *
 *                          ┌──── no place ──────┐
 *                          ▼                    │
 *   queued ── OFFER ──▶ offered ── CLAIM ──▶ playing ── SETTLE ──▶ passed, failed, error
 *     ▲                    │                    │
 *     │                    │ nobody in time     │ the runtime is lost
 *     │                    ▼                    │
 *     │                  error ◀── twice ───────┤
 *     └───────────────────────────── once ──────┘
 */

/** The time in which a runtime must claim what is offered. */
const OFFER_SECONDS = 60;

/** No runtime plays one for longer. */
const MAX_PLAYED_MINUTES = 15;

/** A publish takes much less. The queue keeps what it has confirmed, and each copy has the whole agent. */
const REPUBLISH_AFTER_SECONDS = 20;

interface Workspace {
  workspaceId: string;
}

/** Two processes that offer for one workspace do so one after the other. */
export const LOCK_OPEN_RUNS = statement<Workspace, { id: string }>(
  'lock-open-rehearsal-runs',
  `SELECT id FROM rehearsal_runs WHERE workspace_id = $workspaceId AND ${IS_OPEN} ORDER BY id FOR NO KEY UPDATE`,
);

export const FIND_WORKSPACES_THAT_REHEARSE = statement<object, Workspace>(
  'find-workspaces-that-rehearse',
  `SELECT DISTINCT workspace_id AS "workspaceId" FROM rehearsal_runs WHERE ${IS_OPEN}`,
);

/**
 * SQL: whether a runtime plays a rehearsal now, so that those that none has claimed wait for a place. One that is spoken
 * waits only for others that are.
 */
const IS_PLAYED = `EXISTS (
  SELECT FROM rehearsal_results AS played
  WHERE played.${IS_UNFINISHED} AND played.heartbeat_at > now() - interval '${OFFER_SECONDS} seconds'
    AND (${isSpoken('played')} OR NOT ${isSpoken('rehearsal_results')}))`;

/** Ends what nobody plays, and takes back what a lost runtime played, once. */
export const RELEASE_REHEARSALS = statement<Workspace & { leaseSeconds: number }>(
  'release-rehearsals',
  `
    UPDATE rehearsal_results AS result
    SET status = CASE WHEN next.error IS NULL THEN 'queued' ELSE 'error' END, error = next.error,
        ended_at = CASE WHEN next.error IS NOT NULL THEN now() END,
        tokens = ${tokensOf('result')}, claim_id = NULL, token = NULL, heartbeat_at = NULL
    FROM (
      SELECT id,
             CASE WHEN status = 'offered' AND NOT ${IS_PLAYED} THEN 'NO_REHEARSAL_RUNTIME'
                  WHEN status = 'playing' AND over_at IS NOT NULL AND (joined_at IS NULL OR attempts > 1) THEN 'NO_FACTS'
                  WHEN status = 'playing' AND attempts > 1 THEN 'REHEARSAL_RUNTIME_LOST' END AS error
      FROM rehearsal_results
      WHERE workspace_id = $workspaceId AND ${IS_UNFINISHED}
        AND (status = 'offered' AND expires_at <= now()
          OR status = 'playing' AND (accepted_at <= now() - interval '${MAX_PLAYED_MINUTES} minutes'
            OR heartbeat_at <= now() - $leaseSeconds * interval '1 second'))
      ORDER BY id FOR NO KEY UPDATE
    ) AS next
    WHERE result.id = next.id`,
);

/** Ends what is still to come, if tokens of the run or of the workspace today are used up, or it is suspended. */
export const END_UNAFFORDABLE_REHEARSALS = statement<Workspace & { tokensPerDay: number }>(
  'end-unaffordable-rehearsals',
  `
    WITH used AS (
      SELECT COALESCE(sum(tokens), 0) AS tokens FROM rehearsal_results
      WHERE workspace_id = $workspaceId AND ended_at >= date_trunc('day', now(), 'UTC') AND tokens > 0
    ), exhausted AS (
      SELECT run.id FROM rehearsal_runs AS run
      WHERE run.workspace_id = $workspaceId AND run.${IS_OPEN}
        AND EXISTS (
          SELECT FROM rehearsal_results AS result
          WHERE result.workspace_id = $workspaceId AND result.run_id = run.id AND result.${IS_UNFINISHED}
            AND result.status = 'queued')
        AND ((SELECT tokens FROM used) >= $tokensPerDay OR ${isSuspended('run.workspace_id')}
          OR (SELECT sum(tokens) FROM rehearsal_results AS result WHERE result.run_id = run.id) >= run.max_tokens)
    )
    UPDATE rehearsal_results SET status = 'error', ended_at = now(),
      error = CASE WHEN ${isSuspended('rehearsal_results.workspace_id')} THEN 'WORKSPACE_SUSPENDED' ELSE 'REHEARSAL_BUDGET' END
    WHERE workspace_id = $workspaceId AND ${IS_UNFINISHED} AND status = 'queued'
      AND run_id IN (SELECT id FROM exhausted)`,
);

/** A call that runtimes are offered, with all that its message needs beside the version of the agent. */
export interface OfferedRehearsal {
  id: string;
  workspaceId: string;
  userId: string;
  runId: string;
  agentId: string;
  agentVersion: number;
  /** The configuration that is played in the place of the version. */
  configuration: PinnedConfiguration | null;
  mode: RunMode;
  name: string;
  repeat: number;
  seed: number;
  definition: RehearsalDefinition;
  /** The turns that a model is to judge; null: it was not played. */
  played: RehearsedTurn[] | null;
  createdAt: Date;
  expiresAt: Date;
  /** Milliseconds until it expires, by the database's clock. */
  leftMs: number;
}

/** SQL: the order in which runs take turns: one that begins later, and is small, does not wait for a large one. */
const TURNS = 'position, run_id';

/** SQL: what is queued of the runs with a mode, in its order. */
const queued = (mode: RunMode) => `
  SELECT next.id, next.run_id, next.position
  FROM rehearsal_runs AS run CROSS JOIN LATERAL (
    SELECT id, run_id, position FROM rehearsal_results
    WHERE workspace_id = $workspaceId AND ${IS_UNFINISHED} AND status = 'queued' AND run_id = run.id
    ORDER BY position LIMIT $concurrency
  ) AS next
  WHERE run.workspace_id = $workspaceId AND run.${IS_OPEN} AND mode = '${mode}'
  ORDER BY ${TURNS}`;

const IS_SPOKEN = isSpoken('rehearsal_results');
const IS_JOINED = isJoined('rehearsal_results');

/** The connections of a workspace to addresses that runtimes report. */
const MAX_JOINED = 4;

/**
 * Offers what is queued, as far as the workspace may play more at once, and again what no runtime has claimed for some
 * seconds. Of those that are spoken, a workspace plays one at once: they take places of calls.
 */
export const OFFER_REHEARSALS = statement<Workspace & { concurrency: number }, OfferedRehearsal>(
  'offer-rehearsals',
  `
    WITH busy AS (
      SELECT count(*) AS calls, count(*) FILTER (WHERE ${IS_SPOKEN}) AS spoken,
             count(*) FILTER (WHERE ${IS_JOINED}) AS joined
      FROM rehearsal_results
      WHERE workspace_id = $workspaceId AND ${IS_UNFINISHED} AND status IN ('offered', 'playing')
    ), next AS (
      (${queued('text')} LIMIT $concurrency)
      UNION ALL
      (${queued('joined')} LIMIT GREATEST(0, ${MAX_JOINED} - (SELECT joined FROM busy)))
      UNION ALL
      (${queued('audio')} LIMIT CASE (SELECT spoken FROM busy) WHEN 0 THEN 1 ELSE 0 END)
    ), chosen AS (
      SELECT id FROM next ORDER BY ${TURNS} LIMIT GREATEST(0, $concurrency - (SELECT calls FROM busy))
    ), offered AS (
      UPDATE rehearsal_results
      SET status = 'offered', published_at = now(),
          expires_at = CASE status WHEN 'queued' THEN now() + interval '${OFFER_SECONDS} seconds' ELSE expires_at END
      WHERE workspace_id = $workspaceId AND ${IS_UNFINISHED}
        AND (id IN (SELECT id FROM chosen)
          OR status = 'offered' AND published_at <= now() - interval '${REPUBLISH_AFTER_SECONDS} seconds')
      RETURNING *
    )
    SELECT offered.id, offered.workspace_id AS "workspaceId", created_by AS "userId", run_id AS "runId",
           agent_id AS "agentId", ${PLAYED_VERSION} AS "agentVersion",
           ${PLAYED_CONFIGURATION} AS configuration, mode, offered.name, offered.repeat, offered.seed,
           ${definitionOf('offered')} AS definition, facts -> 'turns' AS played, created_at AS "createdAt", expires_at AS "expiresAt",
           ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "leftMs"
    FROM offered JOIN rehearsal_runs AS run ON run.id = run_id
    ORDER BY run_id, position`,
);

/** Shows which runs have begun. */
export const BEGIN_RUNS = statement<Workspace>(
  'begin-rehearsal-runs',
  `UPDATE rehearsal_runs SET status = 'running'
   WHERE workspace_id = $workspaceId AND ${IS_OPEN} AND status = 'queued'
     AND EXISTS (SELECT FROM rehearsal_results WHERE run_id = rehearsal_runs.id AND status <> 'queued')`,
);

/** SQL: whether nothing of a run is still to come. */
const IS_COMPLETE = `
  NOT EXISTS (
    SELECT FROM rehearsal_results AS result
    WHERE result.workspace_id = $workspaceId AND result.run_id = run.id AND result.${IS_UNFINISHED})`;

export const FIND_COMPLETE_RUNS = statement<Workspace, { id: string }>(
  'find-complete-rehearsal-runs',
  `SELECT id FROM rehearsal_runs AS run WHERE workspace_id = $workspaceId AND ${IS_OPEN} AND ${IS_COMPLETE}`,
);

/** Ends a run that is complete. */
export const END_RUN = statement<Workspace & { id: string; reportSha256: string }>(
  'end-rehearsal-run',
  `
    UPDATE rehearsal_runs AS run
    SET ended_at = now(), report_sha256 = $reportSha256, configuration = NULL, counted = ${countResults('run.id')},
        status = CASE
          WHEN EXISTS (SELECT FROM rehearsal_results WHERE run_id = run.id AND status = 'failed' AND NOT against) THEN 'failed'
          WHEN EXISTS (SELECT FROM rehearsal_results WHERE run_id = run.id AND status = 'error' AND NOT against) THEN 'error'
          ELSE 'passed' END
    WHERE workspace_id = $workspaceId AND id = $id AND ${IS_OPEN} AND ${IS_COMPLETE}`,
);
