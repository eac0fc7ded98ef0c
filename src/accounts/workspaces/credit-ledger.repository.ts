import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import type { Page } from '../../platform/database/workspace.repository';
import { offsetOf, type PageQuery } from '../../platform/http/pagination';
import { CreditEntry, ENTRY_KIND } from './credit-entry.entity';
import { LIST_ENTRIES, type ListedEntry } from './credit-ledger.sql';

export type { ListedEntry };

/** Calls write their entries in the statements that accept and end them. */
@Injectable()
export class CreditLedgerRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(workspaceId: string, query: PageQuery): Promise<Page<ListedEntry>> {
    const page = { offset: offsetOf(query), limit: query.limit };
    const rows = await this.database.query(LIST_ENTRIES, { workspaceId, ...page });
    const entries = rows.filter((row): row is { total: number } & ListedEntry => row.id !== null);
    return { rows: entries, total: rows[0]?.total ?? 0 };
  }

  async insertGrant(workspaceId: string, amount: number, { manager }: Transaction): Promise<void> {
    await manager.insert(CreditEntry, { workspaceId, kind: ENTRY_KIND.grant, amount });
  }
}
