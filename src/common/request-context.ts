import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose account a request is worked on; everything that it starts finds it here. */
export interface RequestContext {
  workspaceId: string;
  /** Aborted when the client leaves before its answer; only for methods that change nothing (RFC 9110, 9.2.1). */
  abandoned: AbortSignal | undefined;
  /** Database connections in use. */
  connections: number;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();
