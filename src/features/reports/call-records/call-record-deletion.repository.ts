import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database';
import { DELETE_WHAT_HANGS_ON_CALLS } from './delete-records.sql';

@Injectable()
export class CallRecordDeletionRepository {
  /** Deletes the records of calls that the transaction has locked, before it deletes the calls. */
  async delete(ids: string[], transaction: Transaction): Promise<void> {
    await transaction.query(DELETE_WHAT_HANGS_ON_CALLS, { ids });
  }
}
