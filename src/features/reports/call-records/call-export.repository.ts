import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database';
import { type CallFilter, isFoundByIndex } from '../filter/call-filter';
import type { CallRecord } from '../filter/call-record.sql';
import {
  COUNT_FEW,
  type ExportPlace,
  FIND_END_OF_BATCH,
  MAX_FEW,
  MAX_FOUND,
  READ_BATCH,
  READ_FEW,
} from './export-calls.sql';

/** Some calls, and the place from which the next ones follow. */
export interface ExportBatch {
  calls: CallRecord[];
  /** undefined: there are no more calls */
  next: ExportPlace | undefined;
}

/** @param end the last call that was read, if more follow */
const toBatch = (calls: CallRecord[], end: ExportPlace | undefined): ExportBatch => ({
  calls,
  next: calls.length === MAX_FOUND ? calls.at(-1) : end,
});

/** Reads calls in batches, newest first, each by short statements. */
@Injectable()
export class CallExportRepository {
  /** Whether an index finds the calls, and so few of them that each batch can find them again. */
  async areFew(reader: Reader, filter: CallFilter): Promise<boolean> {
    if (!isFoundByIndex(filter)) return false;
    const [found] = await reader.query(COUNT_FEW, filter);
    return found !== undefined && found.count <= MAX_FEW;
  }

  /**
   * Reads the next calls.
   * @param areFew the result of {@link areFew}
   * @param after undefined: from the newest call on
   */
  async readBatch(
    reader: Reader,
    filter: CallFilter,
    areFew: boolean,
    after: ExportPlace | undefined,
  ): Promise<ExportBatch> {
    const values = { ...filter, afterTime: after?.createdAt ?? null, afterId: after?.id ?? null };
    if (areFew) return toBatch(await reader.query(READ_FEW, values), undefined);
    const [end] = await reader.query(FIND_END_OF_BATCH, values);
    const until = { endTime: end?.createdAt ?? null, endId: end?.id ?? null };
    return toBatch(await reader.query(READ_BATCH, { ...values, ...until }), end);
  }
}
