import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { StatementBatcher } from '../../platform/database/statement-batcher';
import { type CallCredential, CallCredentialStatements } from './call-credentials.sql';

@Injectable()
export class CallCredentialsRepository {
  private readonly lookups = new StatementBatcher((ids: string[]) => this.findAll(ids), { readOnly: true });

  constructor(
    private readonly database: Database,
    private readonly statements: CallCredentialStatements,
  ) {}

  /** Look-ups that wait share a statement. @returns undefined if the runtime of the call may not use the API now */
  find(conversationId: string): Promise<CallCredential | undefined> {
    return this.lookups.add(conversationId, conversationId);
  }

  private async findAll(ids: string[]): Promise<(CallCredential | undefined)[]> {
    const rows = await this.database.query(this.statements.find, { ids });
    const calls = new Map(rows.map((call) => [call.id, call]));
    return ids.map((id) => calls.get(id));
  }
}
