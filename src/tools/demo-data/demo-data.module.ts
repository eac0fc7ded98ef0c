import { Module } from '@nestjs/common';
import { CallRollupsModule } from '../../features/calls/call-rollups.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { DemoDataRepository } from './demo-data.repository';
import { DemoDataService } from './demo-data.service';

@Module({
  imports: [WorkspacesModule, CallRollupsModule],
  providers: [DemoDataRepository, DemoDataService],
  exports: [DemoDataService],
})
export class DemoDataModule {}
