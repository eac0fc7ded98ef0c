import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Database } from '../../platform/database/database';
import { type ValidSecrets, WebhookSecretsRepository } from './webhook-secrets.repository';

/** Makes a secret in the form of the Standard Webhooks specification. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The secrets that sign the webhooks of a workspace: one, and during a rotation the previous one. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly secrets: WebhookSecretsRepository,
    private readonly database: Database,
  ) {}

  /** Returns the secrets, and creates the first one at its first use. Concurrent requests get the same one. */
  async find(workspaceId: string): Promise<ValidSecrets> {
    const found = await this.secrets.find(workspaceId);
    if (found) return found;
    await this.secrets.insertFirst(workspaceId, newSecret());
    const inserted = await this.secrets.find(workspaceId);
    if (!inserted) throw new Error(`Workspace ${workspaceId} has no webhook secret.`);
    return inserted;
  }

  /** Makes a new secret. The current one stays valid for `overlapHours`. The previous one ends now. */
  async rotate(workspaceId: string, overlapHours: number): Promise<ValidSecrets> {
    await this.find(workspaceId);
    await this.database.transaction(async (transaction) => {
      await this.secrets.rotate(workspaceId, { secret: newSecret(), overlapHours }, transaction);
      transaction.change = { overlap_hours: overlapHours };
    });
    return this.find(workspaceId);
  }
}
