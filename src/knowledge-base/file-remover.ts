import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../jobs/job-runner';
import { FileStorage } from './file-storage';

/** The job that removes the files of what has been deleted. */
export const REMOVE_FILES = 'knowledge-base.remove-files';

@Injectable()
export class FileRemover implements OnModuleInit {
  constructor(
    private readonly jobs: JobRunner,
    private readonly files: FileStorage,
  ) {}

  onModuleInit(): void {
    this.jobs.register(REMOVE_FILES, async ({ keys }: { keys: string[] }) => {
      for (const key of keys) await this.files.remove(key);
    });
  }
}
