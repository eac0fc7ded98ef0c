import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { ExportsModule } from '../http/exports';
import { MonitoringModule } from '../monitoring/monitoring.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { CampaignAdvancer } from './campaign-advancer';
import { CampaignCalls } from './campaign-calls';
import { CampaignLogRepository } from './campaign-log.repository';
import { CampaignRecipientsRepository } from './campaign-recipients.repository';
import { CampaignRecipientsService } from './campaign-recipients.service';
import { CampaignRunner } from './campaign-runner';
import { CampaignSettlement } from './campaign-settlement';
import { CampaignSteeringController } from './campaign-steering.controller';
import { CampaignSteeringService } from './campaign-steering.service';
import { CampaignWaiting } from './campaign-waiting';
import { CampaignZones } from './campaign-zones';
import { CampaignZonesRepository } from './campaign-zones.repository';
import { CampaignsController } from './campaigns.controller';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';
import { ImportProgress } from './import-progress';
import { PersonalDataRepository } from './personal-data.repository';
import { RecipientErasure } from './recipient-erasure';
import { RecipientExportService } from './recipient-export.service';
import { RecipientListRepository } from './recipient-list.repository';
import { RecipientImport } from './recipient-import';
import { RecipientRemoval } from './recipient-removal';

@Module({
  imports: [AgentsModule, CallsModule, MonitoringModule, WorkspacesModule, ExportsModule],
  controllers: [CampaignsController, CampaignSteeringController],
  providers: [
    CampaignsRepository,
    CampaignRecipientsRepository,
    CampaignsService,
    ImportProgress,
    RecipientImport,
    CampaignCalls,
    CampaignAdvancer,
    CampaignLogRepository,
    CampaignRunner,
    CampaignSettlement,
    CampaignRecipientsService,
    CampaignSteeringService,
    CampaignWaiting,
    RecipientExportService,
    RecipientListRepository,
    CampaignZones,
    CampaignZonesRepository,
    PersonalDataRepository,
    RecipientErasure,
    RecipientRemoval,
  ],
  exports: [RecipientErasure],
})
export class CampaignsModule {}
