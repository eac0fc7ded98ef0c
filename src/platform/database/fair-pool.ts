import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { clientClosedRequest } from '../http/client-abort-signal';
import { type RequestContext, requestContext } from '../http/request-context';
import { databaseBusy, workspaceBusy } from '../http/workspace-busy';
import { WorkspaceSemaphore } from '../limits/workspace-semaphore';
import { markNeverConnected } from './outcome-unknown';

/** The limit of the wait for a permit of the workspace, and of the wait for a connection of the pool after it. */
export const CONNECTION_WAIT_SECONDS = 5;

/** The message of the pool's error while all connections stay in use; the error has no code. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** A statement that ends sooner is not interrupted, because a new connection costs more. */
const CANCEL_AFTER_MS = 250;

export interface FairPoolConfig extends PoolConfig {
  /** Connections that the requests of one workspace may use at once. */
  workspaceMax: number;
  /** Hosts of the database, each of which is tried before a request for a connection fails. */
  hosts: number;
}

type Release = PoolClient['release'];
type Connected = (error: Error | undefined, client?: PoolClient, release?: Release) => void;

/**
 * A pool in which the requests of one workspace share `workspaceMax` connections, so that others stay free. When the
 * client of a request disconnects, its connection is closed, which ends its statement in Postgres.
 */
export class FairPool extends Pool {
  private readonly permits: WorkspaceSemaphore;
  private readonly hosts: number;

  constructor({ workspaceMax, hosts, ...config }: FairPoolConfig) {
    super(config);
    this.hosts = hosts;
    this.permits = new WorkspaceSemaphore({
      permits: workspaceMax,
      busy: (seconds) => workspaceBusy('database connection', seconds),
      waitSeconds: CONNECTION_WAIT_SECONDS,
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const context = requestContext.getStore();
    const connected = context ? this.connectFor(context) : this.checkOut();
    if (!callback) return connected;
    connected.then(
      // `release` is read when it is called, because `onRelease` may replace it until then.
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error),
    );
  }

  private async connectFor(context: RequestContext): Promise<PoolClient> {
    const { workspaceId, abortSignal } = context;
    if (abortSignal?.aborted) throw clientClosedRequest();
    // A request that holds a connection would wait for itself.
    const releasePermit =
      context.connections > 0
        ? undefined
        : await this.permits.acquire(workspaceId, { abortSignal: () => abortSignal });
    context.connections += 1;
    const release = () => {
      context.connections -= 1;
      releasePermit?.();
    };
    try {
      const client = await this.checkOut();
      onRelease(client, release);
      if (abortSignal) endOnAbort(client, abortSignal, CANCEL_AFTER_MS);
      return client;
    } catch (error) {
      release();
      throw error;
    }
  }

  private async checkOut(): Promise<PoolClient> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await super.connect();
      } catch (error) {
        if ((error as Error).message === POOL_TIMEOUT) throw databaseBusy();
        if (attempt >= this.hosts) throw markNeverConnected(error as Error);
      }
    }
  }
}

/**
 * Closes a connection when the signal is aborted before its release. Postgres checks the sockets of running statements
 * once per second, and then ends the statement.
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

/** The listener is for this checkout only: the pool sets a new `release` at each one. */
function onRelease(client: PoolClient, listener: () => void): void {
  const release = client.release.bind(client);
  client.release = (error) => {
    listener();
    release(error);
  };
}
