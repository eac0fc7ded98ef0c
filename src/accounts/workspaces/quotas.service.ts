import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { Database, type Transaction } from '../../platform/database/database';
import {
  type QuotaResource,
  isMaximum,
  MAXIMUMS,
  QUOTA_DEFAULTS,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaSource,
} from './quotas';
import { QuotasRepository } from './quotas.repository';
import { quotaReached, workspaceNotFound } from './workspaces.errors';

export interface QuotaUsage {
  limit: number;
  used: number;
}

export interface ShownQuota {
  /** null: unlimited. */
  limit: number | null;
  /** Missing if the usage is not counted. */
  used?: number;
  setBy: QuotaSource;
}

@Injectable()
export class QuotasService {
  constructor(
    private readonly quotas: QuotasRepository,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates something that a quota counts, in its own transaction.
   * @throws 403 if the quota is reached
   */
  createWithinQuota<Result>(
    workspaceId: string,
    resource: QuotaResource,
    create: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await this.assertWithinQuota(workspaceId, resource, transaction);
      return create(transaction);
    });
  }

  /**
   * Locks the quota until the transaction ends, so that concurrent creations cannot exceed it together.
   * @param wanted how many the transaction creates
   * @throws 403 if the quota is reached
   */
  async assertWithinQuota(
    workspaceId: string,
    resource: QuotaResource,
    transaction: Transaction,
    wanted = 1,
  ): Promise<void> {
    const usage = await this.lockedUsage(workspaceId, resource, transaction);
    if (usage.used + wanted > usage.limit) throw quotaReached(resource, usage, wanted);
  }

  /** Locks the quota until the transaction ends, before the rows that the transaction locks. */
  lock(workspaceId: string, resource: QuotaResource, transaction: Transaction): Promise<void> {
    return this.quotas.lock(workspaceId, resource, transaction);
  }

  /** Locks the quota like {@link assertWithinQuota}, without a comparison. */
  async lockedUsage(
    workspaceId: string,
    resource: QuotaResource,
    transaction: Transaction,
  ): Promise<QuotaUsage> {
    await this.quotas.lock(workspaceId, resource, transaction);
    // A statement after the lock sees all that was committed before it.
    const quota = await this.quotas.find(workspaceId, resource, transaction);
    if (!quota) throw workspaceNotFound(workspaceId);
    const limit = isMaximum(resource)
      ? MAXIMUMS[resource]
      : (quota.limit ?? QUOTA_DEFAULTS[resource](this.config));
    return { limit, used: quota.used ?? 0 };
  }

  /** @param limit null: the default */
  async set(workspaceId: string, name: QuotaName, limit: number | null): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await this.quotas.set(workspaceId, { name, limit }, transaction))) {
        throw workspaceNotFound(workspaceId);
      }
      transaction.change = { quota: name, limit };
    });
  }

  async list(workspaceId: string): Promise<Record<QuotaName, ShownQuota>> {
    const entries: [QuotaName, ShownQuota][] = [];
    for (const name of QUOTA_NAMES) entries.push([name, await this.show(workspaceId, name)]);
    return Object.fromEntries(entries) as Record<QuotaName, ShownQuota>;
  }

  async show(workspaceId: string, name: QuotaName): Promise<ShownQuota> {
    const quota = await this.quotas.find(workspaceId, name);
    if (!quota) throw workspaceNotFound(workspaceId);
    return {
      limit: quota.limit ?? QUOTA_DEFAULTS[name](this.config),
      ...(quota.used !== null && { used: quota.used }),
      setBy: quota.limit === null ? 'default' : 'operator',
    };
  }
}
