import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database';
import { isTimeout } from '../database/outcome-unknown';
import { likePattern } from '../database/like-pattern';
import { type Page, pageOf } from '../database/workspace.repository';
import { DoNotCallEntry } from './do-not-call-entry.entity';
import { COUNTS } from './is-listed.sql';
import {
  DELETE_EXPIRED,
  IMPORT_NUMBERS,
  type ImportedNumbers,
  LIST_NUMBER,
  type ListedNumber,
  WAIT_FOR_CLAIMS,
} from './list-numbers.sql';

export type { ListedNumber };

@Injectable()
export class DoNotCallRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, without those that have expired. @param search part of the number or of the reason */
  list(
    workspaceId: string,
    { search, ...page }: { search?: string; page: number; limit: number },
  ): Promise<Page<ListedNumber>> {
    const rows = this.database.manager
      .createQueryBuilder(DoNotCallEntry, 'do_not_call')
      .where('do_not_call.workspaceId = :workspaceId', { workspaceId })
      .andWhere(COUNTS);
    if (search !== undefined) {
      const pattern = likePattern(search);
      rows.andWhere('(do_not_call.phoneNumber LIKE :pattern OR do_not_call.reason ILIKE :pattern)', {
        pattern,
      });
    }
    return pageOf(
      rows.orderBy('do_not_call.createdAt', 'DESC').addOrderBy('do_not_call.phoneNumber', 'ASC'),
      page,
    );
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

  /**
   * After the commit: from then on, no claim of a call to one of these numbers is granted.
   * @returns false if a claim is not decided in time
   */
  async waitForClaims(workspaceId: string, numbers: string[]): Promise<boolean> {
    try {
      await this.database.query(WAIT_FOR_CLAIMS, { workspaceId, numbers });
      return true;
    } catch (error) {
      if (isTimeout(error)) return false;
      throw error;
    }
  }

  /** @returns false if the number is not on the list */
  async remove(workspaceId: string, phoneNumber: string, { manager }: Transaction): Promise<boolean> {
    const { affected } = await manager
      .createQueryBuilder()
      .delete()
      .from(DoNotCallEntry)
      .where({ workspaceId, phoneNumber })
      .andWhere(COUNTS)
      .execute();
    return affected === 1;
  }

  /** Of all workspaces. @returns how many were deleted */
  async deleteExpired(limit: number): Promise<number> {
    return (await this.database.query(DELETE_EXPIRED, { limit })).length;
  }
}
