import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { jsonRows } from '../../platform/database/statement';
import { StatementBatcher } from '../../platform/database/statement-batcher';
import { lockWorkspace } from '../workspaces/lock-workspace';
import {
  FIND_WORKSPACES_OF_TOKENS,
  REVOKE_ALL_TOKENS,
  type TokenToFind,
  type WorkspaceOfToken,
} from './tokens.sql';

/** Tokens are not stored: their workspace and their API key decide whether they are valid. */
@Injectable()
export class TokensRepository {
  private readonly lookups = new StatementBatcher((tokens: TokenToFind[]) => this.findWorkspaces(tokens), {
    readOnly: true,
  });

  constructor(private readonly database: Database) {}

  /**
   * Look-ups that wait share a statement.
   * @returns null if the token is not valid any more, or its workspace does not exist
   */
  findWorkspace(token: TokenToFind): Promise<WorkspaceOfToken | null> {
    return this.lookups.add(token.workspaceId, token);
  }

  /** Revokes the tokens that were issued until now. @returns that time; null: there is no such workspace */
  async revokeAll(workspaceId: string, transaction: Transaction): Promise<{ tokensNotBefore: Date } | null> {
    await lockWorkspace(workspaceId, transaction);
    const [workspace] = await transaction.query(REVOKE_ALL_TOKENS, { workspaceId });
    return workspace ?? null;
  }

  private async findWorkspaces(tokens: TokenToFind[]): Promise<(WorkspaceOfToken | null)[]> {
    const values = { tokens: jsonRows(tokens.map((token, place) => ({ place, ...token }))) };
    const found = await this.database.query(FIND_WORKSPACES_OF_TOKENS, values);
    const byPlace = new Map(found.map(({ place, ...workspace }) => [place, workspace]));
    return tokens.map((_, place) => byPlace.get(place) ?? null);
  }
}
