import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database';
import {
  DELETE_CALLS,
  DELETE_EMPTY_ROLLUPS,
  DELETE_EMPTY_SEGMENTS,
  DELETE_EMPTY_SUMS,
  DELETE_UNUSED_VALUES,
  LOCK_ROLL_UP_STATE,
} from './delete-calls.sql';

/** Calls that have ended, and that the transaction has locked. */
export interface CallsToDelete {
  ids: string[];
  /** The times between which the calls were created. */
  from: string;
  to: string;
}

@Injectable()
export class CallDeletionRepository {
  /**
   * Deletes calls, so that lists, statistics and series count exactly the calls that remain. The rows that refer to
   * the calls are deleted before, because the turns of transcripts are many, and this locks the state of the rollups.
   */
  async delete(
    workspaceId: string,
    { ids, from, to }: CallsToDelete,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(LOCK_ROLL_UP_STATE, { workspaceId });
    const changed = await transaction.query(DELETE_CALLS, { workspaceId, ids });
    await transaction.query(DELETE_EMPTY_ROLLUPS, { workspaceId, from, to });
    if (changed.length === 0) return;
    const valueIds = changed.map(({ valueId }) => valueId);
    const times = changed.map(({ startsAt }) => startsAt);
    await transaction.query(DELETE_EMPTY_SUMS, { valueIds, times });
    const emptied = await transaction.query(DELETE_EMPTY_SEGMENTS, { workspaceId, times });
    const unused = new Set([...valueIds, ...emptied.map(({ valueId }) => valueId)]);
    await transaction.query(DELETE_UNUSED_VALUES, { workspaceId, valueIds: [...unused] });
  }
}
