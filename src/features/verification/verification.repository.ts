import { Injectable } from '@nestjs/common';
import {
  CHECK_BALANCE,
  COMPARE_BALANCES,
  EXTEND_TIME_LIMIT,
  FIND_LEDGER_END,
  type LedgerSum,
  SUM_LEDGER,
} from '../../accounts/workspaces/invariants.sql';
import { Database } from '../../platform/database/database';
import {
  BEFORE_ALL,
  type CheckedPage,
  type InvariantStatement,
  type Violation,
} from '../../platform/database/invariant';
import { jsonRows } from '../../platform/database/statement';
import {
  CHECK_CALLS_UNDER_WAY,
  CHECK_CLAIMS,
  CHECK_ENDS,
  CHECK_SETTLEMENTS,
} from '../calls/lifecycle/invariants.sql';
import { CHECK_RECIPIENTS } from '../campaigns/recipients/invariants.sql';
import { CHECK_REHEARSALS } from '../rehearsals/runs/invariants.sql';
import { CHECK_INVOCATIONS } from '../tool-invocations/invariants.sql';
import { CHECK_WEBHOOKS } from '../webhooks/invariants.sql';

const CHECKS = {
  settlements: CHECK_SETTLEMENTS,
  claims: CHECK_CLAIMS,
  ends: CHECK_ENDS,
  calls_under_way: CHECK_CALLS_UNDER_WAY,
  recipients: CHECK_RECIPIENTS,
  webhooks: CHECK_WEBHOOKS,
  'tools.settled': CHECK_INVOCATIONS,
  'rehearsals.apart': CHECK_REHEARSALS,
} satisfies Record<string, InvariantStatement>;

export type InvariantName = keyof typeof CHECKS;

export const INVARIANT_NAMES = Object.keys(CHECKS) as InvariantName[];

/** Checks the invariants of docs/promise.md, of one workspace or of all. The operator and the server itself use it. */
@Injectable()
export class VerificationRepository {
  constructor(private readonly database: Database) {}

  /** Checks a page of rows. @param after the last id of the page before */
  async checkPage(
    name: InvariantName,
    { workspaceId, after }: { workspaceId: string | undefined; after: string },
  ): Promise<CheckedPage> {
    const [page] = await this.database.query(CHECKS[name], { workspaceId: workspaceId ?? null, after });
    return page ?? { checked: 0, last: null, violations: [] };
  }

  /** @returns the id of the newest entry of the ledger before which none is inserted any more */
  async findLedgerEnd(): Promise<string> {
    return (await this.database.query(FIND_LEDGER_END, {}))[0]?.id ?? '0';
  }

  /** Sums up a step of the ledger, up to its end. @param after the last entry of the step before */
  async sumLedger(step: {
    workspaceId: string | null;
    after: string;
    end: string;
  }): Promise<{ last: string | null; sums: LedgerSum[] }> {
    return (await this.database.query(SUM_LEDGER, step))[0] ?? { last: null, sums: [] };
  }

  /** @returns the number of workspaces, and those whose balance is to be checked by itself */
  async compareBalances(
    workspaceId: string | null,
    end: string,
    sums: LedgerSum[],
  ): Promise<{ checked: number; different: string[] }> {
    const given = { workspaceId, end, sums: jsonRows(sums) };
    return (await this.database.query(COMPARE_BALANCES, given))[0] ?? { checked: 0, different: [] };
  }

  /** Reads the whole ledger of a workspace. */
  checkBalance(workspaceId: string): Promise<Violation[]> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(EXTEND_TIME_LIMIT, {});
      const [page] = await transaction.query(CHECK_BALANCE, { workspaceId, after: BEFORE_ALL });
      return page?.violations ?? [];
    });
  }
}
