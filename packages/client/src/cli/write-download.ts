import { createWriteStream, rmSync } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './errors';

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes a download into a file. A file that exists stays as it is until the download is complete.
 * @throws UsageError if it cannot be written
 */
export async function writeDownload(file: string, download: Content): Promise<void> {
  try {
    const existing = await stat(file).catch(() => undefined);
    // A device or a pipe cannot be replaced.
    if (existing && !existing.isFile()) return await write(file, download);
    await replace(existing ? await realpath(file) : file, download, existing?.mode);
  } catch (error) {
    if (!('syscall' in (error as object))) throw error;
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

async function replace(file: string, download: Content, mode?: number): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  // A signal ends the process at once, and the part would stay with the data of calls.
  const leave = (signal: NodeJS.Signals) => {
    rmSync(unfinished, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    await write(unfinished, download, mode);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, leave);
  }
}

const write = (file: string, download: Content, mode?: number): Promise<void> =>
  pipeline(Readable.from(download), createWriteStream(file, { mode }));
