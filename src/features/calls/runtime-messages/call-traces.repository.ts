import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { CallTrace } from './call-trace';
import { FIND_CALL_TRACE } from './find-call-trace.sql';

@Injectable()
export class CallTracesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the trace of a call; undefined: it has none. */
  async find(conversationId: string): Promise<CallTrace | undefined> {
    const [call] = await this.database.query(FIND_CALL_TRACE, { conversationId });
    return call;
  }
}
