import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../../platform/database/database';
import { StatementBatcher } from '../../platform/database/statement-batcher';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { ApiKey } from './api-key.entity';
import {
  FIND_VALID_KEYS,
  INSERT_KEY,
  type NewApiKey,
  REVOKE_KEY,
  REVOKE_KEYS_OF_LINK,
  REVOKE_KEYS_OF_PERSON,
  type ValidKey,
} from './api-keys.sql';

export interface RevokedKey {
  revoked: number;
  name: string;
}

@Injectable()
export class ApiKeysRepository extends WorkspaceRepository<ApiKey> {
  private readonly lookups = new StatementBatcher((hashes: Buffer[]) => this.findAllValid(hashes), {
    readOnly: true,
  });

  constructor(database: Database) {
    super(database, ApiKey);
  }

  /** Lists the keys, newest first. */
  list(workspaceId: string, page: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return readPage(this.newestFirst(workspaceId), page);
  }

  listAll(workspaceId: string): Promise<ApiKey[]> {
    return this.newestFirst(workspaceId).getMany();
  }

  /** Finds the workspace of a key, for the operator. */
  async findHolder(keyId: string): Promise<string | undefined> {
    if (!isUUID(keyId)) return undefined;
    return (await this.database.manager.findOneBy(ApiKey, { id: keyId }))?.workspaceId;
  }

  /**
   * Look-ups that wait share a statement. There is no cache, so that a revoked key is refused at once.
   * @returns null if no valid key has this hash
   */
  findValid(hash: Buffer): Promise<ValidKey | null> {
    return this.lookups.add(hash.toString('base64'), hash);
  }

  /**
   * Inserts a key, which expires with its parent at the latest.
   * @returns null if the parent or the session of the link is not valid any more, or the person is no admin
   */
  async insertBelowParent(
    workspaceId: string,
    key: NewApiKey,
    transaction: Transaction,
  ): Promise<Pick<ApiKey, 'expiresAt'> | null> {
    const [inserted] = await transaction.query(INSERT_KEY, { workspaceId, ...key });
    return inserted ?? null;
  }

  /**
   * Revokes a key and its descendants. `revoked` is how many were valid until now.
   * @returns null if there is no such key
   */
  async revoke(workspaceId: string, keyId: string, transaction: Transaction): Promise<RevokedKey | null> {
    if (!isUUID(keyId)) return null;
    const [found] = await transaction.query(REVOKE_KEY, { workspaceId, keyId });
    return found ?? null;
  }

  /**
   * Revokes the keys that the session of the link created, and their descendants.
   * @returns how many were valid until now
   */
  async revokeOfLink(workspaceId: string, linkId: string, transaction: Transaction): Promise<number> {
    return (await transaction.query(REVOKE_KEYS_OF_LINK, { workspaceId, linkId })).length;
  }

  /**
   * Revokes the keys that sessions of the person created, and their descendants.
   * @returns how many were valid until now
   */
  async revokeOfPerson(workspaceId: string, personId: string, transaction: Transaction): Promise<number> {
    return (await transaction.query(REVOKE_KEYS_OF_PERSON, { workspaceId, personId })).length;
  }

  /**
   * Locks the keys of the workspace until the transaction ends. Row locks are not enough: a key that is added below a
   * key while that is being revoked is not in the snapshot of the revoking statement.
   */
  lockAll(workspaceId: string, transaction: Transaction): Promise<void> {
    return transaction.lock(`API keys of ${workspaceId}`);
  }

  private async findAllValid(hashes: Buffer[]): Promise<(ValidKey | null)[]> {
    const keys = await this.database.query(FIND_VALID_KEYS, { hashes });
    return hashes.map((hash) => keys.find((key) => key.hash.equals(hash)) ?? null);
  }

  private newestFirst(workspaceId: string) {
    return this.select(workspaceId, 'key')
      .leftJoinAndSelect('key.cap', 'cap')
      .orderBy('key.createdAt', 'DESC')
      .addOrderBy('key.id', 'DESC');
  }
}
