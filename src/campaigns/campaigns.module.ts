import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { CampaignRecipient } from './campaign-recipient.entity';
import { CampaignRunner } from './campaign-runner';
import { Campaign } from './campaign.entity';
import { CampaignsController } from './campaigns.controller';
import { CampaignsService } from './campaigns.service';
import { RecipientImport } from './recipient-import';

const campaigns = scopedRepository(Campaign);

@Module({
  imports: [
    ...campaigns.imports,
    TypeOrmModule.forFeature([CampaignRecipient]),
    AgentsModule,
    CallsModule,
    WorkspacesModule,
  ],
  controllers: [CampaignsController],
  providers: [...campaigns.providers, CampaignsService, RecipientImport, CampaignRunner],
})
export class CampaignsModule {}
