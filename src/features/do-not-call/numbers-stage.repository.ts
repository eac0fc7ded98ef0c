import { Injectable } from '@nestjs/common';
import { from as copyFrom } from 'pg-copy-streams';
import type { Writable } from 'node:stream';
import type { Transaction } from '../../platform/database/database';
import {
  COPY_INTO_STAGE,
  CREATE_STAGE,
  FIND_STAGED,
  LIST_STAGED,
  type StagedNumbers,
} from './import-numbers.sql';

export type { StagedNumbers };

/** Stores the numbers of a file in a temporary table of the transaction that imports them. */
@Injectable()
export class NumbersStageRepository {
  async create(transaction: Transaction): Promise<void> {
    await transaction.query(CREATE_STAGE, {});
  }

  /** Opens a stream for lines of COPY, with the columns of the stage. */
  copyInto({ client }: Transaction): Writable {
    return client.query(copyFrom(COPY_INTO_STAGE));
  }

  async find(workspaceId: string, transaction: Transaction): Promise<StagedNumbers> {
    return (await transaction.query(FIND_STAGED, { workspaceId }))[0] as StagedNumbers;
  }

  /** Puts the staged numbers on the list of the workspace. */
  async list(workspaceId: string, transaction: Transaction): Promise<void> {
    await transaction.query(LIST_STAGED, { workspaceId, createdBy: transaction.actor });
  }
}
