import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { isOutcomeUnknown } from '../../platform/database/outcome-unknown';
import type { UploadedFile } from '../../platform/http/uploaded-file';
import { FileStorage } from '../../platform/files/file-storage';
import { StoredFilesRepository } from './stored-files.repository';

/**
 * Stores the uploaded files of this database's sources. Each file has a row, which is written before the file and
 * deleted after it.
 */
@Injectable()
export class StoredFiles {
  constructor(
    private readonly rows: StoredFilesRepository,
    private readonly storage: FileStorage,
  ) {}

  /**
   * Moves a file from its temporary path to the storage.
   * @returns its key
   */
  async keep(path: string): Promise<string> {
    const key = randomUUID();
    await this.rows.insert(key);
    await this.storage.keep(key, path);
    return key;
  }

  /**
   * Keeps a file for the work that adds its source, and removes it if that fails.
   * @param add gets the key; null if there is no file
   */
  async keepFor<Result>(
    file: UploadedFile | undefined,
    add: (fileKey: string | null) => Promise<Result>,
  ): Promise<Result> {
    if (!file) return add(null);
    const key = await this.keep(file.path);
    try {
      return await add(key);
    } catch (error) {
      // A source may exist after an unknown outcome and needs its file; without one, the cleaner removes the file.
      if (!isOutcomeUnknown(error)) await this.remove([key]);
      throw error;
    }
  }

  /** Removes files and their rows. It can be repeated after a crash at any point. */
  async remove(keys: string[]): Promise<void> {
    for (const key of keys) await this.storage.remove(key);
    await this.rows.delete(keys);
  }

  /** Removes the files that have no source and are older than this. */
  async removeOrphans(graceMs: number): Promise<void> {
    const keys = await this.rows.findOrphans(graceMs);
    if (keys.length > 0) await this.remove(keys);
  }
}
