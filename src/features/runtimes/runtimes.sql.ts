import { CLAIMED_STATUSES, inStatus, IS_IN_PROGRESS } from '../calls/model/call-states';
import { WITHOUT_WAITING_FOR_THE_DISK } from '../calls/lifecycle/lock-calls.sql';
import { type JsonRows, statement } from '../../platform/database/statement';
import type { RuntimeProviderDto } from './runtimes.dto';
import type { StoredProvider, Worker } from './worker.entity';

/** The time is three times the interval in which runtimes send a hello. */
const SEEN_SECONDS = 45;

/**
 * The number of runtimes that are stored. Further hellos with new ids are ignored; those of stored runtimes are
 * not.
 */
export const MAX_WORKERS = 1_000;

const IS_SEEN = `last_seen_at > now() - interval '${SEEN_SECONDS} seconds'`;

export type Hello = Omit<Worker, 'lastSeenAt' | 'providers'> & { providers?: RuntimeProviderDto[] };

/** Stores the hellos of runtimes, and deletes runtimes that have sent none for some time. */
export const STORE_HELLOS = statement<{ hellos: JsonRows<Hello> }>(
  'store-hellos',
  `
    WITH hello AS MATERIALIZED (
      SELECT DISTINCT ON (id) *
      FROM json_to_recordset($hellos::json) AS hello (id text, name text, version text, capacity integer, calls integer, providers jsonb)
    ), forgotten AS (
      DELETE FROM workers WHERE id = ANY (ARRAY(
        SELECT id FROM workers WHERE NOT ${IS_SEEN} AND id NOT IN (SELECT id FROM hello)
        FOR UPDATE SKIP LOCKED))
    ), known AS (
      SELECT hello.*, row_number() OVER (ORDER BY (workers.id IS NULL)::int, hello.id) AS place,
             workers.id IS NOT NULL AS is_known
      FROM hello LEFT JOIN workers USING (id)
    )
    INSERT INTO workers (id, name, version, capacity, calls, providers, last_seen_at)
    SELECT id, name, version, capacity, calls, COALESCE(providers, '[]'), now() FROM known
    WHERE ${WITHOUT_WAITING_FOR_THE_DISK}
      AND (is_known
           OR place + (SELECT count(*) FROM workers WHERE ${IS_SEEN} AND id NOT IN (SELECT id FROM hello)) <= ${MAX_WORKERS})
    ORDER BY id
    ON CONFLICT (id) DO UPDATE
    SET name = excluded.name, version = excluded.version, capacity = excluded.capacity, calls = excluded.calls,
        providers = excluded.providers, last_seen_at = excluded.last_seen_at`,
);

/** A runtime as it is shown to a workspace. */
export interface SeenWorker {
  id: string;
  /** '' if it has sent no hello, like the version */
  name: string;
  version: string;
  /** null if it has sent no hello */
  capacity: number | null;
  /** The number of calls of the workspace. */
  calls: number;
  /** The providers that it has said to ask. */
  providers: StoredProvider[];
  lastSeenAt: Date;
}

/**
 * Finds the runtimes that hold calls of the workspace, and those that hold no call at all. It leaves out a runtime
 * with calls of other workspaces only.
 */
export const FIND_WORKERS = statement<{ workspaceId: string }, SeenWorker>(
  'find-workers',
  `
    WITH holder AS (
      SELECT worker_id AS id, (count(*) FILTER (WHERE workspace_id = $workspaceId))::int AS calls,
             max(heartbeat_at) FILTER (WHERE workspace_id = $workspaceId) AS heard_at
      FROM conversations WHERE ${IS_IN_PROGRESS} AND ${inStatus(...CLAIMED_STATUSES)}
      GROUP BY worker_id
    ), seen AS (
      SELECT * FROM workers WHERE ${IS_SEEN}
    )
    SELECT id, COALESCE(name, '') AS name, COALESCE(version, '') AS version, capacity,
           COALESCE(holder.calls, 0) AS calls, COALESCE(providers, '[]') AS providers,
           GREATEST(last_seen_at, heard_at) AS "lastSeenAt"
    FROM seen FULL JOIN holder USING (id)
    WHERE holder.calls > 0 OR (holder.calls IS NULL AND seen.calls = 0)
    ORDER BY (holder.calls > 0) DESC, name, id LIMIT ${MAX_WORKERS}`,
);
