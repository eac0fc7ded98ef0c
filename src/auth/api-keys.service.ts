import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../common/access';
import type { PageQuery } from '../common/pagination';
import { type Statement, Sql } from '../database/sql';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { QuotasService } from '../workspaces/quotas.service';
import { ApiKey } from './api-key.entity';
import { presentApiKey } from './auth.presenter';
import { apiKeyNotFound, expiryInThePast } from './auth.errors';

/** Lets a leaked key be recognised, by people and by secret scanners. */
const PREFIX = 'parley_';

const FIND_VALID_KEY: Statement = {
  name: 'find-valid-api-key',
  text: `SELECT id, workspace_id, user_id, scopes FROM api_keys
         WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
};

const hashOf = (apiKey: string) => createHash('sha256').update(apiKey).digest();

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectScoped(ApiKey) private readonly keys: WorkspaceScopedRepository<ApiKey>,
    private readonly quotas: QuotasService,
    private readonly sql: Sql,
  ) {}

  async create(workspaceId: string, userId: string, limits: { scope?: string[]; expires?: Date } = {}) {
    if (limits.expires && limits.expires.getTime() <= Date.now()) throw expiryInThePast();
    const apiKey = PREFIX + randomBytes(32).toString('base64url');
    const row = {
      userId,
      hash: hashOf(apiKey),
      hint: apiKey.slice(-4),
      scopes: limits.scope ?? null,
      expiresAt: limits.expires ?? null,
    };
    const { id } = await this.quotas.creating(workspaceId, 'api_keys', (manager) =>
      this.keys.insert(workspaceId, row, manager),
    );
    return { keyId: id, apiKey };
  }

  list(workspaceId: string, page: PageQuery) {
    const newestFirst = this.keys
      .query(workspaceId, 'key')
      .orderBy('key.createdAt', 'DESC')
      .addOrderBy('key.id', 'DESC');
    return pageOf(newestFirst, page, presentApiKey);
  }

  /** Revoking twice changes nothing. */
  async revoke(workspaceId: string, keyId: string): Promise<void> {
    const key = await this.keys.update(workspaceId, keyId, (row) => {
      row.revokedAt ??= new Date();
    });
    if (!key) throw apiKeyNotFound();
  }

  async authenticate(apiKey: string): Promise<Caller | undefined> {
    const [key] = await this.sql.run<{
      id: string;
      workspace_id: string;
      user_id: string;
      scopes: string[] | null;
    }>(FIND_VALID_KEY, [hashOf(apiKey)]);
    return (
      key && {
        workspaceId: key.workspace_id,
        userId: key.user_id,
        scopes: key.scopes ?? undefined,
        credential: key.id,
      }
    );
  }
}
