import { LaunchError } from './launch-error.cjs';

const LIMIT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 7_000;
const steps = [];
let stopping;
let interruptedAt = 0;
let exitCode;

/** Registers what must be undone before the process ends; the last registered comes first. */
export function onShutdown(step) {
  steps.push(step);
  return () => {
    if (steps.includes(step)) steps.splice(steps.indexOf(step), 1);
  };
}

/** From here on a signal is the expected end. */
export const signalsAreExpected = () => (exitCode = 0);

/** Undoes everything and ends the process; the first call decides on the exit code. */
export function shutDown(code) {
  stopping ??= (async () => {
    setTimeout(() => {
      console.error('Stopping takes too long: giving up on the rest.');
      process.exit(code || 1);
    }, LIMIT_MS);
    while (steps.length > 0) {
      try {
        await steps.pop()();
      } catch (error) {
        console.error(explain(error));
        code ||= 1;
      }
    }
    process.exit(code);
  })();
  return stopping;
}

/** Lets the application finish what it has begun, but not for ever. @throws where something had to be cut */
export async function closeInTime(app) {
  let timer;
  const tooLong = new Promise((_, reject) => {
    const error = new LaunchError(`Some work did not end within ${CLOSE_TIMEOUT_MS / 1_000} s and was cut.`);
    timer = setTimeout(reject, CLOSE_TIMEOUT_MS, error);
  });
  await Promise.race([app.close(), tooLong]);
  clearTimeout(timer);
}

/** Makes SIGINT, SIGTERM and SIGHUP shut down; a second Ctrl-C ends the process at once. */
export function handleSignals() {
  for (const [signal, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]) {
    process.on(signal, () => {
      // On one Ctrl-C the terminal sends a SIGINT, and npm passes its own on.
      const again = interruptedAt > 0 && Date.now() - interruptedAt > 300;
      if (signal === 'SIGINT' && again) process.exit(130);
      if (signal === 'SIGINT') interruptedAt ||= Date.now();
      void shutDown(exitCode ?? 128 + number);
    });
  }
}

/**
 * Shuts down when the npm that runs us as `script` is killed, which it can't pass on: nobody would see that a server
 * still holds the port. Without npm our parent may leave us behind on purpose.
 */
export function stopWithNpm(script) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== script) return;
  setInterval(() => {
    if (process.ppid !== parent) void shutDown(exitCode ?? 1);
  }, 250).unref();
}

/** Prints what went wrong, without a stack where the message says what to do, and shuts down. */
export function fail(error) {
  if (!stopping) console.error(explain(error));
  return shutDown(1);
}

// Of a socket, and of Postgres: wrong password, no such user, no such database, no more connections.
const CONNECTION_FAILURES = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|28P01|28000|3D000|53300)/;

function explain(error) {
  const { code, syscall, message, path, address, port } = error ?? {};
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: stop it, or choose another port, such as PORT=3001 npm start`;
  }
  if (syscall === 'listen')
    return `Parley can't listen on ${address}:${port} (${code}): check HOST and PORT.`;
  if (CONNECTION_FAILURES.test(code)) {
    // Node.js gives one error for all addresses of a name no message of its own.
    return `Parley can't connect (${message || error.errors?.[0]?.message}): check DATABASE_URL and RABBITMQ_URL.`;
  }
  if (code === 'EACCES' && path) {
    return `No permission for ${path}: was Parley once started here as root? sudo chown -R gives it back to you.`;
  }
  const plain = ['LaunchError', 'ConfigError', 'Unfinished'].includes(error?.constructor?.name);
  return plain ? message : (error?.stack ?? String(error));
}
