const LIMIT_MS = 12_000;
const steps = [];
let stopping;
let interruptedAt = 0;
let exitCode;

/** Registers what must be undone before the process ends; the last registered comes first. */
export function onShutdown(step) {
  steps.push(step);
  return () => void steps.splice(steps.indexOf(step) >>> 0, 1);
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
        console.error(error);
        code ||= 1;
      }
    }
    process.exit(code);
  })();
  return stopping;
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

/** Shuts down when npm is killed, which can't pass that on: a server without it would hold the port unseen. */
export function stopWithNpm() {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || parent <= 1) return;
  setInterval(() => {
    if (process.ppid !== parent) void shutDown(exitCode ?? 1);
  }, 250).unref();
}

/** Prints what went wrong, without a stack where the message says what to do, and shuts down. */
export function fail(error) {
  if (!stopping) console.error(explain(error));
  return shutDown(1);
}

function explain(error) {
  if (error?.syscall === 'listen' && error.code === 'EADDRINUSE') {
    return `Port ${error.port} is in use by another program: stop it, or choose another port, such as PORT=3001 npm start`;
  }
  if (error?.syscall === 'listen')
    return `Parley can't listen on ${error.address}:${error.port} (${error.code}): check HOST and PORT.`;
  const plain = ['LaunchError', 'ConfigError'].includes(error?.constructor?.name);
  return plain ? error.message : (error?.stack ?? String(error));
}
