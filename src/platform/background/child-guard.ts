import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

/**
 * A child sends itself this signal when it uses too much memory. Nothing else sends it, and it writes no core file.
 * Windows has only SIGKILL.
 */
export const OVER_MEMORY = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2';

/**
 * The memory of the whole process. The memory that parsers allocate outside of the JavaScript heap has no other
 * limit.
 */
const MAX_RESIDENT_BYTES = 768 * 1024 * 1024;

/** Ends this child process when its server ends or its memory exceeds the limit. */
export function guardChild(): void {
  // A thread can check while a parser blocks the main thread.
  const watch = `
    setInterval(() => {
      if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
      if (process.memoryUsage.rss() > ${MAX_RESIDENT_BYTES}) process.kill(process.pid, '${OVER_MEMORY}');
    }, 20);`;
  new workerThreads.Worker(watch, { eval: true }).unref();
  forbidThreads();
  process.on('disconnect', () => process.exit());
  // Ctrl-C signals the whole process group. The server ends its children after the requests in progress.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

/** A thread can be started without the permissions of its process. */
function forbidThreads(): void {
  class ForbiddenWorker {
    constructor() {
      throw new Error('This process may not start a thread.');
    }
  }
  Object.assign(workerThreads, { Worker: ForbiddenWorker });
  syncBuiltinESMExports();
}
