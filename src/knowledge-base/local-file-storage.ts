import { isUUID } from 'class-validator';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStorage } from './file-storage';

const isError = (error: unknown, code: string) => (error as { code?: unknown }).code === code;

/** Files in a folder, named by their random keys: nothing that a client wrote becomes part of a path. */
export class LocalFileStorage extends FileStorage {
  constructor(private readonly folder: string) {
    super();
  }

  async keep(path: string): Promise<string> {
    const key = randomUUID();
    await mkdir(this.folder, { recursive: true });
    await move(path, join(this.folder, key));
    return key;
  }

  async remove(key: string): Promise<void> {
    await rm(join(this.folder, key), { force: true });
  }

  async *olderThan(milliseconds: number): AsyncIterable<string> {
    for await (const { name } of await this.entries()) {
      const found = await stat(join(this.folder, name)).catch(unlessGone);
      // ctime is set by moving a file here; mtime is the time of the upload's last byte.
      if (found && isUUID(name) && Date.now() - found.ctimeMs >= milliseconds) yield name;
    }
  }

  private async entries() {
    await mkdir(this.folder, { recursive: true });
    return opendir(this.folder);
  }
}

function unlessGone(error: unknown): undefined {
  if (!isError(error, 'ENOENT')) throw error;
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // The folder may be a volume of its own.
    if (!isError(error, 'EXDEV')) throw error;
    await copyFile(from, to);
    await rm(from);
  }
}
