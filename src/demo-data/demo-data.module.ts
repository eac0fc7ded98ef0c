import { Module } from '@nestjs/common';
import { CallRollupsModule } from '../calls/call-rollups.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { DemoDataRepository } from './demo-data.repository';
import { DemoDataService } from './demo-data.service';

@Module({
  imports: [WorkspacesModule, CallRollupsModule],
  providers: [DemoDataRepository, DemoDataService],
  exports: [DemoDataService],
})
export class DemoDataModule {}
