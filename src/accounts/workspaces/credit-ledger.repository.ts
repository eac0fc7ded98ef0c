import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import type { Page } from '../../platform/database/workspace.repository';
import { getOffset, type PageQuery } from '../../platform/http/pagination';
import { CreditEntry, ENTRY_KIND } from './credit-entry.entity';
import { LIST_ENTRIES, type ListedEntry } from './credit-ledger.sql';

export type { ListedEntry };

/** Reads the credit ledger. The statements that accept and end calls write its entries. */
@Injectable()
export class CreditLedgerRepository {
  constructor(private readonly database: Database) {}

  /** Lists the entries, newest first. */
  async list(workspaceId: string, query: PageQuery): Promise<Page<ListedEntry>> {
    const page = { offset: getOffset(query), limit: query.limit };
    const rows = await this.database.query(LIST_ENTRIES, { workspaceId, ...page });
    const entries = rows.filter((row): row is { total: number } & ListedEntry => row.id !== null);
    return { rows: entries, total: rows[0]?.total ?? 0 };
  }

  async insertGrant(workspaceId: string, amount: number, { manager }: Transaction): Promise<void> {
    await manager.insert(CreditEntry, { workspaceId, kind: ENTRY_KIND.grant, amount });
  }
}
