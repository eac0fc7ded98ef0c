import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { migrate } from '../../src/platform/database/migrate';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, TestParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

const ROOT = join(__dirname, '..', '..');
const PACKAGES = '/usr/lib/postgresql';

/** The programs of an installed Postgres; the embedded one has no pg_dump. */
const [version] = (existsSync(PACKAGES) ? readdirSync(PACKAGES) : [])
  .filter((name) => existsSync(join(PACKAGES, name, 'bin', 'initdb')))
  .sort((a, b) => Number(b) - Number(a));
const programs = version && join(PACKAGES, version, 'bin');

const run = (command: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(command[0] as string, command.slice(1), {
    env: { ...process.env, ...env },
    cwd: '/tmp',
  });

/** Postgres refuses to run as root. */
const asPostgres = (command: string[]) =>
  run(process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command);

/** The command of docs/backup.md that begins with this word. */
function readCommand(word: string): string {
  const command = readFileSync(join(ROOT, 'docs/backup.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${word} `));
  if (!command) throw new Error(`docs/backup.md has no ${word}.`);
  return command;
}

(programs ? describe : describe.skip)('A dump of a database under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-backup-'));
  const data = join(folder, 'data');
  let port: number;
  const createUrl = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  const database = (name: string) => ({ url: createUrl(name), drop: () => Promise.resolve() });

  beforeAll(async () => {
    [port] = (await freePorts(1)) as [number];
    if (process.getuid?.() === 0) await run(['chown', 'postgres', folder]);
    await asPostgres([`${programs}/initdb`, '-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C.UTF-8']);
    const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
    await asPostgres([
      `${programs}/pg_ctl`,
      'start',
      '-w',
      '-D',
      data,
      '-l',
      join(folder, 'log'),
      '-o',
      options,
    ]);
    const client = new Client(createUrl('postgres'));
    await client.connect();
    for (const name of ['original', 'restored'])
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await client.end();
  });

  afterAll(async () => {
    await asPostgres([`${programs}/pg_ctl`, 'stop', '-D', data, '-m', 'immediate']);
    rmSync(folder, { recursive: true });
  });

  test('is restored elsewhere without a violation, and a server finishes its calls', async () => {
    const env = {
      PATH: `${programs}:${process.env.PATH}`,
      DATABASE_URL: createUrl('original'),
      RESTORED_URL: createUrl('restored'),
      DUMP: join(tmpdir(), `${port}.dump`),
    };
    await migrate({ DATABASE_URL: env.DATABASE_URL });
    const original = await TestParley.start({}, database('original'));
    const workspace = await original.workspace({ credits: 100_000 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    // The dump must have a call, and may begin before the next one is stored.
    const started = [await calls.start()];
    let isLoaded = true;
    const load = (async () => {
      while (isLoaded) started.push(await calls.start());
    })();
    await run(['sh', '-ec', readCommand('pg_dump')], env);
    isLoaded = false;
    await load;
    await original.stop({ keepDatabase: true });

    await run(['sh', '-ec', readCommand('pg_restore')], env);
    const operator = new OperatorProcess({ DATABASE_URL: env.RESTORED_URL, JWT_SECRET });
    const { code, stdout } = await operator.run(['verify', '--json']);
    await operator.finish();
    expect(JSON.parse(stdout)).toMatchObject({ violations: [] });
    expect(code).toBe(0);

    const restored = await TestParley.start({ SWEEP_INTERVAL_MS: '100' }, database('restored'));
    const worker = await TestWorker.start(restored);
    const rows = await restored.sql<{ id: string }>('SELECT id FROM conversations');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(started.length);
    for (const { id } of rows) await (await (await worker.findOffer(id)).take()).ended();
    const underWay = 'SELECT FROM conversations WHERE ended_at IS NULL';
    await until(async () => (await restored.sql(underWay)).length === 0);
    await worker.stop();
    await restored.stop({ keepDatabase: true });
    rmSync(env.DUMP);
  });
});
