import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { Database, type Transaction } from '../database/database';
import { CONFIG, type Config } from '../config';
import { type Counted, isMaximum, MAXIMUMS, QUOTA_NAMES, QUOTAS, type QuotaName } from './quotas';
import { limitAndUsed, LOCK_QUOTA, setQuota, SHOW_QUOTA } from './quotas.sql';
import { quotaReached, workspaceNotFound } from './workspaces.errors';

export interface Room {
  limit: number;
  used: number;
}

export interface ShownQuota {
  /** null: unlimited. */
  limit: number | null;
  /** Not there where it is not counted. */
  used?: number;
  setBy: 'operator' | 'default';
}

/** What pg returns of a bigint. */
type Numeric = string | number | null;

@Injectable()
export class QuotasService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates something that a quota counts, in a transaction of its own.
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
   * Within the transaction that creates something: until it ends, no other one creates more of it in the workspace.
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
  async roomFor(workspaceId: string, counted: Counted, { manager }: Transaction): Promise<Room> {
    await manager.query(LOCK_QUOTA, [workspaceId, counted]);
    const limit = isMaximum(counted) ? MAXIMUMS[counted].limit : QUOTAS[counted].default(this.config);
    const [row] = await manager.query<{ limit: Numeric; used: Numeric }[]>(limitAndUsed(counted), [
      workspaceId,
      limit,
    ]);
    if (!row) throw workspaceNotFound(workspaceId);
    return { limit: Number(row.limit), used: Number(row.used) };
  }

  /** @param limit null: the default */
  async set(workspaceId: string, name: QuotaName, limit: number | null): Promise<void> {
    const id = isUUID(workspaceId) ? workspaceId : null;
    const [rows] = await this.dataSource.query<[object[], number]>(setQuota(name), [id, limit]);
    if (rows.length === 0) throw workspaceNotFound(workspaceId);
  }

  async list(workspaceId: string): Promise<Record<QuotaName, ShownQuota>> {
    const entries: [QuotaName, ShownQuota][] = [];
    for (const name of QUOTA_NAMES) entries.push([name, await this.show(workspaceId, name)]);
    return Object.fromEntries(entries) as Record<QuotaName, ShownQuota>;
  }

  async show(workspaceId: string, name: QuotaName): Promise<ShownQuota> {
    const [row] = await this.dataSource.query<{ limit: Numeric; used: Numeric }[]>(SHOW_QUOTA(name), [
      isUUID(workspaceId) ? workspaceId : null,
    ]);
    if (!row) throw workspaceNotFound(workspaceId);
    return {
      limit: row.limit === null ? QUOTAS[name].default(this.config) : Number(row.limit),
      ...(row.used !== null && { used: Number(row.used) }),
      setBy: row.limit === null ? 'default' : 'operator',
    };
  }
}
