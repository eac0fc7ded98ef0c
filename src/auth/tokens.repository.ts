import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { FIND_WORKSPACE_OF_TOKEN, REVOKE_ALL_TOKENS, type WorkspaceOfToken } from './tokens.sql';

/** Tokens are not stored: their workspace and their API key decide whether they are valid. */
@Injectable()
export class TokensRepository {
  constructor(private readonly database: Database) {}

  /** null: the token is not valid any more, or its workspace does not exist. */
  async findWorkspace(token: {
    workspaceId: string;
    keyId: string | null;
    iat: number | null;
  }): Promise<WorkspaceOfToken | null> {
    const [workspace] = await this.database.query(FIND_WORKSPACE_OF_TOKEN, token);
    return workspace ?? null;
  }

  /** Revokes the tokens that were issued until now. @returns that time; null: there is no such workspace */
  async revokeAll(workspaceId: string): Promise<{ tokensNotBefore: Date } | null> {
    const [workspace] = await this.database.query(REVOKE_ALL_TOKENS, { workspaceId });
    return workspace ?? null;
  }
}
