import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config';
import { Database, type Transaction } from '../database/database';
import { type Counted, isMaximum, MAXIMUMS, QUOTA_DEFAULTS, QUOTA_NAMES, type QuotaName } from './quotas';
import { QuotasRepository } from './quotas.repository';
import { quotaReached, workspaceNotFound } from './workspaces.errors';

export interface Room {
  limit: number;
  used: number;
}

export interface ShownQuota {
  /** null: unlimited. */
  limit: number | null;
  /** Missing if it is not counted. */
  used?: number;
  setBy: 'operator' | 'default';
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
   * @throws 403 where the quota is reached
   */
  creating<Result>(
    workspaceId: string,
    counted: Counted,
    create: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await this.assertRoom(workspaceId, counted, transaction);
      return create(transaction);
    });
  }

  /**
   * Until the transaction ends, no other one creates more of it in the workspace.
   * @param wanted how many the transaction creates
   * @throws 403 where the quota is reached
   */
  async assertRoom(
    workspaceId: string,
    counted: Counted,
    transaction: Transaction,
    wanted = 1,
  ): Promise<void> {
    const room = await this.roomFor(workspaceId, counted, transaction);
    if (room.used + wanted > room.limit) throw quotaReached(counted, room, wanted);
  }

  /** The same without the comparison. */
  async roomFor(workspaceId: string, counted: Counted, transaction: Transaction): Promise<Room> {
    await this.quotas.lock(workspaceId, counted, transaction);
    // A statement after the lock sees all that was committed before it.
    const quota = await this.quotas.find(workspaceId, counted, transaction);
    if (!quota) throw workspaceNotFound(workspaceId);
    const limit = isMaximum(counted)
      ? MAXIMUMS[counted]
      : (quota.limit ?? QUOTA_DEFAULTS[counted](this.config));
    return { limit, used: quota.used ?? 0 };
  }

  /** @param limit null: the default */
  async set(workspaceId: string, name: QuotaName, limit: number | null): Promise<void> {
    if (!(await this.quotas.set(workspaceId, name, limit))) throw workspaceNotFound(workspaceId);
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
