import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { CreditEntry } from './credit-entry.entity';
import { User } from './user.entity';
import { type SubscriptionStatus, Workspace } from './workspace.entity';
import { creditsOutOfRange, workspaceNotFound } from './workspaces.errors';

/** The largest balance and the largest single grant. */
export const MAX_CREDITS = 1_000_000_000;

interface NewWorkspace {
  name: string;
  credits: number;
  subscribed: boolean;
}

interface CreatedWorkspace {
  workspaceId: string;
  userId: string;
}

/** Workspaces themselves, to which no scoped repository leads: a request may name its credential's own only. */
@Injectable()
export class WorkspacesService {
  constructor(private readonly dataSource: DataSource) {}

  /** A workspace with its first user and its first credits. */
  create(input: NewWorkspace): Promise<CreatedWorkspace> {
    return this.dataSource.transaction((manager) => this.insert(manager, input));
  }

  /** The same where there is no workspace yet, else null; of several servers that start at once, one makes it. */
  createFirst(input: NewWorkspace): Promise<CreatedWorkspace | null> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('first workspace'))`);
      return (await manager.exists(Workspace)) ? null : this.insert(manager, input);
    });
  }

  /** The balance after `amount` was granted. */
  async addCredits(workspaceId: string, amount: number): Promise<{ credits: number }> {
    assertAmount(amount);
    return this.dataSource.transaction(async (manager) => {
      const workspace = await manager.findOne(Workspace, {
        where: { id: asId(workspaceId) },
        lock: { mode: 'for_no_key_update' },
      });
      if (!workspace) throw workspaceNotFound(workspaceId);
      const credits = workspace.credits + amount;
      if (credits > MAX_CREDITS) throw creditsOutOfRange();
      await manager.update(Workspace, workspaceId, { credits });
      await manager.insert(CreditEntry, { workspaceId, kind: 'grant', amount });
      return { credits };
    });
  }

  async setSubscription(workspaceId: string, subscriptionStatus: SubscriptionStatus): Promise<void> {
    const { affected } = await this.dataSource.manager.update(Workspace, asId(workspaceId), {
      subscriptionStatus,
    });
    if (affected !== 1) throw workspaceNotFound(workspaceId);
  }

  /** Suspending again keeps the time of the first one. */
  async setSuspended(workspaceId: string, isSuspended: boolean): Promise<void> {
    const { affected } = await this.dataSource.manager.update(Workspace, asId(workspaceId), {
      suspendedAt: () => (isSuspended ? 'COALESCE(suspended_at, now())' : 'NULL'),
    });
    if (affected !== 1) throw workspaceNotFound(workspaceId);
  }

  async get(workspaceId: string): Promise<Workspace> {
    const workspace = await this.dataSource.manager.findOneBy(Workspace, { id: asId(workspaceId) });
    if (!workspace) throw workspaceNotFound(workspaceId);
    return workspace;
  }

  /** The workspace's first user, who owns what is made without naming one. */
  async ownerOf(workspaceId: string): Promise<string> {
    const user = await this.dataSource.manager.findOne(User, {
      where: { workspaceId: asId(workspaceId) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    if (!user) throw workspaceNotFound(workspaceId);
    return user.id;
  }

  private async insert(manager: EntityManager, input: NewWorkspace): Promise<CreatedWorkspace> {
    assertAmount(input.credits);
    const workspaceId = uuidv7();
    await manager.insert(Workspace, {
      id: workspaceId,
      name: input.name,
      subscriptionStatus: input.subscribed ? 'active' : 'inactive',
      credits: input.credits,
    });
    const userId = uuidv7();
    await manager.insert(User, { id: userId, workspaceId });
    if (input.credits > 0) {
      await manager.insert(CreditEntry, { workspaceId, kind: 'grant', amount: input.credits });
    }
    return { workspaceId, userId };
  }
}

function assertAmount(amount: number) {
  if (!Number.isInteger(amount) || amount < 0 || amount > MAX_CREDITS) throw creditsOutOfRange();
}

function asId(workspaceId: string) {
  if (!isUUID(workspaceId)) throw workspaceNotFound(workspaceId);
  return workspaceId;
}
