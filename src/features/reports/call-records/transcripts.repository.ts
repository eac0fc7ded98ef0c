import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '../../../platform/database/database';
import type { CallId } from '../filter/call-filter';
import {
  BATCH_TURNS,
  FIND_TRANSCRIPT,
  type FoundTurn,
  READ_TURNS,
  type TranscriptState,
} from './transcripts.sql';

export type { FoundTurn, TranscriptState };

/** Reads the transcripts of calls. */
@Injectable()
export class TranscriptsRepository {
  constructor(private readonly database: Database) {}

  /** @returns undefined if there is no such call */
  async find(id: CallId): Promise<TranscriptState | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_TRANSCRIPT, id))[0] : undefined;
  }

  /** Reads all turns in batches, in their order, each by a short statement. */
  async *turns(callId: string): AsyncGenerator<FoundTurn[], void> {
    let after: number | null = null;
    for (;;) {
      const turns: FoundTurn[] = await this.database.query(READ_TURNS, { callId, after });
      const last = turns.at(-1);
      if (!last) return;
      yield turns;
      if (turns.length < BATCH_TURNS) return;
      after = last.sequence;
    }
  }
}
