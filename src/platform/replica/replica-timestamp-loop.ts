import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { BackgroundLoops } from '../background/background-loops';
import { ReplicaTimestampRepository } from './replica-timestamp.repository';

const WRITE_EVERY_MS = 5_000;

/** Writes the row that a replica is measured by. An installation without a replica writes nothing. */
@Injectable()
export class ReplicaTimestampLoop implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'REPORTS_DATABASE_URL'>,
    private readonly timestamp: ReplicaTimestampRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.REPORTS_DATABASE_URL === undefined) return;
    this.loops.start(
      () => this.timestamp.write(),
      WRITE_EVERY_MS,
      'The row that the replica is measured by could not be written; the next attempt follows',
    );
  }
}
