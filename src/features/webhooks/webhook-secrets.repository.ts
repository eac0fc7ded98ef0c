import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import {
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

  /** null: the workspace has none yet. */
  async find(workspaceId: string): Promise<ValidSecrets | null> {
    const [secrets] = await this.database.query(FIND_SECRETS, { workspaceId });
    return secrets ?? null;
  }

  /** Does nothing if the workspace has a secret. */
  async insertFirst(workspaceId: string, secret: string): Promise<void> {
    await this.database.query(INSERT_FIRST_SECRET, { workspaceId, secret });
  }

  /** Drops the secret before the current one, which stays valid for some hours. */
  async rotate(
    workspaceId: string,
    next: { secret: string; overlapHours: number },
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(ROTATE_SECRET, { workspaceId, ...next });
  }

  async deleteExpired(): Promise<void> {
    await this.database.query(DELETE_EXPIRED_SECRETS, {});
  }
}
