import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Database, type Transaction } from '../../platform/database/database';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { Erasure } from './erasure.entity';
import {
  ADD_ERASURE,
  REPEAT_ERASURE,
  CLAIM_ERASURE,
  COMPLETE_ERASURE,
  COUNT_ERASED,
  DELETE_OLD_ERASURES,
  FIND_DUE_ERASURES,
  type OpenErasure,
  POSTPONE_ERASURE,
  type Postponed,
} from './erasures.sql';

export type { OpenErasure };

type Answered = Pick<Erasure, 'id' | 'status'>;

@Injectable()
export class ErasuresRepository extends WorkspaceRepository<Erasure> {
  constructor(database: Database) {
    super(database, Erasure);
  }

  /** Lists the erasures, newest first. */
  list(workspaceId: string, page: { page: number; limit: number }): Promise<Page<Erasure>> {
    const rows = this.select(workspaceId, 'erasure');
    return readPage(rows.orderBy('erasure.createdAt', 'DESC').addOrderBy('erasure.id', 'DESC'), page);
  }

  /** @returns undefined if no erasure of the number is open */
  async repeat(
    workspaceId: string,
    phoneNumber: string,
    transaction: Transaction,
  ): Promise<Answered | undefined> {
    return (await transaction.query(REPEAT_ERASURE, { workspaceId, phoneNumber }))[0];
  }

  async add(workspaceId: string, phoneNumber: string, transaction: Transaction): Promise<Answered> {
    const [added] = await transaction.query(ADD_ERASURE, { id: uuidv7(), workspaceId, phoneNumber });
    return added as Answered;
  }

  /** Finds one erasure of each workspace that has some due. */
  async findDue(): Promise<string[]> {
    return (await this.database.query(FIND_DUE_ERASURES, {})).map(({ id }) => id);
  }

  /** @returns undefined if another process works on it */
  async claim(id: string): Promise<OpenErasure | undefined> {
    return (await this.database.query(CLAIM_ERASURE, { id }))[0];
  }

  async countErased(
    id: string,
    { calls = 0, recipients = 0 }: { calls?: number; recipients?: number },
    transaction?: Transaction,
  ): Promise<void> {
    await (transaction ?? this.database).query(COUNT_ERASED, { id, calls, recipients });
  }

  async postpone(id: string, wait: { reason: Postponed; callsUnderWay: number }): Promise<void> {
    await this.database.query(POSTPONE_ERASURE, { id, ...wait });
  }

  /** @returns undefined if it was requested again meanwhile */
  async complete(
    { id, revision }: OpenErasure,
    keptDoNotCall: boolean,
  ): Promise<Pick<Erasure, 'calls' | 'recipients'> | undefined> {
    return (await this.database.query(COMPLETE_ERASURE, { id, revision, keptDoNotCall }))[0];
  }

  /** @returns how many were deleted, at most `limit` */
  async deleteOld(days: number, limit: number): Promise<number> {
    return (await this.database.query(DELETE_OLD_ERASURES, { days, limit })).length;
  }
}
