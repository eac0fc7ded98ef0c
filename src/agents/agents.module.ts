import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { KnowledgeBaseModule } from '../knowledge-base/knowledge-base.module';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { Agent } from './agent.entity';
import { AgentKnowledgeBasesController } from './agent-knowledge-bases.controller';
import { AgentsController } from './agents.controller';
import { AgentsRepository } from './agents.repository';
import { AgentsService } from './agents.service';
import { KnowledgeBaseAssignmentsRepository } from './knowledge-base-assignments.repository';
import { KnowledgeBaseAssignmentsService } from './knowledge-base-assignments.service';
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
    KnowledgeBaseModule,
  ],
  controllers: [AgentKnowledgeBasesController, AgentsController, PromptTemplatesController],
  providers: [
    ...agents.providers,
    AgentsRepository,
    AgentsService,
    KnowledgeBaseAssignmentsRepository,
    KnowledgeBaseAssignmentsService,
    PromptTemplatesService,
  ],
  exports: [AgentsService],
})
export class AgentsModule {}
