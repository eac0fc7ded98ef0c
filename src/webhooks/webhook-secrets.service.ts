import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Sql } from '../database/sql';
import { ADD_SECRET, FIND_SECRETS, ROTATE_SECRET, type Secrets } from './webhook-secrets.sql';

/** In the form of the Standard Webhooks specification. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The secrets that sign a workspace's webhooks: one, and while receivers change over the one before it. */
@Injectable()
export class WebhookSecretsService {
  constructor(private readonly sql: Sql) {}

  /** Makes the first one when it is first needed; two who need it at once get the same. */
  async find(workspaceId: string): Promise<Secrets> {
    const [found] = await this.sql.run<Secrets>(FIND_SECRETS, [workspaceId]);
    if (found) return found;
    await this.sql.run(ADD_SECRET, [workspaceId, newSecret()]);
    const [added] = await this.sql.run<Secrets>(FIND_SECRETS, [workspaceId]);
    if (!added) throw new Error(`The webhook secret of workspace ${workspaceId} is gone.`);
    return added;
  }

  /** The secret so far goes on signing for `overlapHours`; one before that ends now. */
  async rotate(workspaceId: string, overlapHours: number): Promise<Secrets> {
    await this.find(workspaceId);
    await this.sql.run(ROTATE_SECRET, [workspaceId, newSecret(), overlapHours]);
    return this.find(workspaceId);
  }
}
