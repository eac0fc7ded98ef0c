import { type JsonRows, statement } from '../../platform/database/statement';
import type { ActorKind } from '../../platform/http/actor';
import { type AuditAction, getTargetKind } from './audit-actions';
import type { AuditRow } from './audit-entry';

export const INSERT_AUDIT_ENTRIES = statement<{ entries: JsonRows<AuditRow> }>(
  'insert-audit-entries',
  `
    INSERT INTO audit_entries (workspace_id, actor_kind, actor_id, actor_name, action, target_kind, target_id,
                               target_name, details, request_id, ip, created_at)
    SELECT "workspaceId", "actorKind", "actorId", "actorName", action, "targetKind", "targetId", "targetName", details,
           "requestId", ip, clock_timestamp()
    FROM json_to_recordset($entries::json) AS entry (
      "workspaceId" uuid, "actorKind" text, "actorId" text, "actorName" text, action text, "targetKind" text,
      "targetId" text, "targetName" text, details jsonb, "requestId" text, ip text)`,
);

const RUNTIME: ActorKind = 'runtime';

/**
 * SQL: inserts the entries of changes by runtimes, as a part of the statement that makes the changes.
 * @param changes SQL: a query of `workspace_id`, `worker_id` and `details`
 */
export const insertEntriesOfRuntimes = (action: AuditAction, changes: string) => `
  INSERT INTO audit_entries (workspace_id, actor_kind, actor_id, actor_name, action, target_kind, details)
  SELECT workspace_id, '${RUNTIME}', worker_id, worker_id, '${action}', '${getTargetKind(action)}', details
  FROM (${changes}) AS change`;

/** Entries get their ids in the order of their times, so the oldest ones need no index of their own. */
export const DELETE_OLD_ENTRIES = statement<{ days: number; limit: number }, { id: string }>(
  'delete-old-audit-entries',
  `
    DELETE FROM audit_entries
    WHERE id = ANY (ARRAY(
      SELECT id FROM audit_entries
      WHERE id IN (SELECT id FROM audit_entries ORDER BY id LIMIT $limit)
        AND created_at < now() - $days::int * interval '1 day'
      FOR UPDATE SKIP LOCKED))
    RETURNING id`,
);
