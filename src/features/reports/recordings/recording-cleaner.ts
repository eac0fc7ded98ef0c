import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { RecordingsRepository } from './recordings.repository';
import { RecordingsService } from './recordings.service';

const BATCH = 100;

/** Removes the files of deleted recordings, and of uploads that a crash has cut. */
@Injectable()
export class RecordingCleaner implements OnApplicationBootstrap {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly service: RecordingsService,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.clean(),
      this.config.SWEEP_INTERVAL_MS,
      'Files of deleted recordings could not be removed',
    );
  }

  private clean(): Promise<void> {
    return this.loops.inBatches(BATCH, async () => {
      const keys = await this.recordings.findRemovable(BATCH);
      for (const key of keys) await this.service.remove(key);
      return keys.length;
    });
  }
}
