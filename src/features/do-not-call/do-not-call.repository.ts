import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { isTimeout } from '../../platform/database/outcome-unknown';
import { likePattern } from '../../platform/database/like-pattern';
import { type Page, readPage } from '../../platform/database/workspace.repository';
import { DoNotCallEntry } from './do-not-call-entry.entity';
import { IS_NOT_EXPIRED } from './is-listed.sql';
import {
  ClaimsOfNumbers,
  DELETE_EXPIRED,
  FIND_LISTED_NUMBERS,
  FIND_SAME_ENTRY,
  LIST_NUMBER,
  type ListedNumber,
  type Numbers,
} from './list-numbers.sql';

export type { ListedNumber };

type GivenEntry = Pick<DoNotCallEntry, 'phoneNumber' | 'reason' | 'expiresAt'>;

@Injectable()
export class DoNotCallRepository {
  constructor(
    private readonly database: Database,
    private readonly claims: ClaimsOfNumbers,
  ) {}

  /**
   * Lists the entries that have not expired, newest first.
   * @param search part of the number or of the reason
   */
  list(
    workspaceId: string,
    { search, ...page }: { search?: string; page: number; limit: number },
  ): Promise<Page<ListedNumber>> {
    const rows = this.database.manager
      .createQueryBuilder(DoNotCallEntry, 'do_not_call')
      .where('do_not_call.workspaceId = :workspaceId', { workspaceId })
      .andWhere(IS_NOT_EXPIRED);
    if (search !== undefined) {
      const pattern = likePattern(search);
      rows.andWhere('(do_not_call.phoneNumber LIKE :pattern OR do_not_call.reason ILIKE :pattern)', {
        pattern,
      });
    }
    return readPage(
      rows.orderBy('do_not_call.createdAt', 'DESC').addOrderBy('do_not_call.phoneNumber', 'ASC'),
      page,
    );
  }

  /** Finds the entry of a number if the same actor has made the same one before, and it counts. */
  async findSame(
    workspaceId: string,
    entry: GivenEntry,
    transaction: Transaction,
  ): Promise<ListedNumber | undefined> {
    const values = { workspaceId, createdBy: transaction.actor, ...entry };
    return (await transaction.query(FIND_SAME_ENTRY, values))[0];
  }

  /** @returns those of the numbers that must not be called now */
  async findListed(
    workspaceId: string,
    numbers: string[],
    queryable: Queryable = this.database,
  ): Promise<string[]> {
    const rows = await queryable.query(FIND_LISTED_NUMBERS, { workspaceId, numbers });
    return rows.map(({ phoneNumber }) => phoneNumber);
  }

  async add(workspaceId: string, entry: GivenEntry, transaction: Transaction): Promise<ListedNumber> {
    const [listed] = await transaction.query(LIST_NUMBER, {
      workspaceId,
      createdBy: transaction.actor,
      ...entry,
    });
    return listed as ListedNumber;
  }

  /**
   * Waits, after the commit, until no earlier claim of a call to one of these numbers can be granted.
   * @returns false if a claim is not decided in time
   */
  async waitForClaims(workspaceId: string, numbers: Numbers): Promise<boolean> {
    try {
      await this.database.query(this.claims.wait, { workspaceId, numbers });
      return true;
    } catch (error) {
      if (isTimeout(error)) return false;
      throw error;
    }
  }

  /** @returns false if none of the numbers is on the list */
  async remove(workspaceId: string, numbers: string[], { manager }: Transaction): Promise<boolean> {
    const { affected } = await manager
      .createQueryBuilder()
      .delete()
      .from(DoNotCallEntry)
      .where({ workspaceId, phoneNumber: In(numbers) })
      .andWhere(IS_NOT_EXPIRED)
      .execute();
    return (affected ?? 0) > 0;
  }

  /** Deletes expired entries of all workspaces. @returns how many were deleted */
  async deleteExpired(limit: number): Promise<number> {
    return (await this.database.query(DELETE_EXPIRED, { limit })).length;
  }
}
