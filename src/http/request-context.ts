import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that code runs for. Work that is shared or goes on after the request must leave it with `exit`. */
export interface RequestContext {
  workspaceId: string;
  /** Aborted when the client leaves before its answer; only for methods that change nothing (RFC 9110, 9.2.1). */
  abandoned: AbortSignal | undefined;
  /** Database connections in use. */
  connections: number;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();
