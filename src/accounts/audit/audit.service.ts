import { Injectable } from '@nestjs/common';
import { paginate } from '../../platform/http/pagination';
import type { ListAuditQuery } from './audit.dto';
import { presentEntry } from './audit.presenter';
import { AuditRepository } from './audit.repository';

@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  async list(workspaceId: string, query: ListAuditQuery) {
    const { rows, total } = await this.entries.list(workspaceId, query);
    return paginate(rows.map(presentEntry), query, total);
  }
}
