import { Module } from '@nestjs/common';
import { CallRollupsModule } from '../calls/call-rollups.module';
import { MeasurementsModule } from '../reports/measurements.module';
import { VerificationRepository } from './verification.repository';
import { VerificationService } from './verification.service';

/** The module stands alone, because the operator's command uses it too. */
@Module({
  imports: [CallRollupsModule, MeasurementsModule],
  providers: [VerificationRepository, VerificationService],
  exports: [VerificationService],
})
export class VerificationModule {}
