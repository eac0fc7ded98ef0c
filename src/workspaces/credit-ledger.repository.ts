import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database';
import { CreditEntry, ENTRY_KIND } from './credit-entry.entity';

/** Calls write their entries in the statements that accept and end them. */
@Injectable()
export class CreditLedgerRepository {
  async insertGrant(workspaceId: string, amount: number, { manager }: Transaction): Promise<void> {
    await manager.insert(CreditEntry, { workspaceId, kind: ENTRY_KIND.grant, amount });
  }
}
