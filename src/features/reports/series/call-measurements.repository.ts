import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database';
import type { MeasurementGroup } from './call-measurements.dto';
import {
  type FoundMeasurements,
  type MeasurementParameters,
  type MeasurementRow,
  SUM_MEASUREMENTS,
} from './call-measurements.sql';

export type { FoundMeasurements, MeasurementRow };

/** Reads the sums of latencies and usage. */
@Injectable()
export class CallMeasurementsRepository {
  async sum(
    reader: Reader,
    group: MeasurementGroup | undefined,
    parameters: MeasurementParameters,
  ): Promise<FoundMeasurements> {
    const [found] = await reader.query(SUM_MEASUREMENTS[group ?? 'all'], parameters);
    if (!found) throw new Error('The sums of measurements have no row');
    return found;
  }
}
