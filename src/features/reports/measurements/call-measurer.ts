import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { MEASURED_CALLS, MeasurementsRepository } from './measurements.repository';

/** An endpoint hears of a complete transcript after it. */
const PAUSE_MS = 2_000;

/** Measures ended calls in the background, so that no report waits for the sums that many calls change. */
@Injectable()
export class CallMeasurer implements OnApplicationBootstrap {
  constructor(
    private readonly measurements: MeasurementsRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.loops.inBatches(MEASURED_CALLS, () => this.measurements.measureNext()),
      PAUSE_MS,
      'Calls could not be measured; the next attempt follows',
    );
  }
}
