const { execFile, spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const fs = require('node:fs');
const { connect } = require('node:net');
const { dirname, join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');
const { freePorts } = require('../../launch/process/free-ports.cjs');
const { endsWithin, identify, isRunning, isStopped } = require('../../launch/process/processes.cjs');

const START_TIMEOUT_MS = 60_000;
const MAX_STARTS = 3;
const usualFolders =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/bin:/opt/homebrew/sbin:/opt/homebrew/bin';
const searchPath = `${process.env.PATH ?? ''}:${usualFolders}`.split(':').filter(Boolean);

/**
 * RabbitMQ's own server script; null if it is not installed. The script on PATH may be a wrapper of a distribution that
 * changes the user and the folders. The original has `rabbitmq-env` in the same folder.
 */
function findRabbitmqServer() {
  const folders = ['/usr/lib/rabbitmq/bin', '/opt/rabbitmq/sbin', ...searchPath];
  const scripts = folders
    .map((folder) => join(folder, 'rabbitmq-server'))
    .filter((path) => fs.existsSync(path));
  const found = scripts
    .map((path) => fs.realpathSync(path))
    .find((path) => fs.existsSync(join(dirname(path), 'rabbitmq-env')));
  return found && findProgram('erl') && findProgram('epmd') ? found : null;
}

/**
 * Starts a private RabbitMQ node with its own ports, cookie, password, data and Erlang port mapper, all under `dir` and
 * on 127.0.0.1 only. It does not affect other nodes of the machine, and runs as the current user, also as root.
 *
 * @param settings additional lines of its rabbitmq.conf
 * @param advanced its advanced.config
 * @param cluster the cookie and password that the nodes of a cluster share, and the port of a running port mapper
 * @returns a node that can be stopped, killed, frozen and started again, with the same address and data
 */
async function startRabbitmqNode(options) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another program may take a free port before the node does.
      if (attempt === MAX_STARTS) throw error;
    }
  }
}

async function startOnce({ dir, settings = [], advanced = '[].', cluster }) {
  const server = findRabbitmqServer();
  if (!server) throw new Error('rabbitmq-server is not installed.');
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const [port, distributionPort, freeMapperPort] = await freePorts(3);
  const mapperPort = cluster?.mapperPort ?? freeMapperPort;
  const secret = cluster?.secret ?? randomBytes(24).toString('hex');
  const url = `amqp://parley:${secret}@127.0.0.1:${port}`;
  const name = `parley-${randomBytes(4).toString('hex')}@localhost`;
  writeSettings({ dir, port, secret, settings, advanced });
  const env = {
    PATH: searchPath.join(':'),
    LANG: 'C.UTF-8',
    HOME: dir,
    RABBITMQ_NODENAME: name,
    RABBITMQ_MNESIA_BASE: join(dir, 'data'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(dir, 'rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_DIST_PORT: String(distributionPort),
    // Idle schedulers would otherwise use CPU time while they wait for work.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none',
    // Several nodes on one machine would otherwise be bound to the same cores.
    RABBITMQ_SCHEDULER_BIND_TYPE: 'u',
    // The script then replaces itself with the broker, so both have the same pid.
    RUNNING_UNDER_SYSTEMD: 'true',
    ERL_EPMD_PORT: String(mapperPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_CRASH_DUMP: '/dev/null',
  };
  let mapper;
  let broker;

  const node = {
    url,
    port,
    name,
    get pid() {
      return broker?.pid;
    },

    /** Resolves when the node accepts connections. */
    async start() {
      if (!cluster) {
        mapper = launch('epmd', findProgram('epmd'), ['-port', String(mapperPort)]);
        // If the broker does not find a port mapper, it starts one that outlives this process.
        await waitUntil(() => canConnect(mapperPort), mapper, join(dir, 'epmd.log'));
      }
      broker = launch('broker', server, []);
      try {
        await waitUntil(() => acceptsClients(url), broker, join(dir, 'broker.log'));
      } catch (error) {
        await node.kill();
        throw error;
      }
    },

    /** Shuts the node down. Its durable queues and their messages remain. */
    async stop() {
      node.thaw();
      broker.signal('SIGTERM');
      if (!(await endsWithin(broker.identity, 20_000))) broker.signal('SIGKILL');
      await waitForEnd();
    },

    /** Ends the node as a crash does. */
    async kill(signal = 'SIGKILL') {
      broker.signal(signal);
      if (signal !== 'SIGKILL') node.thaw();
      await waitForEnd();
    },

    async restart() {
      await node.stop();
      await node.start();
    },

    /** Pauses the node: its connections stay open, but it does not answer. Resolves when no thread runs. */
    async freeze() {
      broker.signal('SIGSTOP');
      while (isRunning(broker.identity) && !isStopped(broker.identity)) await sleep(1);
    },
    thaw: () => broker.signal('SIGCONT'),

    /** Runs a rabbitmqctl command on the node, and resolves with its output. */
    async control(...command) {
      const program = join(dirname(server), 'rabbitmqctl');
      const { stdout } = await promisify(execFile)(program, ['--quiet', ...command], { cwd: dir, env });
      return stdout;
    },

    /** Runs a shell script with this node's `rabbitmqctl`, until the first command that fails. */
    async shell(script, variables = {}) {
      const path = `${dirname(server)}:${env.PATH}`;
      const shellEnv = { ...env, ...variables, PATH: path };
      const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: dir, env: shellEnv });
      return stdout;
    },
  };

  async function waitForEnd() {
    await endsWithin(broker.identity, 20_000);
    if (!mapper) return;
    mapper.signal('SIGKILL');
    await endsWithin(mapper.identity, 5_000);
  }

  /** Starts a program in a separate session, where it does not receive the terminal's Ctrl-C. */
  function launch(name, program, args) {
    const log = fs.openSync(join(dir, `${name}.log`), 'a', 0o600);
    const child = spawn(program, args, { cwd: dir, env, detached: true, stdio: ['ignore', log, log] });
    fs.closeSync(log);
    child.on('error', () => {});
    child.unref();
    const identity = identify(child.pid) ?? '';
    // test/run/clean-up.mjs kills the program if this process is killed.
    fs.writeFileSync(join(dir, `${name}.pid`), identity);
    const signal = (name) => isRunning(identity) && process.kill(child.pid, name);
    return { pid: child.pid, identity, signal };
  }

  await node.start();
  return node;
}

/** Writes all configuration files, because RabbitMQ reads those under /etc/rabbitmq instead of missing ones. */
function writeSettings({ dir, port, secret, settings: additionalSettings, advanced }) {
  const settings = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    'default_user = parley',
    `default_pass = ${secret}`,
    'disk_free_limit.absolute = 50MB',
    'log.console = false',
    ...additionalSettings,
  ];
  const write = (name, content) => fs.writeFileSync(join(dir, name), content, { mode: 0o600 });
  write('rabbitmq.conf', `${settings.join('\n')}\n`);
  write('rabbitmq-env.conf', '');
  write('advanced.config', advanced);
  write('enabled_plugins', '[].\n');
  // Erlang requires that only the owner can read its cookie, and creates a predictable one if it is missing.
  write('.erlang.cookie', secret);
}

function findProgram(name) {
  const found = searchPath.map((folder) => join(folder, name)).find((path) => fs.existsSync(path));
  if (found || name === 'erl') return found;
  // Some distributions put only erl on PATH.
  const beside = join(dirname(fs.realpathSync(findProgram('erl'))), name);
  return fs.existsSync(beside) ? beside : undefined;
}

async function waitUntil(ready, { identity }, log) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await ready())) {
    if (isRunning(identity) && Date.now() < deadline) await sleep(50);
    else throw new Error(`RabbitMQ did not start.\n${fs.readFileSync(log, 'utf8').slice(-4_000)}`);
  }
}

async function canConnect(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function acceptsClients(url) {
  const amqp = require('amqplib');
  try {
    const connection = await amqp.connect(url, { timeout: 2_000 });
    connection.on('error', () => {});
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

module.exports = { findRabbitmqServer, startRabbitmqNode };
