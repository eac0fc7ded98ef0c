import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database';
import { likePattern } from '../database/like-pattern';
import { type Page, pageOf } from '../database/workspace.repository';
import { DoNotCallEntry } from './do-not-call-entry.entity';
import { IMPORT_NUMBERS, type ImportedNumbers, LIST_NUMBER, type ListedNumber } from './list-numbers.sql';

export type { ListedNumber };

@Injectable()
export class DoNotCallRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. @param search part of the number or of the reason */
  list(
    workspaceId: string,
    { search, ...page }: { search?: string; page: number; limit: number },
  ): Promise<Page<ListedNumber>> {
    const rows = this.database.manager
      .createQueryBuilder(DoNotCallEntry, 'entry')
      .where('entry.workspaceId = :workspaceId', { workspaceId });
    if (search !== undefined) {
      const pattern = likePattern(search);
      rows.andWhere('(entry.phoneNumber LIKE :pattern OR entry.reason ILIKE :pattern)', { pattern });
    }
    return pageOf(rows.orderBy('entry.createdAt', 'DESC').addOrderBy('entry.phoneNumber', 'ASC'), page);
  }

  async add(
    workspaceId: string,
    entry: Pick<DoNotCallEntry, 'phoneNumber' | 'reason' | 'expiresAt'>,
    transaction: Transaction,
  ): Promise<ListedNumber> {
    const [listed] = await transaction.query(LIST_NUMBER, { workspaceId, ...entry });
    return listed as ListedNumber;
  }

  async addAll(
    workspaceId: string,
    entries: Omit<ImportedNumbers, 'workspaceId'>,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(IMPORT_NUMBERS, { workspaceId, ...entries });
  }

  /** @returns false if the number is not on the list */
  async remove(workspaceId: string, phoneNumber: string, { manager }: Transaction): Promise<boolean> {
    const { affected } = await manager.delete(DoNotCallEntry, { workspaceId, phoneNumber });
    return affected === 1;
  }
}
