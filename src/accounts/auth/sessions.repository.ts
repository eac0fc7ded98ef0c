import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { Database, type Transaction } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement';
import { StatementBatcher } from '../../platform/database/statement-batcher';
import type { Page } from '../../platform/database/workspace.repository';
import { getOffset, type PageQuery } from '../../platform/http/pagination';
import { ConsoleLink } from './console-link.entity';
import { Session } from './session.entity';
import {
  DELETE_ENDED_SESSIONS,
  DELETE_EXPIRED_LINKS,
  END_OLDEST_SESSIONS,
  END_SESSION,
  END_SESSIONS_OF_LINK,
  type EndedSession,
  FIND_VALID_LINKS,
  FIND_VALID_SESSIONS,
  LIST_SESSIONS,
  type ListedSession,
  type NewSession,
  NOTE_JOINED,
  REVOKE_LINK,
  REVOKE_UNUSED_LINKS_OF_PERSON,
  USE_LINK,
  type ValidLink,
  type ValidSession,
} from './sessions.sql';

export {
  type EndedSession,
  IDLE_HOURS,
  type ListedSession,
  type NewSession,
  type ValidLink,
  type ValidSession,
} from './sessions.sql';

/** Sessions of browsers, and the links of the operator that begin them. Look-ups that wait share a statement. */
@Injectable()
export class SessionsRepository {
  private readonly lookups = this.batcher(FIND_VALID_SESSIONS);
  private readonly linkLookups = this.batcher(FIND_VALID_LINKS);

  constructor(private readonly database: Database) {}

  /** @returns null if no valid session has this hash */
  findValid(hash: Buffer): Promise<ValidSession | null> {
    return this.lookups.add(hash.toString('base64'), hash);
  }

  /** @returns null if no valid link has this hash */
  findValidLink(hash: Buffer): Promise<ValidLink | null> {
    return this.linkLookups.add(hash.toString('base64'), hash);
  }

  /**
   * Inserts a session.
   * @param max how many sessions its credential may have; the oldest ones end
   */
  async insert(
    workspaceId: string,
    session: NewSession,
    { max }: { max: number },
    transaction: Transaction,
  ): Promise<void> {
    const { credentialKind, keyId, userId } = session;
    await transaction.query(END_OLDEST_SESSIONS, { workspaceId, credentialKind, keyId, userId, max });
    await transaction.manager.insert(Session, { ...session, workspaceId });
  }

  /** Lists the valid sessions, newest first. */
  async list(workspaceId: string, query: PageQuery): Promise<Page<ListedSession>> {
    const page = { offset: getOffset(query), limit: query.limit };
    const rows = await this.database.query(LIST_SESSIONS, { workspaceId, ...page });
    const sessions = rows.filter((row): row is { total: number } & ListedSession => row.id !== null);
    return { rows: sessions, total: rows[0]?.total ?? 0 };
  }

  /** @returns undefined if it has ended, or the workspace has no such session */
  async end(workspaceId: string, id: string, transaction: Transaction): Promise<EndedSession | undefined> {
    if (!isUUID(id)) return undefined;
    return (await transaction.query(END_SESSION, { workspaceId, id }))[0];
  }

  /** @returns the id of the link */
  async insertLink(
    workspaceId: string,
    link: Pick<ConsoleLink, 'userId' | 'personId' | 'name' | 'hash' | 'expiresAt'>,
    { manager }: Transaction,
  ): Promise<string> {
    const id = uuidv7();
    await manager.insert(ConsoleLink, { ...link, id, workspaceId });
    return id;
  }

  /** @returns false if it cannot be used any more */
  async useLink(workspaceId: string, id: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.query(USE_LINK, { workspaceId, id })).length > 0;
  }

  /** Makes the links of a person worthless that were not used yet. */
  async revokeUnusedLinks(workspaceId: string, personId: string, transaction: Transaction): Promise<void> {
    await transaction.query(REVOKE_UNUSED_LINKS_OF_PERSON, { workspaceId, personId });
  }

  /** @returns undefined if it was noted before */
  async noteJoined(
    workspaceId: string,
    personId: string,
    transaction: Transaction,
  ): Promise<{ name: string; role: string } | undefined> {
    return (await transaction.query(NOTE_JOINED, { workspaceId, personId }))[0];
  }

  /** @returns undefined if it was revoked before, or has expired without a use */
  async revokeLink(
    workspaceId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ wasUnused: boolean } | undefined> {
    return (await transaction.query(REVOKE_LINK, { workspaceId, id }))[0];
  }

  /** @returns how many sessions ended */
  async endOfLink(workspaceId: string, linkId: string, transaction: Transaction): Promise<number> {
    return (await transaction.query(END_SESSIONS_OF_LINK, { workspaceId, linkId })).length;
  }

  /** Deletes ended sessions of all workspaces. @returns how many were deleted */
  async deleteEnded(limit: number): Promise<number> {
    return (await this.database.query(DELETE_ENDED_SESSIONS, { limit })).length;
  }

  /** Deletes expired links of all workspaces. @returns how many were deleted */
  async deleteExpiredLinks(limit: number): Promise<number> {
    return (await this.database.query(DELETE_EXPIRED_LINKS, { limit })).length;
  }

  private batcher<Row extends { hash: Buffer }>(find: Statement<{ hashes: Buffer[] }, Row>) {
    return new StatementBatcher<Buffer, Row | null>(
      async (hashes) => {
        const rows = await this.database.query(find, { hashes });
        return hashes.map((hash) => rows.find((row) => row.hash.equals(hash)) ?? null);
      },
      { readOnly: true },
    );
  }
}
