import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { CallRollupsService } from './call-rollups.service';

/** Calls can be rolled up once in a quarter of an hour, or later if one of them is still in progress. */
const PAUSE_MS = 30_000;

/** Rolls up ended calls in the background. */
@Injectable()
export class CallRollupsLoop implements OnApplicationBootstrap {
  constructor(
    private readonly rollups: CallRollupsService,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.rollups.rollUp({ isStopping: () => this.loops.areStopping }),
      PAUSE_MS,
      'Calls could not be rolled up; the next attempt follows',
    );
  }
}
