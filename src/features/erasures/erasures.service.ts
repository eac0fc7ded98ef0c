import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { canonicalNumber } from '../../platform/validation/phone-number';
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
   * Requests an erasure, or returns the open one of the number. A number in another than its one spelling, as an earlier
   * release may have stored it, is erased in both.
   * @throws 403 if too many are open
   */
  request(workspaceId: string, phoneNumber: string): Promise<RequestedErasureDto> {
    const number = canonicalNumber(phoneNumber) ?? phoneNumber;
    return this.database.transaction(async (transaction) => {
      if (number !== phoneNumber) await this.requestOne(workspaceId, phoneNumber, transaction);
      return presentRequested(await this.requestOne(workspaceId, number, transaction));
    });
  }

  private async requestOne(workspaceId: string, phoneNumber: string, transaction: Transaction) {
    const open = await this.erasures.repeat(workspaceId, phoneNumber, transaction);
    if (open) return open;
    await this.quotas.assertWithinQuota(workspaceId, 'open_erasures', transaction);
    return this.erasures.add(workspaceId, phoneNumber, transaction);
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
