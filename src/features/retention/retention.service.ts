import { Injectable } from '@nestjs/common';
import { CallRecordDeletionRepository } from '../reports/call-records/call-record-deletion.repository';
import { CallDeletionRepository } from '../calls/lifecycle/call-deletion.repository';
import { RecipientErasure } from '../campaigns/running/recipient-erasure';
import { Database } from '../../platform/database/database';
import type { RetentionDto, RetentionPreviewDto, RetentionPreviewQuery } from './retention.dto';
import { type RetentionDays, RetentionRepository, type Step, type Walked } from './retention.repository';

const presentDays = (days: RetentionDays | undefined): RetentionDto => ({
  transcripts_days: days?.transcriptsDays ?? null,
  recordings_days: days?.recordingsDays ?? null,
  calls_days: days?.callsDays ?? null,
});

@Injectable()
export class RetentionService {
  constructor(
    private readonly retention: RetentionRepository,
    private readonly records: CallRecordDeletionRepository,
    private readonly calls: CallDeletionRepository,
    private readonly recipients: RecipientErasure,
    private readonly database: Database,
  ) {}

  async get(workspaceId: string): Promise<RetentionDto> {
    return presentDays(await this.retention.find(workspaceId));
  }

  /** Counts the data that would be removed at once. */
  preview(workspaceId: string, query: RetentionPreviewQuery): Promise<RetentionPreviewDto> {
    const { transcripts_days = null, recordings_days = null, calls_days = null } = query;
    const days = {
      transcriptsDays: transcripts_days,
      recordingsDays: recordings_days,
      callsDays: calls_days,
    };
    return this.retention.countDue(workspaceId, days);
  }

  set(workspaceId: string, body: RetentionDto): Promise<RetentionDto> {
    const { transcripts_days, recordings_days, calls_days } = body;
    const days = {
      transcriptsDays: transcripts_days,
      recordingsDays: recordings_days,
      callsDays: calls_days,
    };
    return this.database.transaction(async (transaction) => {
      const before = await this.retention.find(workspaceId, transaction);
      const isChanged = await this.retention.set(workspaceId, days, transaction);
      transaction.change = isChanged ? { before: { ...presentDays(before) } } : null;
      return { transcripts_days, recordings_days, calls_days };
    });
  }

  /** Deletes the next calls that are due, with all rows that refer to them. */
  deleteCalls(step: Step): Promise<Walked> {
    return this.database.transaction(async (transaction) => {
      const { ids, firstTime, ...walked } = await this.retention.lockDueCalls(step, transaction);
      const { lastTime } = walked;
      if (ids.length === 0 || firstTime === null || lastTime === null) return walked;
      await this.recipients.unlinkCalls(step.workspaceId, ids, transaction);
      await this.records.delete(ids, transaction);
      const calls = { ids, from: firstTime, to: lastTime };
      await this.calls.delete(step.workspaceId, calls, transaction);
      return walked;
    });
  }
}
