import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { findPendingMigrations, migrate } from './migrate';

/** Migrates the database of the settings. The command line of the operator uses it. */
@Injectable()
export class MigrationsService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  findPending() {
    return findPendingMigrations(this.config);
  }

  run() {
    return migrate(this.config);
  }
}
