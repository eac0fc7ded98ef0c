import { Injectable } from '@nestjs/common';
import type { DatabaseError } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Writable } from 'node:stream';
import type { Transaction } from '../../../platform/database/database';
import { CampaignRecipient } from './campaign-recipient.entity';
import {
  NEXT_RECIPIENTS,
  type NextRecipient,
  type NextRecipients,
  USE_RATE,
} from './campaign-recipients.sql';
import type { SkipReason } from '../plan/campaign-status';
import {
  BEFORE_INSERT,
  COPY_INTO_STAGE,
  COUNT_STAGED,
  CREATE_STAGE,
  EXTEND_STATEMENT_TIMEOUT,
  FIND_REPEATED,
  FIRST_STAGED,
  INSERT_RECIPIENTS,
  type RepeatedNumber,
  STAGED_VARIABLES,
  type StagedNumbers,
  type StagedRecipient,
  UNDO_INSERT,
} from './recipient-import.sql';
import {
  CALL,
  type CalledRecipients,
  type CountedOutcome,
  type MovedRecipients,
  SET_OUTCOMES,
  SETTLE,
  SETTLE_BATCH,
  SKIP,
  TAKE_BACK,
} from './recipient-moves.sql';
import { INSERT_SEARCH_BLOCKS } from './recipient-search.sql';
import { DECIDE_AGAIN, FINISH_NUMBERS, FINISH_REST } from './waiting-recipients.sql';

export { SETTLE_BATCH };
export type { CountedOutcome, NextRecipient, StagedNumbers, StagedRecipient };

/** The recipients that one statement has moved. */
export interface Moved {
  /** The number of recipients, including those that have not ended. */
  count: number;
  /** The outcomes of the recipients that have ended. */
  outcomes: CountedOutcome[];
}

const toMoved = (rows: MovedRecipients[]): Moved => ({
  count: rows[0]?.moved ?? 0,
  outcomes: rows.filter(({ outcome }) => outcome !== null),
});

const UNIQUE_NUMBERS = 'campaign_recipients_pkey';

/**
 * Reads and moves the recipients of campaigns. A file's recipients are first copied into a stage, a temporary
 * table.
 */
@Injectable()
export class CampaignRecipientsRepository {
  async createStage(transaction: Transaction): Promise<void> {
    await transaction.query(EXTEND_STATEMENT_TIMEOUT, {});
    await transaction.query(CREATE_STAGE, {});
  }

  /** Opens a stream for lines of COPY, with the columns of the stage. */
  copyIntoStage({ client }: Transaction): Writable {
    return client.query(copyFrom(COPY_INTO_STAGE));
  }

  /** @returns false, and inserts nothing, if a number is repeated */
  async insertStaged(campaignId: string, transaction: Transaction): Promise<boolean> {
    await transaction.query(BEFORE_INSERT, {});
    try {
      await transaction.query(INSERT_RECIPIENTS, { campaignId });
    } catch (error) {
      if ((error as Partial<DatabaseError>).constraint !== UNIQUE_NUMBERS) throw error;
      await transaction.query(UNDO_INSERT, {});
      return false;
    }
    await transaction.query(INSERT_SEARCH_BLOCKS, { campaignId });
    return true;
  }

  /** Finds the first staged rows whose number an earlier row has. */
  findRepeated(transaction: Transaction): Promise<RepeatedNumber[]> {
    return transaction.query(FIND_REPEATED, {});
  }

  find(campaignId: string, phoneNumber: string, { manager }: Transaction): Promise<CampaignRecipient | null> {
    return manager.findOneBy(CampaignRecipient, { campaignId, phoneNumber });
  }

  /** Marks a recipient for removal after the call in progress. */
  async markRemoved(campaignId: string, phoneNumber: string, { manager }: Transaction): Promise<void> {
    await manager.update(CampaignRecipient, { campaignId, phoneNumber }, { removed: true });
  }

  async countStaged(workspaceId: string, transaction: Transaction): Promise<StagedNumbers> {
    return (await transaction.query(COUNT_STAGED, { workspaceId }))[0] as StagedNumbers;
  }

  /** Finds the first staged recipients that can be called. */
  firstStaged(workspaceId: string, transaction: Transaction): Promise<StagedRecipient[]> {
    return transaction.query(FIRST_STAGED, { workspaceId });
  }

  /** Finds the names of the variables that have a value in the file. */
  async stagedVariables(transaction: Transaction): Promise<string[]> {
    const [staged] = await transaction.query(STAGED_VARIABLES, {});
    return staged ? [...staged.names, ...(staged.hasNames ? ['customer_name'] : [])] : [];
  }

  /**
   * Finds as many recipients as may be called now. The next methods require the lock of the campaign, as this one
   * does.
   */
  findNext(next: NextRecipients, transaction: Transaction): Promise<NextRecipient[]> {
    return transaction.query(NEXT_RECIPIENTS, next);
  }

  /**
   * Moves recipients to `calling`, and uses up the rate of the campaign.
   * @throws Error if one of them is being called
   */
  async markCalled(called: CalledRecipients, transaction: Transaction): Promise<void> {
    const { campaignId, numbers } = called;
    const marked = await transaction.query(CALL, called);
    if (marked.length !== numbers.length) throw new Error('A recipient was already called.');
    await transaction.query(USE_RATE, { campaignId, calls: numbers.length });
  }

  /** @returns how many recipients were skipped: those that waited for a call */
  async skip(
    skipped: { campaignId: string; numbers: string[]; reason: SkipReason },
    transaction: Transaction,
  ): Promise<number> {
    return (await transaction.query(SKIP, skipped)).length;
  }

  /** @param skipped why the recipients are not called again; null: they are called again */
  async takeBack(
    campaignId: string,
    conversationIds: string[],
    skipped: SkipReason | null,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(TAKE_BACK, { campaignId, conversationIds, skipped });
  }

  /** Decides what becomes of a batch of recipients whose calls have ended. */
  async settle(campaignId: string, transaction: Transaction): Promise<Moved> {
    return toMoved(await transaction.query(SETTLE, { campaignId }));
  }

  /** Finishes a batch of the recipients that wait for a call, without another call. */
  async finishRest(campaignId: string, reason: SkipReason, transaction: Transaction): Promise<Moved> {
    return toMoved(await transaction.query(FINISH_REST, { campaignId, reason }));
  }

  /** Finishes the recipients with these numbers that wait for a call, without another call. */
  async finish(
    finished: { campaignId: string; numbers: string[]; reason: SkipReason },
    transaction: Transaction,
  ): Promise<Moved> {
    return toMoved(await transaction.query(FINISH_NUMBERS, finished));
  }

  /**
   * Applies a changed policy to a batch of the recipients that wait for another attempt.
   * @param after the last number of the batch before; '': the first batch
   * @returns `last`: null after the last batch
   */
  async decideAgain(
    campaignId: string,
    after: string,
    transaction: Transaction,
  ): Promise<Moved & { last: string | null }> {
    const rows = await transaction.query(DECIDE_AGAIN, { campaignId, after });
    return { ...toMoved(rows), last: rows[0]?.last ?? null };
  }

  async setOutcomes(
    campaignId: string,
    outcomes: Record<string, number>,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(SET_OUTCOMES, { campaignId, outcomes: JSON.stringify(outcomes) });
  }
}
