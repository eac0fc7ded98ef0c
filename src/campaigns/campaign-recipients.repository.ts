import { Injectable } from '@nestjs/common';
import { from as copyFrom } from 'pg-copy-streams';
import type { Writable } from 'node:stream';
import type { Transaction } from '../database/database';
import { valuesOf } from '../database/statement';
import {
  type CalledRecipients,
  MARK_CALLED,
  NEXT_RECIPIENTS,
  type NextRecipient,
  type NextRecipients,
} from './campaign-recipients.sql';
import {
  COPY_INTO_STAGE,
  CREATE_STAGE,
  EXTEND_STATEMENT_TIMEOUT,
  FIND_REPEATED,
  INSERT_RECIPIENTS,
  type RepeatedNumber,
} from './recipient-import.sql';

export type { NextRecipient };

/** The recipients of campaigns. A file's recipients are first copied into a stage, a temporary table. */
@Injectable()
export class CampaignRecipientsRepository {
  async createStage(transaction: Transaction): Promise<void> {
    await transaction.query(EXTEND_STATEMENT_TIMEOUT, {});
    await transaction.query(CREATE_STAGE, {});
  }

  /** A stream for lines of COPY, with the columns of the stage. */
  copyIntoStage({ client }: Transaction): Writable {
    return client.query(copyFrom(COPY_INTO_STAGE));
  }

  /** @returns how many were inserted, which is fewer than staged if a number is repeated */
  async insertStaged(campaignId: string, { client }: Transaction): Promise<number> {
    const { name, text } = INSERT_RECIPIENTS;
    const { rowCount } = await client.query({
      name,
      text,
      values: valuesOf(INSERT_RECIPIENTS, { campaignId }),
    });
    return rowCount ?? 0;
  }

  /** The first staged rows whose number an earlier row has. */
  findRepeated(transaction: Transaction): Promise<RepeatedNumber[]> {
    return transaction.query(FIND_REPEATED, {});
  }

  /** In the order of the file, as many as may be called now. */
  findNext(next: NextRecipients, transaction: Transaction): Promise<NextRecipient[]> {
    return transaction.query(NEXT_RECIPIENTS, next);
  }

  /** @throws Error if one of them was called before */
  async markCalled(called: CalledRecipients, transaction: Transaction): Promise<void> {
    const marked = await transaction.query(MARK_CALLED, called);
    if (marked.length !== called.numbers.length) throw new Error('A recipient was already called.');
  }
}
