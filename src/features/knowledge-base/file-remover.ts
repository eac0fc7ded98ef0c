import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/background/job-runner';
import { addJob } from '../../platform/database/add-job';
import type { Transaction } from '../../platform/database/database';
import { StoredFiles } from './stored-files';

const REMOVE_FILES = 'knowledge-base.remove-files';

/** Removes the files of deleted and replaced sources in the background. */
@Injectable()
export class FileRemover implements OnModuleInit {
  constructor(
    private readonly jobs: JobRunner,
    private readonly files: StoredFiles,
  ) {}

  onModuleInit(): void {
    this.jobs.register({ [REMOVE_FILES]: ({ keys }: { keys: string[] }) => this.files.remove(keys) });
  }

  /** Adds the job, in the transaction that deletes the sources of the files. */
  async schedule(keys: string[], transaction: Transaction): Promise<void> {
    if (keys.length > 0) await addJob({ name: REMOVE_FILES, payload: { keys } }, transaction);
  }
}
