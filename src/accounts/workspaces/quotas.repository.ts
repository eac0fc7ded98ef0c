import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { lockWorkspace } from './lock-workspace';
import type { QuotaResource, MaximumName, QuotaName } from './quotas';
import { QuotaStatements, SET_QUOTA } from './quotas.sql';

export interface Quota {
  /** The value that the operator set. null: the default. */
  limit: number | null;
  /** null: the usage is not counted. */
  used: number | null;
}

const toNumber = (value: number | string | null) => (value === null ? null : Number(value));

@Injectable()
export class QuotasRepository {
  constructor(
    private readonly database: Database,
    private readonly statements: QuotaStatements,
  ) {}

  /** Locks the quota of the workspace until the transaction ends. */
  lock(workspaceId: string, resource: QuotaResource, transaction: Transaction): Promise<void> {
    return transaction.lock(`quota ${resource} of ${workspaceId}`);
  }

  /** null: there is no such workspace. */
  async find(
    workspaceId: string,
    name: QuotaName | MaximumName,
    queryable: Queryable = this.database,
  ): Promise<Quota | null> {
    if (!isUUID(workspaceId)) return null;
    const [quota] = await queryable.query(this.statements.find[name], { workspaceId });
    return quota ? { limit: toNumber(quota.limit), used: toNumber(quota.used) } : null;
  }

  /**
   * @param quota its limit is null for the default
   * @returns false if there is no such workspace
   */
  async set(
    workspaceId: string,
    { name, limit }: { name: QuotaName; limit: number | null },
    transaction: Transaction,
  ): Promise<boolean> {
    if (!isUUID(workspaceId)) return false;
    await lockWorkspace(workspaceId, transaction);
    return (await transaction.query(SET_QUOTA[name], { workspaceId, limit })).length > 0;
  }
}
