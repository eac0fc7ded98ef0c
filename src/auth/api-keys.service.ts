import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { createHash, randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Caller } from '../http/access';
import type { PageQuery } from '../http/pagination';
import { CONFIG, type Config } from '../config';
import { Sql, sqlOf } from '../database/sql';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { QuotasService } from '../workspaces/quotas.service';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { ApiKey } from './api-key.entity';
import { FIND_VALID_KEY, INSERT_KEY, LOCK_KEYS, REVOKE_KEY, type ValidKey } from './api-keys.sql';
import { presentApiKey } from './auth.presenter';
import { apiKeyNotFound, expiryInThePast, invalidCredential } from './auth.errors';

/** Lets a leaked key be recognised, by people and by secret scanners. */
const PREFIX = 'parley_';

const FORM = new RegExp(`^${PREFIX}[\\w-]{43}$`);

export const hashOf = (apiKey: string) => createHash('sha256').update(apiKey).digest();

interface NewKey {
  scope?: string[];
  expires?: Date;
  /** The key that asks for it. */
  parentId?: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectScoped(ApiKey) private readonly keys: WorkspaceScopedRepository<ApiKey>,
    private readonly quotas: QuotasService,
    private readonly sql: Sql,
  ) {}

  /** A key that was made by another one expires with that one at the latest. */
  create(workspaceId: string, userId: string, { scope, expires, parentId }: NewKey = {}) {
    if (expires && expires.getTime() <= Date.now()) throw expiryInThePast();
    const keyId = uuidv7();
    const apiKey = PREFIX + randomBytes(32).toString('base64url');
    return this.quotas.creating(workspaceId, 'api_keys', async ({ manager }) => {
      const sql = await sqlOf(manager);
      await sql.run(LOCK_KEYS, [workspaceId]);
      const [inserted] = await sql.run<{ expiresAt: Date | null }>(INSERT_KEY, [
        keyId,
        workspaceId,
        parentId ?? null,
        userId,
        hashOf(apiKey),
        apiKey.slice(-4),
        scope ?? null,
        expires ?? null,
      ]);
      if (!inserted) throw invalidCredential();
      return { keyId, apiKey, expiresAt: inserted.expiresAt };
    });
  }

  list(workspaceId: string, page: PageQuery) {
    const newestFirst = this.keys
      .query(workspaceId, 'key')
      .orderBy('key.createdAt', 'DESC')
      .addOrderBy('key.id', 'DESC');
    return pageOf(newestFirst, page, presentApiKey);
  }

  /** Also revokes the keys that it has made, and those that they have made. Revoking twice changes nothing. */
  async revoke(workspaceId: string, keyId: string): Promise<void> {
    if (!isUUID(keyId)) throw apiKeyNotFound();
    const [key] = await this.sql.transaction(async (sql) => {
      await sql.run(LOCK_KEYS, [workspaceId]);
      return sql.run(REVOKE_KEY, [workspaceId, keyId]);
    });
    if (!key) throw apiKeyNotFound();
  }

  /** @throws 403 where the workspace is suspended */
  async authenticate(apiKey: string): Promise<Caller | undefined> {
    if (!FORM.test(apiKey)) return undefined;
    const [key] = await this.sql.run<ValidKey>(FIND_VALID_KEY, [hashOf(apiKey)]);
    if (!key) return undefined;
    if (key.isSuspended) throw workspaceSuspended();
    const exp = key.expiresAt ? Math.floor(key.expiresAt.getTime() / 1_000) : undefined;
    return {
      workspaceId: key.workspaceId,
      userId: key.userId,
      scopes: key.scopes ?? undefined,
      credential: { kind: 'api-key', keyId: key.id, exp },
      requestsPerMinute: key.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }
}
