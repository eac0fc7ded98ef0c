import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import type { Page } from '../../platform/database/workspace.repository';
import { getOffset, type PageQuery } from '../../platform/http/pagination';
import { CreditEntry, ENTRY_KIND } from './credit-entry.entity';
import { CreditStatements, type EntryFilter, type ListedEntry } from './credit-ledger.sql';

export type { EntryFilter, ListedEntry };

/** Reads the credit ledger. The statements that accept and end calls write its entries. */
@Injectable()
export class CreditLedgerRepository {
  constructor(
    private readonly database: Database,
    private readonly statements: CreditStatements,
  ) {}

  /** Lists the entries that match, newest first. */
  async list(workspaceId: string, filter: EntryFilter, query: PageQuery): Promise<Page<ListedEntry>> {
    const page = { offset: getOffset(query), limit: query.limit };
    const rows = await this.database.query(this.statements.list, { workspaceId, ...filter, ...page });
    const entries = rows.filter((row): row is { total: number } & ListedEntry => row.id !== null);
    return { rows: entries, total: rows[0]?.total ?? 0 };
  }

  async insertGrant(workspaceId: string, amount: number, { manager }: Transaction): Promise<void> {
    await manager.insert(CreditEntry, { workspaceId, kind: ENTRY_KIND.grant, amount });
  }
}
