import { Worker } from 'node:worker_threads';

/**
 * A child ends itself with this signal when it takes too much memory. Nothing else sends it, and it leaves no core file.
 * Windows has SIGKILL only.
 */
export const OVER_MEMORY = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2';

/** Of the whole process: what parsers allocate outside of the JavaScript heap has no limit of its own. */
const MAX_RESIDENT_BYTES = 768 * 1024 * 1024;

/** Ends this process, a child, with the server and at its bound of memory. */
export function guardChild(): void {
  // A thread can look while the parser keeps the main thread busy.
  const watching = `
    setInterval(() => {
      if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
      if (process.memoryUsage.rss() > ${MAX_RESIDENT_BYTES}) process.kill(process.pid, '${OVER_MEMORY}');
    }, 20);`;
  new Worker(watching, { eval: true }).unref();
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches the whole group; the server ends its children itself, after the requests under way.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}
