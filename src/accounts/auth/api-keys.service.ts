import { Inject, Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config, MCP_ACT_SCOPE } from '../../config';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/http/access';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { QuotasService } from '../workspaces/quotas.service';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { ApiKeysRepository } from './api-keys.repository';
import {
  apiKeyNotFound,
  capInherited,
  capNeedsActing,
  expiryInThePast,
  invalidCredential,
} from './auth.errors';
import { presentApiKey } from './auth.presenter';

/** Lets people and secret scanners recognize a leaked key. */
const PREFIX = 'parley_';

const FORMAT = new RegExp(`^${PREFIX}[\\w-]{43}$`);

export const hashKey = (apiKey: string) => hash('sha256', apiKey, 'buffer');

export interface NewKey {
  name?: string;
  scope?: string[];
  callsPerDay?: number;
  expires?: Date;
  /** The key that creates it. */
  parentId?: string;
  /** The cap of the credential that creates it, which the key shares. */
  capId?: string;
  /** The link whose session creates it. */
  linkId?: string;
  /** The person whose session creates it. */
  personId?: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: ApiKeysRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  /** A key that another key creates expires with that one at the latest. */
  create(
    workspaceId: string,
    userId: string,
    { name, scope, callsPerDay, expires, ...creator }: NewKey = {},
  ) {
    if (callsPerDay !== undefined && creator.capId !== undefined) throw capInherited();
    if (callsPerDay !== undefined && !scope?.includes(MCP_ACT_SCOPE)) throw capNeedsActing();
    if (expires && expires.getTime() <= Date.now()) throw expiryInThePast();
    const keyId = uuidv7();
    const apiKey = PREFIX + randomBytes(32).toString('base64url');
    return this.quotas.createWithinQuota(workspaceId, 'api_keys', async (transaction) => {
      await this.keys.lockAll(workspaceId, transaction);
      const key = {
        id: keyId,
        parentId: creator.parentId ?? null,
        linkId: creator.linkId ?? null,
        personId: creator.personId ?? null,
        userId,
        name: name ?? null,
        hash: hashKey(apiKey),
        hint: apiKey.slice(-4),
        scopes: scope ?? null,
        callsPerDay: callsPerDay ?? null,
        expiresAt: expires ?? null,
        createdBy: transaction.actor,
      };
      const inserted = await this.keys.insertBelowParent(workspaceId, key, transaction);
      if (!inserted) throw invalidCredential();
      transaction.change = {
        scope: scope ?? null,
        ...(callsPerDay !== undefined && { calls_per_day: callsPerDay }),
        expires_at: inserted.expiresAt?.toISOString() ?? null,
      };
      return { keyId, apiKey, name: name ?? null, expiresAt: inserted.expiresAt };
    });
  }

  async list(workspaceId: string, query: PageQuery) {
    const { rows, total } = await this.keys.list(workspaceId, query);
    return paginate(rows.map(presentApiKey), query, total);
  }

  /** Lists all keys for the operator. */
  async listAll(workspaceId: string) {
    return (await this.keys.listAll(workspaceId)).map(presentApiKey);
  }

  /**
   * Revokes a key, the keys that it created, and those that they created. Revoking again changes nothing.
   * @throws 404
   */
  async revoke(workspaceId: string, keyId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.keys.lockAll(workspaceId, transaction);
      const revoked = await this.keys.revoke(workspaceId, keyId, transaction);
      if (!revoked) throw apiKeyNotFound();
      transaction.change = revoked.revoked > 0 ? { revoked_keys: revoked.revoked } : null;
      return revoked;
    });
  }

  /**
   * Returns the id of the workspace of a key, for the operator.
   * @throws 404
   */
  async getHolder(keyId: string): Promise<string> {
    const workspaceId = await this.keys.findHolder(keyId);
    if (workspaceId === undefined) throw apiKeyNotFound();
    return workspaceId;
  }

  /**
   * @returns null if the key is not valid
   * @throws 403 if the workspace is suspended
   */
  async authenticate(apiKey: string): Promise<Caller | null> {
    if (!FORMAT.test(apiKey)) return null;
    const key = await this.keys.findValid(hashKey(apiKey));
    if (!key) return null;
    if (key.isSuspended) throw workspaceSuspended();
    const exp = key.expiresAt ? Math.floor(key.expiresAt.getTime() / 1_000) : undefined;
    return {
      workspaceId: key.workspaceId,
      userId: key.userId,
      scopes: key.scopes ?? undefined,
      credential: { kind: 'api-key', keyId: key.id, capId: key.capId ?? undefined, name: key.name, exp },
      requestsPerMinute: key.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }
}
