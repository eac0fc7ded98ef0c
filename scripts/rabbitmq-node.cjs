const { execFile, spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const fs = require('node:fs');
const { connect } = require('node:net');
const { dirname, join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');
const { freePorts } = require('./free-ports.cjs');
const { hasEnded, identify, isRunning } = require('./processes.cjs');

const START_TIMEOUT_MS = 60_000;
const usualFolders =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/bin:/opt/homebrew/sbin:/opt/homebrew/bin';
const searchPath = `${process.env.PATH ?? ''}:${usualFolders}`.split(':').filter(Boolean);

/**
 * RabbitMQ's own server script, or null where the machine has none. The one on PATH may be a packager's wrapper that
 * changes user and folders; the real one has `rabbitmq-env` beside it.
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
 * Starts a RabbitMQ node of its own: own ports, cookie, password, data and Erlang port mapper, all under `dir` and on
 * 127.0.0.1 only. It touches no other node of the machine, and runs as whoever calls, root included.
 *
 * `settings` are further lines of its rabbitmq.conf.
 * @returns a node that can be stopped, killed and frozen, and started again on the same address with the same data
 */
async function startRabbitmqNode({ dir, settings = [] }) {
  const server = findRabbitmqServer();
  if (!server) throw new Error('There is no rabbitmq-server on this machine.');
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const [port, distributionPort, mapperPort] = await freePorts(3);
  const password = randomBytes(24).toString('base64url');
  const url = `amqp://parley:${password}@127.0.0.1:${port}`;
  writeSettings(dir, port, password, settings);
  const env = {
    PATH: searchPath.join(':'),
    LANG: 'C.UTF-8',
    HOME: dir,
    RABBITMQ_NODENAME: `parley-${randomBytes(4).toString('hex')}@localhost`,
    RABBITMQ_MNESIA_BASE: join(dir, 'data'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(dir, 'rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_DIST_PORT: String(distributionPort),
    // Schedulers without work would go on looking for some, on cores that others need.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none',
    // Several nodes on one machine would otherwise be bound to the same processor cores.
    RABBITMQ_SCHEDULER_BIND_TYPE: 'u',
    // Makes the script become the broker, so that its pid is the broker's.
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
    get pid() {
      return broker?.pid;
    },

    /** Starts it, and resolves when it takes connections. */
    async start() {
      mapper = launch('epmd', findProgram('epmd'), ['-port', String(mapperPort)]);
      // A broker that does not find it would start one that outlives us.
      await until(() => connects(mapperPort), mapper, join(dir, 'epmd.log'));
      broker = launch('broker', server, []);
      try {
        await until(() => takesClients(url), broker, join(dir, 'broker.log'));
      } catch (error) {
        await node.kill();
        throw error;
      }
    },

    /** Ends it in order; its durable queues and their messages stay. */
    async stop() {
      node.thaw();
      broker.signal('SIGTERM');
      if (!(await hasEnded(broker.identity, 20_000))) broker.signal('SIGKILL');
      await ended();
    },

    /** Ends it as a crash would. */
    async kill(signal = 'SIGKILL') {
      broker.signal(signal);
      if (signal !== 'SIGKILL') node.thaw();
      await ended();
    },

    async restart() {
      await node.stop();
      await node.start();
    },

    /** Stops its execution: connections stay open and nothing answers. */
    freeze: () => broker.signal('SIGSTOP'),
    thaw: () => broker.signal('SIGCONT'),

    /** Runs a command of rabbitmqctl on it, and resolves with what that printed. */
    async control(...command) {
      const program = join(dirname(server), 'rabbitmqctl');
      const { stdout } = await promisify(execFile)(program, ['--quiet', ...command], { cwd: dir, env });
      return stdout;
    },

    /** Runs a shell script whose `rabbitmqctl` is that of this node, with variables; it ends at the first failure. */
    async shell(script, variables = {}) {
      const path = `${dirname(server)}:${env.PATH}`;
      const shellEnv = { ...env, ...variables, PATH: path };
      const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: dir, env: shellEnv });
      return stdout;
    },
  };

  async function ended() {
    await hasEnded(broker.identity, 20_000);
    mapper.signal('SIGKILL');
    await hasEnded(mapper.identity, 5_000);
  }

  /** Starts a program in a session of its own, so that a Ctrl-C in the terminal does not reach it. */
  function launch(name, program, args) {
    const log = fs.openSync(join(dir, `${name}.log`), 'a', 0o600);
    const child = spawn(program, args, { cwd: dir, env, detached: true, stdio: ['ignore', log, log] });
    fs.closeSync(log);
    child.on('error', () => {});
    child.unref();
    const identity = identify(child.pid) ?? '';
    // For whoever has to clean up after us.
    fs.writeFileSync(join(dir, `${name}.pid`), identity);
    const signal = (name) => isRunning(identity) && process.kill(child.pid, name);
    return { pid: child.pid, identity, signal };
  }

  await node.start();
  return node;
}

/** Its own settings instead of those under /etc/rabbitmq; the files that stay away would also be looked for there. */
function writeSettings(dir, port, password, further) {
  const settings = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    'default_user = parley',
    `default_pass = ${password}`,
    'disk_free_limit.absolute = 50MB',
    'log.console = false',
    ...further,
  ];
  const write = (name, content) => fs.writeFileSync(join(dir, name), content, { mode: 0o600 });
  write('rabbitmq.conf', `${settings.join('\n')}\n`);
  write('rabbitmq-env.conf', '');
  write('enabled_plugins', '[].\n');
  // Erlang wants its cookie readable by nobody else, and makes a predictable one where there is none.
  write('.erlang.cookie', randomBytes(24).toString('hex'));
}

function findProgram(name) {
  const found = searchPath.map((folder) => join(folder, name)).find((path) => fs.existsSync(path));
  if (found || name === 'erl') return found;
  // Some packages put only erl on PATH.
  const beside = join(dirname(fs.realpathSync(findProgram('erl'))), name);
  return fs.existsSync(beside) ? beside : undefined;
}

async function until(ready, { identity }, log) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await ready())) {
    if (isRunning(identity) && Date.now() < deadline) await sleep(50);
    else throw new Error(`RabbitMQ could not be started.\n${fs.readFileSync(log, 'utf8').slice(-4_000)}`);
  }
}

async function connects(port) {
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

async function takesClients(url) {
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
