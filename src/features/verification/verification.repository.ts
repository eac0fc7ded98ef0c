import { Injectable } from '@nestjs/common';
import { CHECK_BALANCES } from '../../accounts/workspaces/invariants.sql';
import { Database } from '../../platform/database/database';
import type { CheckedPage, InvariantStatement } from '../../platform/database/invariant';
import { CHECK_CALLS_UNDER_WAY, CHECK_CLAIMS, CHECK_SETTLEMENTS } from '../calls/lifecycle/invariants.sql';
import { CHECK_RECIPIENTS } from '../campaigns/recipients/invariants.sql';
import { CHECK_INVOCATIONS } from '../tool-invocations/invariants.sql';
import { CHECK_WEBHOOKS } from '../webhooks/invariants.sql';

const CHECKS = {
  balances: CHECK_BALANCES,
  settlements: CHECK_SETTLEMENTS,
  claims: CHECK_CLAIMS,
  calls_under_way: CHECK_CALLS_UNDER_WAY,
  recipients: CHECK_RECIPIENTS,
  webhooks: CHECK_WEBHOOKS,
  'tools.settled': CHECK_INVOCATIONS,
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
}
