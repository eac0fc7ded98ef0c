import { Module } from '@nestjs/common';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { NotesModule } from '../notes/notes.module';
import { RehearsalsModule } from '../rehearsals/rehearsals.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { CallsOfPersonRepository } from './calls-of-person.repository';
import { ErasureRunner } from './erasure-runner';
import { ErasuresController } from './erasures.controller';
import { ErasuresRepository } from './erasures.repository';
import { ErasuresService } from './erasures.service';

@Module({
  imports: [CampaignsModule, NotesModule, RehearsalsModule, WorkspacesModule],
  controllers: [ErasuresController],
  providers: [CallsOfPersonRepository, ErasureRunner, ErasuresRepository, ErasuresService],
})
export class ErasuresModule {}
