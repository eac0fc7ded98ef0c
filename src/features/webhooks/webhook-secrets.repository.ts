import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import {
  DELETE_EXPIRED_ENDPOINT_SECRETS,
  DELETE_EXPIRED_SECRETS,
  FIND_SECRETS,
  INSERT_FIRST_SECRET,
  ROTATE_SECRET,
  type ValidSecrets,
} from './webhook-secrets.sql';

export type { ValidSecrets };

@Injectable()
export class WebhookSecretsRepository {
  constructor(private readonly database: Database) {}

  /** @returns null if the workspace has no secret yet */
  async find(workspaceId: string): Promise<ValidSecrets | null> {
    const [secrets] = await this.database.query(FIND_SECRETS, { workspaceId });
    return secrets ?? null;
  }

  /** Inserts the first secret. It does nothing if the workspace has one. */
  async insertFirst(workspaceId: string, secret: string): Promise<void> {
    await this.database.query(INSERT_FIRST_SECRET, { workspaceId, secret });
  }

  /** Replaces the current secret, which stays valid for some hours, and drops the one before it. */
  async rotate(
    workspaceId: string,
    next: { secret: string; overlapHours: number },
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(ROTATE_SECRET, { workspaceId, ...next });
  }

  async deleteExpired(): Promise<void> {
    await this.database.query(DELETE_EXPIRED_SECRETS, {});
    await this.database.query(DELETE_EXPIRED_ENDPOINT_SECRETS, {});
  }
}
