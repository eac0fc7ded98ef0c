import type { Actor } from '../http/actor';
import { targetKindOf } from '../http/audit-actions';
import type { AuditEntry } from '../http/audited';
import { type JsonRows, jsonRows, statement } from './statement';

interface AuditRow {
  workspaceId: string;
  actorKind: Actor['kind'];
  actorId: string;
  actorName: string;
  action: string;
  targetKind: string;
  targetId: string | null;
  targetName: string | null;
  details: object;
  requestId: string | null;
  ip: string | null;
}

/** Adds entries to the audit. A statement that makes a change for many at once can have it as a part. */
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

export const MAX_ACTOR_LENGTH = 255;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A path may spell the same UUID in upper case. */
export const auditedId = (id: string) => (UUID.test(id) ? id.toLowerCase() : id);

/** The user of an identity provider may have an id of any length, which no index could hold. */
const cut = (text: string) => [...text].slice(0, MAX_ACTOR_LENGTH).join('');

export const auditRows = (entries: AuditEntry[]): JsonRows<AuditRow> =>
  jsonRows(
    entries.map(
      ({ workspaceId, actor, action, id, name = null, details = {}, requestId = null, ip = null }) => ({
        workspaceId,
        actorKind: actor.kind,
        actorId: cut(actor.id),
        actorName: cut(actor.name),
        action,
        targetKind: targetKindOf(action),
        targetId: id === null ? null : auditedId(id),
        targetName: name,
        details,
        requestId,
        ip,
      }),
    ),
  );
