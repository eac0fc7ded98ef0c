const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { dirname, join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { freePorts } = require('./free-ports.cjs');
const { keptSecret } = require('./kept-secret.cjs');
const { LaunchError } = require('./launch-error.cjs');
const { postgresBinaries } = require('./postgres-binaries.cjs');
const { postgresFolder } = require('./postgres-folder.cjs');
const processes = require('./processes.cjs');

const START_TIMEOUT_MS = 120_000;
const TRY_AGAIN =
  /Address already in use|lock file .* (already exists|is empty)|shared memory block .* in use/;
// Its own session keeps a Ctrl-C in the terminal away from it, so that the application can drain first.
const apart = { detached: true, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };

/**
 * Brings up the private Postgres of a folder, or adopts the one that a crash left running. The caller sees to it
 * that nobody else does the same at the same time.
 *
 * Killed at any moment, the next call recovers: initdb works under another name and its result is renamed; a server
 * that was left running is adopted once it answers to the password; a stale postmaster.pid is taken over.
 *
 * @param folder holds the database, the password and the log
 * @param settings of Postgres, such as { fsync: 'off' }; an adopted server keeps those it was started with
 * @param port to use when it has to be started; default: any free one
 */
async function startEmbeddedPostgres({ folder: path, settings = {}, port }) {
  const folder = postgresFolder(path);
  const binaries = postgresBinaries(folder.account);
  const server = { ...folder, ...binaries, password: keptSecret(folder.passwordFile), settings };
  if (!fs.existsSync(server.data)) await initialise(server);
  checkVersion(server);

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const running = runningPostmaster(server.data);
    if (!running) {
      const started = await launch(server, port ?? (await freePorts(1))[0], deadline);
      if (started) return { ...started, adopted: false };
    } else if (await answers(running.port, server.password)) {
      return { ...handle(running, server.password), adopted: true };
    }
    // It is still starting or stopping, or its former processes have not all noticed that it is gone.
    await sleep(100);
  }
  throw new LaunchError(`Postgres does not answer; its log is ${server.log}.`);
}

async function initialise({ account, data, programs, password }) {
  processes.removeLeftovers(data);
  const fresh = processes.unfinished(data);
  const passwordFile = join(fresh, 'password');
  fs.mkdirSync(fresh, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { flag: 'wx', mode: 0o600 });
  if (account) for (const each of [passwordFile, fresh]) fs.lchownSync(each, account.uid, account.gid);
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // The built-in locale is the same on every system, and needs none of the system's.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  // Only the extensions ask the system what a letter is: with C, trigrams would leave out all beyond ASCII.
  const letters = `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`;
  await run(join(programs, 'initdb'), [...options, ...locale, letters, '-D', join(fresh, 'data')], account);
  fs.renameSync(join(fresh, 'data'), data);
  fs.rmSync(fresh, { recursive: true, force: true });
}

function checkVersion({ data, majorVersion }) {
  const found = Number.parseInt(fs.readFileSync(join(data, 'PG_VERSION'), 'utf8'), 10);
  if (found === majorVersion) return;
  throw new LaunchError(
    `The database in ${data} belongs to Postgres ${found}, and Parley brings Postgres ${majorVersion}. Dump it with ` +
      `the Parley that made it and pg_dump, move ${dirname(data)} away, start again and restore the dump.`,
  );
}

/** Starts the server and waits until it answers; null when it is to be tried again. */
async function launch({ account, data, log, programs, password, settings }, port, deadline) {
  const options = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...settings };
  const logFile = fs.openSync(log, 'a', 0o600);
  const logged = fs.statSync(log).size;
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...apart, ...account, stdio: ['ignore', logFile, logFile] },
  );
  fs.closeSync(logFile);
  let failure;
  child.on('error', (error) => (failure = error));
  child.on('exit', (code, signal) => (failure = new Error(`it ended at once (${signal ?? code})`)));
  while (!failure && Date.now() < deadline) {
    // Without a look at the file, the port might answer for somebody else who was quicker to take it.
    const { pid, status } = postmasterFile(data);
    if (pid === child.pid && status === 'ready' && (await answers(port, password))) {
      child.unref();
      return handle({ pid: child.pid, port }, password);
    }
    await sleep(20);
  }
  const said = fs.readFileSync(log).subarray(logged).toString().trim();
  if (TRY_AGAIN.test(said)) return null;
  if (!failure) child.kill('SIGQUIT');
  throw new LaunchError(
    `Postgres could not be started: ${failure?.message ?? 'it does not answer'}.\n${said}`,
  );
}

/** The server that runs on a data folder, by the file that it keeps there; null when there is none. */
function runningPostmaster(data) {
  const { path, age, pid, port } = postmasterFile(data);
  if (!path) return null;
  // A server fills it the moment it makes it; a power cut may leave it empty, and no server starts beside that.
  if (!pid && age > 2_000) fs.rmSync(path);
  const command = processes.commandOf(pid);
  if (!command) return null;
  const folder = processes.workingFolderOf(pid);
  if (processes.userOf(pid) === fs.statSync(data).uid) {
    if (folder ? folder === data : command.includes(data)) return { pid, port };
    if (!folder && command.includes('postgres')) {
      throw new LaunchError(`Another Postgres (pid ${pid}) may be using ${data}: stop it first.`);
    }
  }
  // A number that another process has by now, or a copy of the file of a server that runs elsewhere.
  fs.rmSync(path);
  return null;
}

function postmasterFile(data) {
  const path = join(data, 'postmaster.pid');
  try {
    const [pid, , , port, , , , status] = fs.readFileSync(path, 'utf8').split('\n');
    const age = Date.now() - fs.statSync(path).mtimeMs;
    return { path, age, pid: Number(pid), port: Number(port), status: status?.trim() };
  } catch {
    return {};
  }
}

async function answers(port, password) {
  const { Client } = require('pg');
  const address = { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' };
  const client = new Client({ ...address, connectionTimeoutMillis: 3_000, query_timeout: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    if (error.code === '28P01') {
      throw new LaunchError(
        `The Postgres on port ${port} does not take the password that is kept beside its data.`,
      );
    }
    return false;
  } finally {
    client.end().catch(() => {});
  }
}

function handle({ pid, port }, password) {
  const identity = processes.identify(pid);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid,
    isRunning: () => processes.isRunning(identity),
    /** Disconnects everybody, writes everything out and ends; a server that can't in time recovers at its next start. */
    async stop() {
      if (!processes.isRunning(identity)) return;
      process.kill(pid, 'SIGINT');
      if (await processes.hasEnded(identity, 8_000)) return;
      process.kill(pid, 'SIGQUIT');
      await processes.hasEnded(identity, 6_000);
    },
  };
}

function run(program, args, account) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...apart, ...account, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new LaunchError(`initdb failed.\n${said}`)),
    );
  });
}

module.exports = { startEmbeddedPostgres, runningPostmaster };
