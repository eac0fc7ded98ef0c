import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import type { ErasureDto, RequestedErasureDto } from './erasures.dto';
import { erasureNotFound } from './erasures.errors';
import { presentErasure, presentRequested } from './erasures.presenter';
import { ErasuresRepository } from './erasures.repository';

@Injectable()
export class ErasuresService {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  /**
   * Requests an erasure, or returns the open one of the number.
   * @throws 403 if too many are open
   */
  request(workspaceId: string, phoneNumber: string): Promise<RequestedErasureDto> {
    return this.database.transaction(async (transaction) => {
      const open = await this.erasures.repeat(workspaceId, phoneNumber, transaction);
      if (open) return presentRequested(open);
      await this.quotas.assertWithinQuota(workspaceId, 'open_erasures', transaction);
      return presentRequested(await this.erasures.add(workspaceId, phoneNumber, transaction));
    });
  }

  async list(workspaceId: string, query: PageQuery) {
    const { rows, total } = await this.erasures.list(workspaceId, query);
    return paginate(rows.map(presentErasure), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, id: string): Promise<ErasureDto> {
    const erasure = await this.erasures.find(workspaceId, id);
    if (!erasure) throw erasureNotFound();
    return presentErasure(erasure);
  }
}
