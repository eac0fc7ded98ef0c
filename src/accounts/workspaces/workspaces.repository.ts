import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { lockWorkspace } from './lock-workspace';
import { User } from './user.entity';
import { type SubscriptionStatus, Workspace } from './workspace.entity';

/** Workspaces and their users. A malformed id is treated as one that does not exist. */
@Injectable()
export class WorkspacesRepository {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Workspace | null> {
    return isUUID(id) ? this.database.manager.findOneBy(Workspace, { id }) : null;
  }

  /** Locks the row until the transaction ends. */
  async findLocked(id: string, transaction: Transaction): Promise<Workspace | null> {
    if (!isUUID(id)) return null;
    await lockWorkspace(id, transaction);
    return transaction.manager.findOne(Workspace, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  exists({ manager }: Queryable): Promise<boolean> {
    return manager.exists(Workspace);
  }

  /** Locks the creation of the first workspace until the transaction ends. */
  lockFirst(transaction: Transaction): Promise<void> {
    return transaction.lock('first workspace');
  }

  async insert(
    values: Pick<Workspace, 'name' | 'subscriptionStatus' | 'credits'>,
    { manager }: Transaction,
  ): Promise<string> {
    const id = uuidv7();
    await manager.insert(Workspace, { ...values, id });
    return id;
  }

  async insertUser(workspaceId: string, { manager }: Transaction): Promise<string> {
    const id = uuidv7();
    await manager.insert(User, { id, workspaceId });
    return id;
  }

  /** null: there is no such workspace. */
  async findFirstUser(workspaceId: string): Promise<User | null> {
    if (!isUUID(workspaceId)) return null;
    return this.database.manager.findOne(User, {
      where: { workspaceId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  async updateCredits(id: string, credits: number, { manager }: Transaction): Promise<void> {
    await manager.update(Workspace, id, { credits });
  }

  async updateSubscription(
    id: string,
    subscriptionStatus: SubscriptionStatus,
    { manager }: Transaction,
  ): Promise<void> {
    await manager.update(Workspace, id, { subscriptionStatus });
  }

  /** Suspends a workspace or ends its suspension. An existing suspension keeps its time. */
  async updateSuspended(id: string, isSuspended: boolean, { manager }: Transaction): Promise<void> {
    await manager.update(Workspace, id, {
      suspendedAt: () => (isSuspended ? 'COALESCE(suspended_at, now())' : 'NULL'),
    });
  }
}
