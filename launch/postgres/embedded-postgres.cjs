const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { dirname, join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { freePorts } = require('../process/free-ports.cjs');
const { LaunchError } = require('../process/launch-error.cjs');
const { postgresBinaries } = require('./postgres-binaries.cjs');
const { postgresFolder } = require('./postgres-folder.cjs');
const processes = require('../process/processes.cjs');
const { readOrCreateSecret } = require('../process/secret-file.cjs');

const START_TIMEOUT_MS = 120_000;
const RETRYABLE =
  /Address already in use|lock file .* (already exists|is empty)|shared memory block .* in use/;
/** The last line of postmaster.pid, of a server that can write and of one that follows another. */
const READY = ['ready', 'standby'];
// In a separate session, it does not receive the terminal's Ctrl-C, so the application can finish its work first.
const detachedOptions = { detached: true, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };

/**
 * Starts the private Postgres of a folder, or adopts the one that a crash left running. The caller must hold a lock.
 * If a call is killed at any moment, the next one recovers: the result of initdb is renamed when it is complete, and a
 * stale postmaster.pid is removed.
 *
 * @param folder contains the database, the password and the log
 * @param settings of Postgres, such as { fsync: 'off' }; an adopted server keeps the settings of its start
 * @param port for a new server; any free port by default
 */
async function startEmbeddedPostgres({ folder: path, settings = {}, port }) {
  const folder = postgresFolder(path);
  const binaries = postgresBinaries(folder.account);
  const server = { ...folder, ...binaries, password: readOrCreateSecret(folder.passwordFile), settings };
  if (!fs.existsSync(server.data)) await initialize(server);
  checkVersion(server);

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const running = runningPostmaster(server.data);
    if (!running) {
      const started = await startServer(server, port ?? (await freePorts(1))[0], deadline);
      if (started) return { ...started, adopted: false };
    } else if (await acceptsConnections(running.port, server.password)) {
      return { ...serverHandle(running, server.password), adopted: true };
    }
    // Postgres is starting or stopping, or child processes of a killed server have not all ended yet.
    await sleep(100);
  }
  throw new LaunchError(`Postgres does not answer. Its log is ${server.log}.`);
}

async function initialize({ account, data, programs, password }) {
  processes.removeStaleFiles(data);
  const temporary = processes.temporaryPath(data);
  const passwordFile = join(temporary, 'password');
  fs.mkdirSync(temporary, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { flag: 'wx', mode: 0o600 });
  if (account) for (const each of [passwordFile, temporary]) fs.lchownSync(each, account.uid, account.gid);
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // The built-in locale is the same on every system and does not depend on the system's locales.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  // Only extensions use the system's character types. With C, pg_trgm would ignore all characters beyond ASCII.
  const characterTypes = `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`;
  await run(
    join(programs, 'initdb'),
    [...options, ...locale, characterTypes, '-D', join(temporary, 'data')],
    account,
  );
  fs.renameSync(join(temporary, 'data'), data);
  fs.rmSync(temporary, { recursive: true, force: true });
}

function checkVersion({ data, majorVersion }) {
  const found = Number.parseInt(fs.readFileSync(join(data, 'PG_VERSION'), 'utf8'), 10);
  if (found === majorVersion) return;
  throw new LaunchError(
    `The database in ${data} has the format of Postgres ${found}, and Parley uses Postgres ${majorVersion}. Dump it ` +
      `with pg_dump and the Parley that created it, move ${dirname(data)} away, start Parley and restore the dump.`,
  );
}

/** Starts the server and waits until it answers. Returns null if the start should be retried. */
async function startServer({ account, data, log, programs, password, settings }, port, deadline) {
  const options = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...settings };
  const logFile = fs.openSync(log, 'a', 0o600);
  const logSize = fs.statSync(log).size;
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...detachedOptions, ...account, stdio: ['ignore', logFile, logFile] },
  );
  fs.closeSync(logFile);
  let failure;
  child.on('error', (error) => (failure = error));
  child.on('exit', (code, signal) => (failure = new Error(`it ended immediately (${signal ?? code})`)));
  while (!failure && Date.now() < deadline) {
    // The file proves that this server has the port; another program may have taken it first.
    const { pid, status } = postmasterFile(data);
    if (pid === child.pid && READY.includes(status) && (await acceptsConnections(port, password))) {
      child.unref();
      return serverHandle({ pid: child.pid, port }, password);
    }
    await sleep(20);
  }
  const output = fs.readFileSync(log).subarray(logSize).toString().trim();
  if (RETRYABLE.test(output)) return null;
  if (!failure) child.kill('SIGQUIT');
  throw new LaunchError(
    `Postgres could not be started: ${failure?.message ?? 'it does not answer'}.\n${output}`,
  );
}

/** The server that uses a data folder, according to its postmaster.pid; null if there is none. */
function runningPostmaster(data) {
  const { path, age, pid, port } = postmasterFile(data);
  if (!path) return null;
  // A server writes the file when it creates it. A power failure may leave it empty, which prevents every start.
  if (!pid && age > 2_000) fs.rmSync(path);
  const command = processes.readCommand(pid);
  if (!command) return null;
  const folder = processes.readWorkingFolder(pid);
  if (processes.readUser(pid) === fs.statSync(data).uid) {
    if (folder ? folder === data : command.includes(data)) return { pid, port };
    if (!folder && command.includes('postgres')) {
      throw new LaunchError(`Another Postgres (process ${pid}) may be using ${data}. Stop it first.`);
    }
  }
  // The pid belongs to another program now, or the file was copied from a server in another folder.
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

async function acceptsConnections(port, password) {
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
        `The Postgres on port ${port} does not accept the password that is stored beside its data.`,
      );
    }
    return false;
  } finally {
    client.end().catch(() => {});
  }
}

function serverHandle({ pid, port }, password) {
  const identity = processes.identify(pid);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid,
    isRunning: () => processes.isRunning(identity),
    /** Shuts down fast. If that takes too long, it stops immediately, and Postgres recovers at its next start. */
    async stop() {
      if (!processes.isRunning(identity)) return;
      process.kill(pid, 'SIGINT');
      if (await processes.endsWithin(identity, 8_000)) return;
      process.kill(pid, 'SIGQUIT');
      await processes.endsWithin(identity, 6_000);
    },
  };
}

function run(program, args, account) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...detachedOptions, ...account, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new LaunchError(`initdb failed.\n${output}`)),
    );
  });
}

module.exports = { startEmbeddedPostgres, runningPostmaster };
