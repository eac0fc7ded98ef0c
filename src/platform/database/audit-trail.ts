import { type Actor, actorText } from '../http/actor';
import { targetKindOf } from '../http/audit-actions';
import type { AuditEntry } from '../http/audited';
import { type JsonRows, jsonRows, type Statement } from './statement';

export interface AuditRow {
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

/** The table of the audit is above this folder, which writes an entry in the transaction of each change. */
export abstract class AuditStatements {
  abstract readonly insert: Statement<{ entries: JsonRows<AuditRow> }, object>;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A path may spell the same UUID in upper case. */
export const auditedId = (id: string) => (UUID.test(id) ? id.toLowerCase() : id);

export const auditRows = (entries: AuditEntry[]): JsonRows<AuditRow> =>
  jsonRows(
    entries.map(
      ({ workspaceId, actor, action, id, name = null, details = {}, requestId = null, ip = null }) => ({
        workspaceId,
        actorKind: actor.kind,
        actorId: actorText(actor.id),
        actorName: actorText(actor.name),
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
