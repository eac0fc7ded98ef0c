import { Module } from '@nestjs/common';
import { CallDeletionRepository } from './call-deletion.repository';
import { CallRollupsRepository } from './call-rollups.repository';
import { CallRollupsService } from './call-rollups.service';

/** By itself, because the operator's commands and the retention use it too. */
@Module({
  providers: [CallRollupsRepository, CallRollupsService, CallDeletionRepository],
  exports: [CallRollupsService, CallDeletionRepository],
})
export class CallRollupsModule {}
