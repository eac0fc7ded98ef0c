import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { StreamedAnswersModule } from '../../platform/http/streamed-answers.module';
import { MonitoringModule } from '../../platform/monitoring/monitoring.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { CampaignAdvancer } from './running/campaign-advancer';
import { CampaignCalls } from './running/campaign-calls';
import { CampaignLogRepository } from './plan/campaign-log.repository';
import { CampaignRecipientsRepository } from './recipients/campaign-recipients.repository';
import { CampaignRecipientsService } from './api/campaign-recipients.service';
import { CampaignRunner } from './running/campaign-runner';
import { CampaignSettlement } from './running/campaign-settlement';
import { CampaignSteeringController } from './api/campaign-steering.controller';
import { CampaignSteeringService } from './api/campaign-steering.service';
import { CampaignWaiting } from './running/campaign-waiting';
import { CampaignZones } from './plan/campaign-zones';
import { CampaignZonesRepository } from './plan/campaign-zones.repository';
import { CampaignsController } from './api/campaigns.controller';
import { CampaignsRepository } from './running/campaigns.repository';
import { CampaignsService } from './api/campaigns.service';
import { ImportProgress } from './recipients-file/import-progress';
import { PersonalDataRepository } from './recipients/personal-data.repository';
import { RecipientErasure } from './running/recipient-erasure';
import { RecipientExportService } from './api/recipient-export.service';
import { RecipientListRepository } from './recipients/recipient-list.repository';
import { RecipientImport } from './recipients-file/recipient-import';
import { RecipientsController } from './api/recipients.controller';
import { RecipientRemoval } from './running/recipient-removal';

@Module({
  imports: [AgentsModule, CallsModule, MonitoringModule, WorkspacesModule, StreamedAnswersModule],
  controllers: [CampaignsController, CampaignSteeringController, RecipientsController],
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
  exports: [CampaignRecipientsService, CampaignsService, CampaignSteeringService, RecipientErasure],
})
export class CampaignsModule {}
