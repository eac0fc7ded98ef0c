import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the current code runs for. Shared work, and work that outlives the request, leaves it by `exit`. */
export interface RequestContext {
  workspaceId: string;
  /** Aborted when the client closes the connection; only for methods that change nothing (RFC 9110, 9.2.1). */
  abortSignal: AbortSignal | undefined;
  /** Database connections that the request holds. */
  connections: number;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

let running = 0;

/** Runs work in a context of its own. */
export async function runInRequestContext<Result>(
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  running += 1;
  try {
    return await requestContext.run(context, work);
  } finally {
    running -= 1;
    // Before Node.js 24 each promise of the process is slower as long as a storage is enabled.
    if (running === 0) requestContext.disable();
  }
}
