import { LaunchError } from './launch-error.cjs';

let limitMs = 10_000;
const CLOSE_TIMEOUT_MS = 7_000;
const steps = [];
const waits = [];
let stopping;
let interruptedAt = 0;
let exitCode;

/** Registers a step that runs before the process ends, in reverse order. Returns a function that unregisters it. */
export function onShutdown(step) {
  steps.push(step);
  return () => {
    if (steps.includes(step)) steps.splice(steps.indexOf(step), 1);
  };
}

/** Registers a wait that has its own limit and comes before all steps, such as for conversations to end. It gets the signal. */
export const beforeShutdown = (wait) => waits.push(wait);

/** From now on, a signal is the normal end and results in exit code 0. */
export const signalsAreExpected = () => (exitCode = 0);

/** Gives the steps this many milliseconds: a run of tests has gigabytes to remove, which takes long on a slow disk. */
export const limitShutdown = (ms) => (limitMs = ms);

/** Runs all registered steps and ends the process. The first call determines the exit code. */
export function shutDown(code, signal) {
  stopping ??= (async () => {
    for (const wait of waits) {
      await wait(signal).catch((error) => {
        console.error(explain(error));
        code ||= 1;
      });
    }
    setTimeout(() => {
      console.error(`Parley did not stop within ${limitMs / 1_000} s and exits now.`);
      process.exit(code || 1);
    }, limitMs);
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

/** Closes the application, which completes its work in progress. @throws if that takes too long */
export async function closeInTime(app) {
  let timer;
  const tooLong = new Promise((_, reject) => {
    const error = new LaunchError(
      `Some work did not end within ${CLOSE_TIMEOUT_MS / 1_000} s and was aborted.`,
    );
    timer = setTimeout(reject, CLOSE_TIMEOUT_MS, error);
  });
  await Promise.race([app.close(), tooLong]);
  clearTimeout(timer);
}

/** Shuts down on SIGINT, SIGTERM and SIGHUP. A second Ctrl-C ends the process immediately. */
export function handleSignals() {
  for (const [signal, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]) {
    process.on(signal, () => {
      // One Ctrl-C causes two SIGINTs: one from the terminal and one from npm.
      const again = interruptedAt > 0 && Date.now() - interruptedAt > 300;
      if (signal === 'SIGINT' && again) process.exit(130);
      if (signal === 'SIGINT') interruptedAt ||= Date.now();
      void shutDown(exitCode ?? 128 + number, signal);
    });
  }
}

/**
 * Shuts down if the npm that runs this script is killed: npm cannot forward that, and a server would keep the port.
 * Without npm, the parent process may have ended on purpose.
 */
export function stopWithNpm(script) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== script) return;
  setInterval(() => {
    if (process.ppid !== parent) void shutDown(exitCode ?? 1);
  }, 250).unref();
}

/** Prints the error and shuts down. A message that says what to do is printed without a stack. */
export function fail(error) {
  if (!stopping) console.error(explain(error));
  return shutDown(1);
}

// Socket errors, and Postgres errors: wrong password, unknown user, unknown database, too many connections.
const CONNECTION_FAILURES = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|28P01|28000|3D000|53300)/;

function explain(error) {
  const { code, syscall, message, path, address, port } = error ?? {};
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program. Stop it, or choose another port: PORT=3001 npm start`;
  }
  if (syscall === 'listen')
    return `Parley cannot listen on ${address}:${port} (${code}). Check HOST and PORT.`;
  if (CONNECTION_FAILURES.test(code)) {
    // If all addresses of a name fail, Node.js throws one error without a message.
    return `Parley cannot connect (${message || error.errors?.[0]?.message}). Check DATABASE_URL and RABBITMQ_URL.`;
  }
  if (code === 'EACCES' && path) {
    return `No permission for ${path}. If Parley was started here as root, make yourself the owner of its folder with sudo chown -R.`;
  }
  const hasUsefulMessage = ['LaunchError', 'SettingsError', 'UnfinishedRequestsError'].includes(
    error?.constructor?.name,
  );
  return hasUsefulMessage ? message : (error?.stack ?? String(error));
}
