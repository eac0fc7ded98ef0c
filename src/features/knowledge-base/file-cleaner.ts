import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { mkdir, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { CONFIG, type Config } from '../../config';
import { uploadsFolder } from '../../platform/http/multipart';
import { StoredFiles } from './stored-files';

const HOUR_MS = 3_600_000;

/** The time is far longer than an upload and its transaction take. */
const GRACE_MS = HOUR_MS;

/** Removes the files that a crash has left, every hour: stored files without a source, and unfinished uploads. */
@Injectable()
export class FileCleaner implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly files: StoredFiles,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.clean(GRACE_MS), HOUR_MS, 'Orphaned files could not be removed');
  }

  async clean(graceMs: number): Promise<void> {
    await this.files.removeOrphans(graceMs);
    await removeUploads(uploadsFolder(this.config), graceMs);
  }
}

/** Removes unfinished uploads, also of other processes. One that continues is written to, and so is younger. */
async function removeUploads(folder: string, graceMs: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(ignoreMissing);
    if (found && isUUID(name) && Date.now() - found.mtimeMs >= graceMs) await rm(path, { force: true });
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
}
