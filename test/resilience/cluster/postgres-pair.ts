import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../launch/postgres/embedded-postgres.cjs';
import { until } from '../../support/until';
import type { Network } from './network';

const STANDBY = 'parley_standby';

const FOLLOW_TIMEOUT_MS = 30_000;
/** Commits that began a moment ago are no sign of a standby that is away. */
const WAITING_COMMITS = `
  SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND now() - state_change > interval '1 second'`;

/** A crash of the program, not of the machine: what Postgres has written stays in the memory of the system. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_keep_size: '1GB',
  max_connections: 300,
  wal_receiver_timeout: '5s',
};

interface Member {
  name: string;
  folder: string;
  server: EmbeddedPostgres;
}

/** A process of Postgres may end by itself before its signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const listChildren = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

function countDeadlocks({ folder }: Member): number {
  const log = join(folder, 'log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('deadlock detected').length - 1 : 0;
}

/** A primary and the standby that follows it. Each can be killed or frozen, and comes back as the standby. */
export class PostgresPair {
  /** The deadlocks in logs that were removed. */
  private earlierDeadlocks = 0;

  private constructor(
    private readonly network: Network,
    private primary: Member,
    private standby: Member,
  ) {}

  static async start(
    folder: string,
    network: Network,
    names: readonly [string, string],
  ): Promise<PostgresPair> {
    const [first, second] = names.map((name) => ({ name, folder: join(folder, name) })) as [Member, Member];
    first.server = await startEmbeddedPostgres({ folder: first.folder, settings: SETTINGS });
    const pair = new PostgresPair(network, first, second);
    await pair.buildStandby();
    return pair;
  }

  get members(): readonly Member[] {
    return [this.primary, this.standby];
  }

  get primaryName(): string {
    return this.primary.name;
  }

  get standbyName(): string {
    return this.standby.name;
  }

  /** The primary's address, without a proxy. */
  get url(): string {
    return this.primary.server.url;
  }

  /** Whether a commit waits for the standby, which must be running. */
  async setSynchronous(isSynchronous: boolean): Promise<void> {
    await this.setStandbyNames(isSynchronous ? STANDBY : '');
    await until(async () => (await this.findSyncState()) === (isSynchronous ? 'sync' : 'async'));
  }

  /** Waits until commits no longer wait for a standby that was away. */
  async isFollowed(): Promise<void> {
    await until(async () => (await this.execute(WAITING_COMMITS)).length === 0, FOLLOW_TIMEOUT_MS);
  }

  /** No commit waits for a standby any more, also none that is waiting now. */
  goOnAlone(): Promise<void> {
    return this.setStandbyNames('');
  }

  freezePrimary(): void {
    this.signalAll(this.primary, 'SIGSTOP');
  }

  freezeStandby(): void {
    this.signalAll(this.standby, 'SIGSTOP');
  }

  thawStandby(): void {
    this.signalAll(this.standby, 'SIGCONT');
  }

  /** Ends all processes of the primary, which also makes sure that it accepts no more writes. */
  killPrimary(): Promise<void> {
    return this.kill(this.primary);
  }

  killStandby(): Promise<void> {
    return this.kill(this.standby);
  }

  /** Makes the standby the primary. No server may reach the old one any more. */
  async promote(): Promise<void> {
    [this.primary, this.standby] = [this.standby, this.primary];
    await this.execute('SELECT pg_promote()');
  }

  /** Copies the primary to the other member, which follows it from then on. */
  async buildStandby(): Promise<void> {
    const { primary, standby } = this;
    const port = (standby.server as EmbeddedPostgres | undefined)?.port;
    this.earlierDeadlocks += countDeadlocks(standby);
    rmSync(standby.folder, { recursive: true, force: true });
    const client = new Client(this.url);
    await client.connect();
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    // A temporary file may vanish while it is copied, which is an error of cp only.
    await promisify(execFile)('cp', ['-a', primary.folder, standby.folder]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    await client.end();
    // Otherwise the deadlocks of the primary would count twice.
    rmSync(join(standby.folder, 'log'));
    const inData = (name: string) => join(standby.folder, 'data', name);
    rmSync(inData('postmaster.pid'));
    truncateSync(inData('postgresql.auto.conf'));
    const { uid, gid } = statSync(inData('PG_VERSION'));
    for (const [name, content = ''] of [['backup_label', rows[0]?.labelfile], ['standby.signal']]) {
      writeFileSync(inData(name as string), content);
      chownSync(inData(name as string), uid, gid);
    }
    const {
      hostname,
      port: primaryPort,
      username,
      password,
    } = new URL(await this.network.link(standby.name, primary.name, this.url));
    const conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
    standby.server = await startEmbeddedPostgres({
      folder: standby.folder,
      settings: { ...SETTINGS, primary_conninfo: `${conninfo} application_name=${STANDBY}` },
      port,
    });
    await until(() => this.findSyncState());
  }

  /** The deadlocks in the logs of both members since the start; the statistics of Postgres do not survive a crash. */
  countDeadlocks(): number {
    return this.members.map(countDeadlocks).reduce((sum, count) => sum + count, this.earlierDeadlocks);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => this.kill(member)));
  }

  private async setStandbyNames(names: string): Promise<void> {
    await this.execute(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await this.execute('SELECT pg_reload_conf()');
  }

  /** Reaches every process of a member: those of a machine that hangs all stop. */
  private signalAll({ server: { pid } }: Member, name: NodeJS.Signals): void {
    for (const each of [pid, ...listChildren(pid)]) signal(each, name);
  }

  private async kill(member: Member): Promise<void> {
    const { server, folder } = member;
    if (!server.isRunning()) return;
    this.signalAll(member, 'SIGKILL');
    await until(() => !server.isRunning());
    appendFileSync(join(folder, 'log'), 'Killed by the cluster suite\n');
  }

  private async findSyncState(): Promise<string | undefined> {
    const [row] = await this.execute<{ sync_state: string }>(
      `SELECT sync_state FROM pg_stat_replication WHERE application_name = '${STANDBY}' AND state = 'streaming'`,
    );
    return row?.sync_state;
  }

  private async execute<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client(this.url);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
}
