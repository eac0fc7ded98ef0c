import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database';
import { type CallFilter, isFoundByIndex } from '../filter/call-filter';
import {
  COUNT_FEW,
  type ExportedCall,
  type ExportPlace,
  FIND_END_OF_BATCH,
  MAX_CHARACTERS,
  MAX_FEW,
  MAX_FOUND,
  READ_BATCH,
  READ_FEW,
} from './export-calls.sql';

export type { ExportedCall };

/** Some calls, and the place from which the next ones follow. */
export interface ExportBatch {
  calls: ExportedCall[];
  /** undefined: there are no more calls */
  next: ExportPlace | undefined;
}

/** @param end the last call that was read, if more follow */
function toBatch(calls: ExportedCall[], end: ExportPlace | undefined): ExportBatch {
  const last = calls.at(-1);
  const isFull = calls.length === MAX_FOUND || (last && last.characters >= MAX_CHARACTERS);
  return { calls, next: isFull ? last : end };
}

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
