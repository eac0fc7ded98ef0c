import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { clientClosedRequest } from '../http/client-abort-signal';
import { type RequestContext, requestContext } from '../http/request-context';
import { databaseBusy } from '../http/workspace-busy';
import { WorkspaceSemaphore } from '../http/workspace-semaphore';

/** As long as the pool itself waits for a connection. */
const WAIT_SECONDS = 5;

/** What the pool says when all of its connections stay in use; it has no code for it. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** A shorter statement is left to its end, because a new connection costs more. */
const CANCEL_AFTER_MS = 250;

export interface FairPoolConfig extends PoolConfig {
  /** Connections that the requests of one workspace may use at once. */
  workspaceMax: number;
}

type Release = PoolClient['release'];
type Connected = (error: Error | undefined, client?: PoolClient, release?: Release) => void;

/**
 * A pool whose connections one workspace can't use up: its requests share `workspaceMax` of them, and wait for each
 * other. A connection that works for an abandoned request is closed, which ends its statement in Postgres.
 */
export class FairPool extends Pool {
  private readonly shares: WorkspaceSemaphore;

  constructor({ workspaceMax, ...config }: FairPoolConfig) {
    super(config);
    this.shares = new WorkspaceSemaphore({
      permits: workspaceMax,
      resource: 'database connection',
      waitSeconds: WAIT_SECONDS,
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const context = requestContext.getStore();
    const connected = context ? this.connectFor(context) : this.checkOut();
    if (!callback) return connected;
    connected.then(
      // Looked up when it is called, since others may replace it until then.
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error),
    );
  }

  private async connectFor(context: RequestContext): Promise<PoolClient> {
    const { workspaceId, abandoned } = context;
    if (abandoned?.aborted) throw clientClosedRequest();
    // A request that has a connection and waits for another would wait for itself.
    const releaseShare =
      context.connections > 0
        ? undefined
        : await this.shares.acquire(workspaceId, { abandoned: () => abandoned });
    context.connections += 1;
    const returnShare = () => {
      context.connections -= 1;
      releaseShare?.();
    };
    try {
      const client = await this.checkOut();
      onRelease(client, returnShare);
      if (abandoned) endOnAbort(client, abandoned, CANCEL_AFTER_MS);
      return client;
    } catch (error) {
      returnShare();
      throw error;
    }
  }

  private async checkOut(): Promise<PoolClient> {
    try {
      return await super.connect();
    } catch (error) {
      throw (error as Error).message === POOL_TIMEOUT ? databaseBusy() : error;
    }
  }
}

/**
 * Closes a connection when the signal is aborted, until it is released. Where a statement is running, this closes the
 * socket, which Postgres looks at every second.
 */
export function endOnAbort(client: PoolClient, signal: AbortSignal, afterMs = 0): void {
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    timer = setTimeout(() => void (client as PoolClient & { end(): Promise<void> }).end(), afterMs);
  };
  onRelease(client, () => {
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
  });
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

/** The pool gives a client another `release` at each checkout. */
function onRelease(client: PoolClient, released: () => void): void {
  const release = client.release.bind(client);
  client.release = (error) => {
    released();
    release(error);
  };
}
