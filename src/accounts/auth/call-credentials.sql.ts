import type { Statement } from '../../platform/database/statement';

/** A call whose runtime may use the API. */
export interface CallCredential {
  id: string;
  /** The token of its claim. */
  token: string;
  workspaceId: string;
  agentId: string;
  agentVersion: number;
  /** Its status if it has ended. */
  endedAs: string | null;
  userId: string;
  expiresAt: Date;
  isSuspended: boolean;
  /** null: the default of the installation. */
  requestsPerMinute: number | null;
}

export abstract class CallCredentialStatements {
  /** Finds the calls whose runtimes may use the API now. */
  abstract readonly find: Statement<{ ids: string[] }, CallCredential>;
}
