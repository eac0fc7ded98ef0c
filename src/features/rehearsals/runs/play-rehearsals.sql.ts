import { type JsonRows, statement } from '../../../platform/database/statement';
import type { ClaimScope } from '../../calls/model/claim-scope';
import type { RehearsalFacts } from '../../../platform/messaging/wire';
import type { PinnedConfiguration } from '../../agents/agent-version.entity';
import type { Check, Person, ToolMock } from '../rehearsal-definition';
import type { CheckResult } from './grade';
import type { ReportedParts, ToolUse } from './joined-parts';
import { definitionOf, IS_UNFINISHED, tokensOf } from './rehearsal-result.entity';
import {
  IS_OPEN,
  isJoined,
  PLAYED_CONFIGURATION,
  PLAYED_VERSION,
  type RunMode,
} from './rehearsal-run.entity';

interface Played {
  id: string;
  token: string;
}

export interface ClaimOfRehearsal extends Played {
  claimId: string;
  workerId: string;
  /** null: all workspaces */
  scope: ClaimScope;
}

/** Whether the claim is granted, or has been before; otherwise the state of what it claims. */
export interface ClaimedRehearsal {
  token: string | null;
  acceptedAt: Date | null;
  isOurs: boolean;
  isEnded: boolean;
  isExpired: boolean;
}

/** The row is locked first, so that what is read of it is what the update leaves. */
export const CLAIM_REHEARSAL = statement<ClaimOfRehearsal, ClaimedRehearsal>(
  'claim-rehearsal',
  `
    WITH found AS MATERIALIZED (
      SELECT * FROM rehearsal_results
      WHERE id = $id AND ($scope::uuid IS NULL OR workspace_id = $scope) FOR NO KEY UPDATE
    ), claimed AS (
      UPDATE rehearsal_results
      SET status = 'playing', claim_id = $claimId, worker_id = $workerId, token = $token, accepted_at = now(),
          heartbeat_at = now(), over_at = NULL, joined_at = NULL, tool_uses = '[]', reported = NULL, attempts = rehearsal_results.attempts + 1
      FROM found
      WHERE rehearsal_results.id = found.id AND found.status = 'offered' AND found.expires_at > now()
      RETURNING rehearsal_results.id, rehearsal_results.token, rehearsal_results.accepted_at
    )
    SELECT COALESCE(claimed.token, found.token) AS token, COALESCE(claimed.accepted_at, found.accepted_at) AS "acceptedAt",
           claimed.id IS NOT NULL OR found.status = 'playing' AND found.claim_id = $claimId AS "isOurs",
           found.ended_at IS NOT NULL AS "isEnded", found.expires_at <= now() AS "isExpired"
    FROM found LEFT JOIN claimed ON claimed.id = found.id`,
);

/** @returns the runtime if it must stop, because the run was cancelled */
export const HEAR_OF_REHEARSAL = statement<Played, { workerId: string | null }>(
  'hear-of-rehearsal',
  `
    WITH heard AS (
      UPDATE rehearsal_results SET heartbeat_at = now()
      WHERE id = $id AND token = $token AND status = 'playing' RETURNING id
    )
    SELECT worker_id AS "workerId" FROM rehearsal_results
    WHERE id = $id AND NOT EXISTS (SELECT FROM heard) AND token = $token`,
);

export interface PlayedRehearsal {
  workspaceId: string;
  checks: Check[];
  mode: RunMode;
  /** The facts of the play, if a model judges it now. */
  facts: RehearsalFacts | null;
  graded: CheckResult[] | null;
}

/** The first report of an address counts. @returns nothing: it is late, or no person of the server joins */
export const JOIN_REHEARSAL = statement<Played, { workspaceId: string; workerId: string; person: Person }>(
  'join-rehearsal',
  `UPDATE rehearsal_results SET joined_at = now()
   WHERE id = $id AND token = $token AND status = 'playing' AND joined_at IS NULL AND ${isJoined('rehearsal_results')}
   RETURNING workspace_id AS "workspaceId", worker_id AS "workerId", ${definitionOf('rehearsal_results')} -> 'person' AS person`,
);

export interface JoinedRehearsal {
  token: string;
  /** Whether the runtime has said that it is over, and its other reports had time to come. */
  isOver: boolean;
}

/** The reports of a call may be handled side by side, by several servers. */
const REPORTS_SECONDS = 1;

/** Finds those that still go on. */
export const FIND_JOINED = statement<{ ids: string[] }, JoinedRehearsal>(
  'find-joined-rehearsals',
  `SELECT token, COALESCE(over_at <= now() - interval '${REPORTS_SECONDS} seconds', false) AS "isOver"
   FROM rehearsal_results WHERE id = ANY ($ids) AND status = 'playing'`,
);

export const FIND_REPORTED = statement<Played, { reported: ReportedParts | null; uses: ToolUse[] }>(
  'find-reported-parts-of-rehearsal',
  `SELECT reported, tool_uses AS uses FROM rehearsal_results WHERE id = $id AND token = $token AND status = 'playing'`,
);

export const ADD_REPORTED = statement<Played & { parts: string }>(
  'add-reported-parts-of-rehearsal',
  `UPDATE rehearsal_results SET reported = COALESCE(reported, '{}') || $parts::jsonb
   WHERE id = $id AND token = $token AND status = 'playing' AND ${isJoined('rehearsal_results')}`,
);

export interface RehearsedUses {
  mocks: ToolMock[];
  uses: ToolUse[];
}

interface OwnRehearsal {
  workspaceId: string;
  id: string;
}

export const FIND_PLAYED_CONFIGURATION = statement<
  OwnRehearsal,
  { agentId: string; agentVersion: number; configuration: PinnedConfiguration | null }
>(
  'find-configuration-of-rehearsal',
  `SELECT agent_id AS "agentId", ${PLAYED_VERSION} AS "agentVersion", ${PLAYED_CONFIGURATION} AS configuration
   FROM rehearsal_results AS result JOIN rehearsal_runs AS run ON run.id = result.run_id
   WHERE result.workspace_id = $workspaceId AND result.id = $id`,
);

/** @returns nothing: the runtime answers the tools, or it is over */
export const LOCK_TOOL_USES = statement<OwnRehearsal, RehearsedUses>(
  'lock-tool-uses-of-rehearsal',
  `SELECT ${definitionOf('rehearsal_results')} -> 'tools' AS mocks, tool_uses AS uses FROM rehearsal_results
   WHERE workspace_id = $workspaceId AND id = $id AND status = 'playing' AND ${isJoined('rehearsal_results')}
   FOR NO KEY UPDATE`,
);

export const ADD_TOOL_USE = statement<OwnRehearsal & { use: string }>(
  'add-tool-use-of-rehearsal',
  `UPDATE rehearsal_results SET tool_uses = tool_uses || $use::jsonb WHERE workspace_id = $workspaceId AND id = $id`,
);

export const FIND_TOOL_USES = statement<OwnRehearsal, { uses: ToolUse[] }>(
  'find-tool-uses-of-rehearsal',
  `SELECT tool_uses AS uses FROM rehearsal_results WHERE workspace_id = $workspaceId AND id = $id`,
);

export const FIND_PLAYED = statement<Played, PlayedRehearsal>(
  'find-played-rehearsal',
  `SELECT workspace_id AS "workspaceId", ${definitionOf('rehearsal_results')} -> 'checks' AS checks, facts,
          checks AS graded, (SELECT mode FROM rehearsal_runs WHERE id = run_id) AS mode
   FROM rehearsal_results
   WHERE id = $id AND token = $token AND status = 'playing'`,
);

export interface SettledRehearsal extends Played {
  status: 'passed' | 'failed' | 'error';
  facts: string;
  checks: JsonRows<CheckResult> | null;
  error: string | null;
  tokens: number;
}

export const SETTLE_REHEARSAL = statement<SettledRehearsal>(
  'settle-rehearsal',
  `UPDATE rehearsal_results
   SET status = $status, facts = $facts::jsonb, checks = $checks::jsonb, error = $error, tokens = tokens + $tokens,
       ended_at = now()
   WHERE id = $id AND token = $token AND status = 'playing'`,
);

export interface UnjudgedRehearsal extends Played {
  facts: string;
  checks: JsonRows<CheckResult>;
  tokens: number;
}

/** Keeps what was played, and has it offered anew to be judged, as often as what is played. */
export const QUEUE_JUDGEMENT = statement<UnjudgedRehearsal>(
  'queue-judgement-of-rehearsal',
  `UPDATE rehearsal_results
   SET status = 'queued', facts = $facts::jsonb, checks = $checks::jsonb, tokens = tokens + $tokens, attempts = 0,
       claim_id = NULL, token = NULL, heartbeat_at = NULL, over_at = NULL
   WHERE id = $id AND token = $token AND status = 'playing'`,
);

/** A runtime that stops, or cannot play it: it is offered once more. */
export const GIVE_UP_REHEARSAL = statement<Played & { error: string }, { workspaceId: string }>(
  'give-up-rehearsal',
  `
    UPDATE rehearsal_results
    SET status = CASE attempts WHEN 1 THEN 'queued' ELSE 'error' END,
        error = CASE attempts WHEN 1 THEN NULL ELSE $error END,
        ended_at = CASE attempts WHEN 1 THEN NULL ELSE now() END,
        tokens = ${tokensOf('rehearsal_results')}, claim_id = NULL, token = NULL, heartbeat_at = NULL
    WHERE id = $id AND token = $token AND status = 'playing'
    RETURNING workspace_id AS "workspaceId"`,
);

/** Undoes the claim of a runtime that has no free place. The offer stays open, and no attempt is counted. */
export const PUT_BACK_REHEARSAL = statement<Played>(
  'put-back-rehearsal',
  `UPDATE rehearsal_results
   SET status = 'offered', published_at = now(), attempts = attempts - 1, claim_id = NULL, token = NULL, heartbeat_at = NULL
   WHERE id = $id AND token = $token AND status = 'playing'`,
);

/** The facts may still be on their way: messages of one call are handled side by side. They have a lease to come. */
export const NOTE_END = statement<Played>(
  'note-end-of-rehearsal',
  `UPDATE rehearsal_results SET over_at = now(), heartbeat_at = now()
   WHERE id = $id AND token = $token AND status = 'playing' AND over_at IS NULL`,
);

/** Ends all that is unfinished. @returns the runtimes that play something of it */
export const CANCEL_REHEARSALS = statement<
  { workspaceId: string; runIds: string[] },
  { id: string; workerId: string | null }
>(
  'cancel-rehearsals',
  `
    WITH cancelled AS (
      UPDATE rehearsal_runs SET status = 'cancelled', ended_at = now(), configuration = NULL
      WHERE workspace_id = $workspaceId AND id = ANY ($runIds) AND ${IS_OPEN} RETURNING id
    )
    UPDATE rehearsal_results
    SET status = 'error', error = 'CANCELLED', ended_at = now(), tokens = ${tokensOf('rehearsal_results')}
    WHERE run_id IN (SELECT id FROM cancelled) AND ${IS_UNFINISHED}
    RETURNING id, CASE WHEN claim_id IS NOT NULL THEN worker_id END AS "workerId"`,
);

/** The runs that one transaction deletes, each with up to 4,000 calls. */
export const DELETED_RUNS = 5;

interface OldRun {
  id: string;
  workspaceId: string;
}

export const FIND_OLD_RUNS = statement<{ days: number }, OldRun>(
  'find-old-rehearsal-runs',
  `SELECT id, workspace_id AS "workspaceId" FROM rehearsal_runs
   WHERE ended_at < now() - $days * interval '1 day' ORDER BY ended_at LIMIT ${DELETED_RUNS}`,
);

/** The calls of a workspace's runs that are kept. Those of older runs are deleted before their time. */
const KEPT_RESULTS = 200_000;

/** It reads all runs, so it finds more than are deleted at once. */
const EXCESS_RUNS = 500;

/** Finds runs beyond those that a workspace keeps, but none with tokens of today, which its budget counts. */
export const FIND_EXCESS_RUNS = statement<object, OldRun>(
  'find-excess-rehearsal-runs',
  `
    SELECT id, workspace_id AS "workspaceId" FROM (
      SELECT *, sum((counted ->> 'total')::int) OVER (PARTITION BY workspace_id ORDER BY created_at DESC, id DESC) AS kept
      FROM rehearsal_runs WHERE ended_at IS NOT NULL
    ) AS run
    WHERE kept > ${KEPT_RESULTS} AND (ended_at < date_trunc('day', now(), 'UTC') OR (counted ->> 'tokens')::int = 0)
    ORDER BY workspace_id, created_at LIMIT ${EXCESS_RUNS}`,
);
