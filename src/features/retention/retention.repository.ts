import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import {
  CLEAR_RECORDINGS,
  CLEAR_TRANSCRIPTS,
  COUNT_DUE,
  type DueCalls,
  type DueCounts,
  FIND_KEPT_WORKSPACES,
  FIND_RETENTION,
  type KeptWorkspace,
  LOCK_DUE_CALLS,
  type RetentionDays,
  SAVE_RECORDINGS_UNTIL,
  SAVE_TRANSCRIPTS_UNTIL,
  SET_RETENTION,
  type Step,
  type Walked,
} from './retention.sql';

export type { KeptWorkspace, RetentionDays, Step, Walked };

@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** @returns undefined if the retention was never set */
  async find(workspaceId: string, queryable: Queryable = this.database): Promise<RetentionDays | undefined> {
    return (await queryable.query(FIND_RETENTION, { workspaceId }))[0];
  }

  /** Counts the data that is due now by these times. */
  async countDue(workspaceId: string, days: RetentionDays): Promise<DueCounts> {
    return (await this.database.query(COUNT_DUE, { workspaceId, ...days }))[0] as DueCounts;
  }

  /** @returns whether something has changed */
  async set(workspaceId: string, days: RetentionDays, transaction: Transaction): Promise<boolean> {
    return (await transaction.query(SET_RETENTION, { workspaceId, ...days })).length > 0;
  }

  /** Finds the workspaces that do not keep everything. */
  findWorkspaces(): Promise<KeptWorkspace[]> {
    return this.database.query(FIND_KEPT_WORKSPACES, {});
  }

  async clearTranscripts(step: Step): Promise<Walked> {
    return (await this.database.query(CLEAR_TRANSCRIPTS, step))[0] as Walked;
  }

  async clearRecordings(step: Step): Promise<Walked> {
    return (await this.database.query(CLEAR_RECORDINGS, step))[0] as Walked;
  }

  async saveTranscriptsUntil(workspaceId: string, revision: number, until: string): Promise<void> {
    await this.database.query(SAVE_TRANSCRIPTS_UNTIL, { workspaceId, revision, until });
  }

  async saveRecordingsUntil(workspaceId: string, revision: number, until: string): Promise<void> {
    await this.database.query(SAVE_RECORDINGS_UNTIL, { workspaceId, revision, until });
  }

  async lockDueCalls(step: Step, transaction: Transaction): Promise<Walked & DueCalls> {
    return (await transaction.query(LOCK_DUE_CALLS, step))[0] as Walked & DueCalls;
  }
}
