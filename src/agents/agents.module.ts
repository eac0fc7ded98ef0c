import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { Agent } from './agent.entity';
import { AgentsController } from './agents.controller';
import { AgentsService } from './agents.service';
import { PromptTemplate } from './prompt-template.entity';
import { PromptTemplatesController } from './prompt-templates.controller';
import { PromptTemplatesService } from './prompt-templates.service';

const agents = scopedRepository(Agent);

@Module({
  imports: [
    ...agents.imports,
    TypeOrmModule.forFeature([PromptTemplate]),
    WorkspacesModule,
    PhoneNumbersModule,
  ],
  controllers: [AgentsController, PromptTemplatesController],
  providers: [...agents.providers, AgentsService, PromptTemplatesService],
  exports: [AgentsService],
})
export class AgentsModule {}
