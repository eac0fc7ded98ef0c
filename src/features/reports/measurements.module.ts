import { Module } from '@nestjs/common';
import { MeasurementsRepository } from './measurements/measurements.repository';

/** The module stands alone, because the operator's commands and the verification use it too. */
@Module({ providers: [MeasurementsRepository], exports: [MeasurementsRepository] })
export class MeasurementsModule {}
