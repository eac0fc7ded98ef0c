import type { Readable } from 'node:stream';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, FileStorage } from './file-storage';

/** Files in a folder, named by their random keys, so that no text of a client is part of a path. */
export class LocalFileStorage extends FileStorage {
  constructor(private readonly folder: string) {
    super();
  }

  async keep(key: string, path: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await move(path, join(this.folder, key));
  }

  async read(key: string, range: ByteRange): Promise<Readable | undefined> {
    try {
      return (await open(join(this.folder, key))).createReadStream(range);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
      return undefined;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(join(this.folder, key), { force: true });
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // The folder may be on another volume.
    if ((error as { code?: unknown }).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  }
}
