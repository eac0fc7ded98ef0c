import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, DatabaseError } from 'pg';

export const CHECK_TIMEOUT_MS = 2_000;
export const CHECK_INTERVAL_MS = 2_000;

/** The host is not the primary. */
class StandbyError extends Error {}

/** Whether a host that fails with this does not answer, or refuses all sessions. */
export const isAway = (error: unknown) =>
  !(error instanceof DatabaseError) || error.code?.startsWith('57P') === true;

async function assertPrimary(client: Client): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby) throw new StandbyError('The database is a standby');
}

/** The hosts of a database. One of them is taken for the primary, the only one that can write. */
class DatabaseHosts {
  private readonly connected = new Map<Client, string>();
  private index = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly urls: string[]) {}

  get primary(): string {
    return this.urls[this.index] ?? '';
  }

  /** Takes the next host for the primary, unless another client has done so. */
  leave(url: string): void {
    if (url !== this.primary) return;
    this.index = (this.index + 1) % this.urls.length;
    // Statements on a host that is frozen or cut off would never end.
    for (const [client, host] of this.connected) if (host === url) getSocket(client).destroy();
  }

  /** Watches the primary for as long as it has clients. */
  add(client: Client, url: string): void {
    this.connected.set(client, url);
    client.once('end', () => this.connected.delete(client));
    this.timer ??= setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  private async check(): Promise<void> {
    if (this.connected.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const url = this.primary;
    const timeouts = { connectionTimeoutMillis: CHECK_TIMEOUT_MS, query_timeout: CHECK_TIMEOUT_MS };
    const client = new Client({ connectionString: url, application_name: 'parley monitor', ...timeouts });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await assertPrimary(client);
      await client.end();
    } catch (error) {
      getSocket(client).destroy();
      if (isAway(error)) this.leave(url);
    }
  }
}

/** pg does not declare it. */
export const getSocket = (client: ClientBase) =>
  (client as ClientBase & { connection: { stream: Socket } }).connection.stream;

/**
 * The class of the clients of a pool. For a database with one host it is that of pg. With several, a client connects to
 * the host that is taken for the primary. If this host does not answer within 2 s or is a standby, the connection fails,
 * and the next one is made to the next host.
 * @param urls one for each host
 */
export function primaryClient(urls: string[]): typeof Client {
  if (urls.length === 1) return Client;
  const hosts = new DatabaseHosts(urls);

  return class PrimaryClient extends Client {
    private readonly url: string;

    constructor(config?: ClientConfig) {
      const url = hosts.primary;
      super({ ...config, connectionString: url, connectionTimeoutMillis: CHECK_TIMEOUT_MS });
      this.url = url;
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<this> | void {
      const connected = this.connectToPrimary();
      if (!callback) return connected;
      connected.then(() => callback(null), callback);
    }

    private async connectToPrimary(): Promise<this> {
      try {
        await super.connect();
        await assertPrimary(this);
        // A host that was frozen meanwhile, and left, still takes itself for the primary.
        if (this.url !== hosts.primary) throw new StandbyError('The database host was left');
      } catch (error) {
        getSocket(this).destroy();
        if (isAway(error)) hosts.leave(this.url);
        throw error;
      }
      hosts.add(this, this.url);
      return this;
    }
  };
}
