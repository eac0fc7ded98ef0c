import { Module } from '@nestjs/common';
import { CallRollupsRepository } from './call-rollups.repository';
import { CallRollupsService } from './call-rollups.service';

/** By itself, because the operator's commands use it too. */
@Module({ providers: [CallRollupsRepository, CallRollupsService], exports: [CallRollupsService] })
export class CallRollupsModule {}
