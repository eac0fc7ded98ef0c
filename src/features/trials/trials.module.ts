import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { AgentsModule } from '../agents/agents.module';
import { ReportsModule } from '../reports/reports.module';
import { TrialPermits } from './trial-permits';
import { TrialsController } from './trials.controller';
import { TrialsService } from './trials.service';

@Module({
  imports: [AgentsModule, ReportsModule, WorkspacesModule],
  controllers: [TrialsController],
  providers: [TrialPermits, TrialsService],
})
export class TrialsModule {}
