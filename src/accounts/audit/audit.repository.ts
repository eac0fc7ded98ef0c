import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { plainAddress } from '../../platform/http/client-network';
import { auditedId } from './audit-entry';
import { AuditEntryRow } from './audit-entry.entity';
import { DELETE_OLD_ENTRIES } from './audit.sql';
import type { ListAuditQuery } from './audit.dto';

@Injectable()
export class AuditRepository extends WorkspaceRepository<AuditEntryRow> {
  constructor(database: Database) {
    super(database, AuditEntryRow);
  }

  /** Lists the entries, newest first. */
  list(workspaceId: string, query: ListAuditQuery): Promise<Page<AuditEntryRow>> {
    const { actor_id, target_id, ip, start_date, end_date } = query;
    const equal = {
      actorKind: query.actor_kind,
      actorId: actor_id && auditedId(actor_id),
      action: query.action,
      targetKind: query.target_kind,
      targetId: target_id && auditedId(target_id),
      requestId: query.request_id,
      ip: ip && (plainAddress(ip) ?? ip),
    };
    const rows = this.select(workspaceId, 'entry');
    for (const [column, value] of Object.entries(equal)) {
      if (value !== undefined) rows.andWhere({ [column]: value });
    }
    if (start_date) rows.andWhere('entry.createdAt >= :start_date', { start_date });
    if (end_date) rows.andWhere('entry.createdAt <= :end_date', { end_date });
    return readPage(rows.orderBy('entry.createdAt', 'DESC').addOrderBy('entry.id', 'DESC'), query);
  }

  /** Deletes old entries of all workspaces. @returns how many were deleted */
  async deleteOld(days: number, limit: number): Promise<number> {
    return (await this.database.query(DELETE_OLD_ENTRIES, { days, limit })).length;
  }
}
