import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { CONFIG, type Config } from '../../config';
import { AuditRepository } from './audit.repository';

const HOUR_MS = 3_600_000;

const BATCH = 1_000;

/** Every hour, deletes the entries past their retention, in batches, so that no lock lasts. */
@Injectable()
export class AuditCleaner implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly entries: AuditRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.clean(), HOUR_MS, 'Old audit entries could not be deleted');
  }

  clean(): Promise<void> {
    return this.loops.inBatches(BATCH, () => this.entries.deleteOld(this.config.AUDIT_RETENTION_DAYS, BATCH));
  }
}
