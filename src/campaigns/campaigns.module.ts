import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { MonitoringModule } from '../monitoring/monitoring.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { CampaignCalls } from './campaign-calls';
import { CampaignRecipientsRepository } from './campaign-recipients.repository';
import { CampaignRunner } from './campaign-runner';
import { CampaignsController } from './campaigns.controller';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';
import { ImportProgress } from './import-progress';
import { RecipientImport } from './recipient-import';

@Module({
  imports: [AgentsModule, CallsModule, MonitoringModule, WorkspacesModule],
  controllers: [CampaignsController],
  providers: [
    CampaignsRepository,
    CampaignRecipientsRepository,
    CampaignsService,
    ImportProgress,
    RecipientImport,
    CampaignCalls,
    CampaignRunner,
  ],
})
export class CampaignsModule {}
