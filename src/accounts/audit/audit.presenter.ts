import type { AuditEntryRow } from './audit-entry.entity';
import type { AuditEntryDto } from './audit.dto';

export const presentEntry = (row: AuditEntryRow): AuditEntryDto => ({
  at: row.createdAt,
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
  action: row.action,
  target: { kind: row.targetKind, id: row.targetId, name: row.targetName },
  details: row.details,
  request_id: row.requestId,
  ip: row.ip,
});
