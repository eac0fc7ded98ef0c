import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres.cjs';
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
    private readonly standby: EmbeddedPostgres,
    private readonly proxy: TcpProxy,
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
    const standby = await startEmbeddedPostgres({
      folder: two,
      settings: {
        ...SETTINGS,
        primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
      },
    });
    return new ReplicatedPostgres(primary, standby, await TcpProxy.to(primary.url));
  }

  /** Has both hosts, the standby first. */
  get url(): string {
    const { host } = new URL(this.proxy.url);
    return this.standby.url.replace(/@([^/]+)/, `@$1,${host}`);
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
