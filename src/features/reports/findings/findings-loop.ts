import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { FindingsRepository, FOUND_CALLS } from './findings.repository';

const PAUSE_MS = 1_000;

/** Computes findings in the background, so that neither the end of a call nor a report waits for them. */
@Injectable()
export class FindingsLoop implements OnApplicationBootstrap {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.loops.inBatches(FOUND_CALLS, () => this.findings.findNext()),
      PAUSE_MS,
      'The findings of calls could not be computed; the next attempt follows',
    );
  }
}
