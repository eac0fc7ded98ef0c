import { Injectable } from '@nestjs/common';
import type { DatabaseError } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Writable } from 'node:stream';
import type { Transaction } from '../database/database';
import {
  type CalledRecipients,
  MARK_CALLED,
  NEXT_RECIPIENTS,
  type NextRecipient,
  type NextRecipients,
} from './campaign-recipients.sql';
import {
  BEFORE_INSERT,
  COPY_INTO_STAGE,
  CREATE_STAGE,
  EXTEND_STATEMENT_TIMEOUT,
  FIND_REPEATED,
  INSERT_RECIPIENTS,
  type RepeatedNumber,
  UNDO_INSERT,
} from './recipient-import.sql';

export type { NextRecipient };

const UNIQUE_NUMBERS = 'campaign_recipients_pkey';

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

  /** @returns false, and inserts nothing, if a number is repeated */
  async insertStaged(campaignId: string, transaction: Transaction): Promise<boolean> {
    await transaction.query(BEFORE_INSERT, {});
    try {
      await transaction.query(INSERT_RECIPIENTS, { campaignId });
      return true;
    } catch (error) {
      if ((error as Partial<DatabaseError>).constraint !== UNIQUE_NUMBERS) throw error;
      await transaction.query(UNDO_INSERT, {});
      return false;
    }
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
