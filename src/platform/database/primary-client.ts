import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, DatabaseError } from 'pg';

export const CHECK_TIMEOUT_MS = 2_000;
export const CHECK_INTERVAL_MS = 2_000;

/** The host is not the primary. */
class StandbyError extends Error {}

/** Whether a host that fails with this does not answer, or refuses all sessions. */
export const isAway = (error: unknown) =>
  !(error instanceof DatabaseError) || error.code?.startsWith('57P') === true;

/** Whether a host did not answer in time. It may also be this process that was too busy to read the answer. */
const isSilent = (error: unknown) => isAway(error) && !(error instanceof StandbyError) && !hasCode(error);

/** The system names a connection that was refused or broke. */
const hasCode = (error: unknown) => typeof (error as NodeJS.ErrnoException).code === 'string';

async function assertPrimary(client: Client): Promise<void> {
  // The types of pg know the time limit for a whole client only.
  const query = { text: 'SELECT pg_is_in_recovery() AS standby', query_timeout: CHECK_TIMEOUT_MS };
  const { rows } = await client.query<{ standby: boolean }>(query);
  if (rows[0]?.standby) throw new StandbyError('The database is a standby');
}

/** The hosts of a database. One of them is taken for the primary, the only one that can write. */
class DatabaseHosts {
  private readonly connected = new Map<Client, string>();
  private index = 0;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;

  constructor(private readonly urls: string[]) {}

  get primary(): string {
    return this.urls[this.index] ?? '';
  }

  /** Leaves a host with which a connection has failed. A silent one is asked once more. */
  failed(url: string, error: unknown): void {
    if (isSilent(error)) void this.check(url);
    else if (isAway(error)) this.leave(url);
  }

  /** Takes the next host for the primary, unless another client has done so. */
  private leave(url: string): void {
    if (url !== this.primary) return;
    this.index = (this.index + 1) % this.urls.length;
    // Statements on a host that is frozen or cut off would never end.
    for (const [client, host] of this.connected) if (host === url) getSocket(client).destroy();
  }

  /** Watches the primary for as long as it has clients. */
  add(client: Client, url: string): void {
    this.connected.set(client, url);
    client.once('end', () => this.connected.delete(client));
    this.timer ??= setInterval(() => this.watch(), CHECK_INTERVAL_MS).unref();
  }

  private watch(): void {
    if (this.connected.size > 0) {
      const url = this.primary;
      void this.ask(url).catch((error: unknown) => this.failed(url, error));
      return;
    }
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private check(url: string): Promise<void> {
    this.checking ??= this.ask(url)
      .catch((error: unknown) => {
        if (isAway(error)) this.leave(url);
      })
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  /** Rejects if the host is not the primary, or does not answer. */
  private async ask(url: string): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: 'parley monitor',
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await assertPrimary(client);
      disconnect(client);
    } catch (error) {
      getSocket(client).destroy();
      throw error;
    }
  }
}

/** pg does not declare it. */
export const getSocket = (client: ClientBase) =>
  (client as ClientBase & { connection: { stream: Socket } }).connection.stream;

/** Ends a connection without waiting for its host, which may be frozen by now. */
export function disconnect(client: Client): void {
  void client.end();
  getSocket(client).destroySoon();
}

/**
 * The class of the clients of a pool. For a database with one host it is that of pg. With several, a client connects to
 * the host that is taken for the primary. If this host is a standby, refuses connections, or does not answer twice within
 * 2 s, it is left: its connections end, and the next one is made to the next host.
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
      // pg-pool listens only after `connect`. A connection that breaks during the check would end the process.
      this.on('error', () => undefined);
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
        hosts.failed(this.url, error);
        throw error;
      }
      hosts.add(this, this.url);
      return this;
    }
  };
}
