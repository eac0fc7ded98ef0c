import { type Actor, actorText } from '../../platform/http/actor';
import type { ChangeDetails } from '../../platform/http/change-record';
import { type AuditAction, getTargetKind } from './audit-actions';

/** The target of a change. */
export interface AuditTarget {
  /** null: the workspace has only one of its kind, or the change is about many. */
  id: string | null;
  name?: string | null;
  details?: ChangeDetails;
}

/** A change and its actor, as the audit keeps it. */
export interface AuditEntry extends AuditTarget {
  workspaceId: string;
  actor: Actor;
  action: AuditAction;
  /** null: the change has no request. */
  requestId?: string | null;
  ip?: string | null;
}

/** The parameters of the statement that inserts an entry. */
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

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A path may spell the same UUID in upper case. */
export const auditedId = (id: string) => (UUID.test(id) ? id.toLowerCase() : id);

export const auditRow = ({
  workspaceId,
  actor,
  action,
  id,
  name = null,
  details = {},
  requestId = null,
  ip = null,
}: AuditEntry): AuditRow => ({
  workspaceId,
  actorKind: actor.kind,
  actorId: actorText(actor.id),
  actorName: actorText(actor.name),
  action,
  targetKind: getTargetKind(action),
  targetId: id === null ? null : auditedId(id),
  targetName: name,
  details,
  requestId,
  ip,
});
