import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { AgentsModule } from '../agents/agents.module';
import { RehearsalsModule } from '../rehearsals/rehearsals.module';
import { Deployer } from './deployer';
import { PublishingController } from './publishing.controller';
import { PublishingRepository } from './publishing.repository';
import { PublishingService } from './publishing.service';
import { WorkspacePublishingController } from './workspace-publishing.controller';

@Module({
  imports: [WorkspacesModule, AgentsModule, RehearsalsModule],
  controllers: [PublishingController, WorkspacePublishingController],
  providers: [PublishingRepository, PublishingService, Deployer],
  exports: [PublishingService],
})
export class PublishingModule {}
