import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { MEASURED_CALLS, MeasurementsRepository } from './measurements.repository';

/** Reports about a call arrive in the seconds after its end. */
const PAUSE_MS = 10_000;

/** Measuring a call also adds the event of its complete transcript, for which endpoints wait. */
const LISTENED_PAUSE_MS = 1_000;

/** Measures ended calls in the background, so that no report waits for the sums that many calls change. */
@Injectable()
export class CallMeasurer implements OnApplicationBootstrap {
  constructor(
    private readonly measurements: MeasurementsRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.start({ ofListened: false }, PAUSE_MS);
    this.start({ ofListened: true }, LISTENED_PAUSE_MS);
  }

  private start(calls: { ofListened: boolean }, pauseMs: number): void {
    this.loops.start(
      () => this.loops.inBatches(MEASURED_CALLS, () => this.measurements.measureNext(calls)),
      pauseMs,
      'Calls could not be measured; the next attempt follows',
    );
  }
}
