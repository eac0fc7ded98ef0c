import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { FIND_TRACEPARENT } from './find-traceparent.sql';

@Injectable()
export class CallTracesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the `traceparent` that is stored with a call; '': there is none. */
  async find(conversationId: string): Promise<string> {
    const [call] = await this.database.query(FIND_TRACEPARENT, { conversationId });
    return call?.traceparent ?? '';
  }
}
