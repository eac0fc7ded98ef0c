import { Module } from '@nestjs/common';
import { CallDeletionRepository } from './lifecycle/call-deletion.repository';
import { CallRollupsRepository } from './counts/call-rollups.repository';
import { CallRollupsService } from './counts/call-rollups.service';

/** The module stands alone, because the operator's commands and the retention use it too. */
@Module({
  providers: [CallRollupsRepository, CallRollupsService, CallDeletionRepository],
  exports: [CallRollupsService, CallDeletionRepository],
})
export class CallRollupsModule {}
