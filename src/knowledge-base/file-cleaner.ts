import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { FileStorage } from './file-storage';
import { LocalFileStorage } from './local-file-storage';
import { uploadsFolder } from '../common/multipart';

const HOUR_MS = 3_600_000;

/** Far longer than an upload and its transaction take. */
const GRACE_MS = HOUR_MS;

const OF_NOBODY: Statement = {
  name: 'files-of-nobody',
  text: `
    SELECT key FROM unnest($1::uuid[]) AS key
    WHERE NOT EXISTS (SELECT FROM knowledge_base_sources WHERE file_key = key)`,
};

/** Removes, every hour, what a crash between a file and its row has left: kept files of no source, unfinished uploads. */
@Injectable()
export class FileCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FileCleaner.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly files: FileStorage,
    private readonly sql: Sql,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.ROLES.includes('background')) return;
    const clean = () =>
      void this.clean(GRACE_MS).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'Files that belong to nobody could not be removed'),
      );
    this.timer = setInterval(clean, HOUR_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async clean(graceMs: number): Promise<void> {
    for await (const key of this.files.olderThan(graceMs)) {
      const [row] = await this.sql.run<{ key: string }>(OF_NOBODY, [[key]]);
      if (row) await this.files.remove(key);
    }
    const uploads = new LocalFileStorage(uploadsFolder(this.config));
    for await (const key of uploads.olderThan(graceMs)) await uploads.remove(key);
  }
}
