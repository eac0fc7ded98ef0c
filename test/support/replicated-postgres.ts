import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../launch/postgres/embedded-postgres.cjs';
import { TcpProxy } from './tcp-proxy';
import { until } from './until';

const SETTINGS = { fsync: 'off', full_page_writes: 'off', wal_level: 'replica' };

async function query<Row extends object>(url: string, text: string): Promise<Row | undefined> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows[0];
  } finally {
    await client.end();
  }
}

/** A Postgres and a standby that follows it by streaming. Clients reach the primary through a proxy. */
export class ReplicatedPostgres {
  private constructor(
    private readonly primary: EmbeddedPostgres,
    private standby: EmbeddedPostgres,
    private readonly proxy: TcpProxy,
    private readonly startStandby: (port?: number) => Promise<EmbeddedPostgres>,
  ) {}

  static async start(folder: string): Promise<ReplicatedPostgres> {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const empty = await startEmbeddedPostgres({ folder: one, settings: SETTINGS });
    await empty.stop();
    mkdirSync(two);
    cpSync(one, two, { recursive: true });
    writeFileSync(join(two, 'data', 'standby.signal'), '');
    const primary = await startEmbeddedPostgres({ folder: one, settings: SETTINGS });
    const { port, username, password } = new URL(primary.url);
    const settings = {
      ...SETTINGS,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
    };
    const startStandby = (standbyPort?: number) =>
      startEmbeddedPostgres({ folder: two, settings, port: standbyPort });
    const proxy = await TcpProxy.to(primary.url);
    return new ReplicatedPostgres(primary, await startStandby(), proxy, startStandby);
  }

  /** Has both hosts, the standby first. */
  get url(): string {
    const { host } = new URL(this.proxy.url);
    return this.standby.url.replace(/@([^/]+)/, `@$1,${host}`);
  }

  /** The primary's address, without the proxy. */
  get primaryUrl(): string {
    return this.primary.url;
  }

  get standbyUrl(): string {
    return this.standby.url;
  }

  /** Runs a statement on the standby. @returns its first row */
  onStandby<Row extends object>(text: string): Promise<Row | undefined> {
    return query<Row>(this.standby.url, text);
  }

  /** From now on, each commit waits for the standby, which follows. */
  async waitForStandby(): Promise<void> {
    await query(this.primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await query(this.primary.url, 'SELECT pg_reload_conf()');
    const isSynchronous = `SELECT count(*) > 0 AS synchronous FROM pg_stat_replication WHERE sync_state = 'sync'`;
    await until(
      async () => (await query<{ synchronous: boolean }>(this.primary.url, isSynchronous))?.synchronous,
    );
  }

  /** Stops the standby. Its sessions are ended at once. */
  stopStandby(): Promise<void> {
    return this.standby.stop();
  }

  /** Starts the standby again, at its address. */
  async restartStandby(): Promise<void> {
    this.standby = await this.startStandby(this.standby.port);
  }

  /** The standby still receives everything, and shows nothing of it until {@link resume}. */
  async pause(): Promise<void> {
    await this.onStandby('SELECT pg_wal_replay_pause()');
    const isPaused = `SELECT pg_get_wal_replay_pause_state() = 'paused' AS paused`;
    await until(async () => (await this.onStandby<{ paused: boolean }>(isPaused))?.paused);
  }

  async resume(): Promise<void> {
    await this.onStandby('SELECT pg_wal_replay_resume()');
  }

  /** Ends the primary as a crash does. */
  async kill(): Promise<void> {
    process.kill(this.primary.pid, 'SIGKILL');
    await until(() => !this.primary.isRunning());
  }

  /** Clients can still connect to the primary, and get no answer. */
  freeze(): void {
    this.proxy.freeze({ newToo: true });
  }

  /** Waits until the standby has everything that was committed. */
  async followed(): Promise<void> {
    const written = await query<{ lsn: string }>(this.primary.url, 'SELECT pg_current_wal_lsn() AS lsn');
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${written?.lsn}' AS there`;
    await until(async () => (await query<{ there: boolean }>(this.standby.url, isThere))?.there);
  }

  /** Makes the standby the primary. */
  async promote(): Promise<void> {
    await query(this.standby.url, 'SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    await this.proxy.cut();
    await Promise.all([this.primary.stop(), this.standby.stop()]);
  }
}
