import { Injectable } from '@nestjs/common';
import { CallDeletionRepository } from '../calls/call-deletion.repository';
import { RecipientErasure } from '../campaigns/recipient-erasure';
import { Database } from '../database/database';
import type { RetentionDto } from './retention.dto';
import { RetentionRepository, type Step, type Walked } from './retention.repository';

@Injectable()
export class RetentionService {
  constructor(
    private readonly retention: RetentionRepository,
    private readonly calls: CallDeletionRepository,
    private readonly recipients: RecipientErasure,
    private readonly database: Database,
  ) {}

  async get(workspaceId: string): Promise<RetentionDto> {
    const days = await this.retention.find(workspaceId);
    return {
      transcripts_days: days?.transcriptsDays ?? null,
      recordings_days: days?.recordingsDays ?? null,
      calls_days: days?.callsDays ?? null,
    };
  }

  set(workspaceId: string, body: RetentionDto): Promise<RetentionDto> {
    const { transcripts_days, recordings_days, calls_days } = body;
    const days = {
      transcriptsDays: transcripts_days,
      recordingsDays: recordings_days,
      callsDays: calls_days,
    };
    return this.database.transaction(async (transaction) => {
      if (!(await this.retention.set(workspaceId, days, transaction))) transaction.change = null;
      return { transcripts_days, recordings_days, calls_days };
    });
  }

  /** Deletes the next calls that are due, with all that hangs on them. */
  deleteCalls(step: Step): Promise<Walked> {
    return this.database.transaction(async (transaction) => {
      const { ids, firstTime, ...walked } = await this.retention.lockDueCalls(step, transaction);
      const { lastTime } = walked;
      if (ids.length === 0 || firstTime === null || lastTime === null) return walked;
      await this.recipients.forgetCalls(step.workspaceId, ids, transaction);
      const calls = { ids, from: firstTime, to: lastTime };
      await this.calls.delete(step.workspaceId, calls, transaction);
      return walked;
    });
  }
}
