import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../background/job-runner';
import { StoredFiles } from './stored-files';

/** The job that removes the files of what has been deleted. */
export const REMOVE_FILES = 'knowledge-base.remove-files';

@Injectable()
export class FileRemover implements OnModuleInit {
  constructor(
    private readonly jobs: JobRunner,
    private readonly files: StoredFiles,
  ) {}

  onModuleInit(): void {
    this.jobs.register(REMOVE_FILES, ({ keys }: { keys: string[] }) => this.files.remove(keys));
  }
}
