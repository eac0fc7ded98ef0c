import type { AuditRow } from '../../platform/database/audit-trail';
import { type JsonRows, statement } from '../../platform/database/statement';

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
