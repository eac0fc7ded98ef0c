import { Module } from '@nestjs/common';
import { DoNotCallModule } from '../do-not-call/do-not-call.module';
import { KnowledgeBaseModule } from '../knowledge-base/knowledge-base.module';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module';
import { ToolsModule } from '../tools/tools.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { AgentAnalysisController } from './agent-analysis.controller';
import { AgentAnalysisService } from './agent-analysis.service';
import { AgentVersionsController } from './agent-versions.controller';
import { AgentVersionsRepository } from './agent-versions.repository';
import { AgentVersionsService } from './agent-versions.service';
import { AgentsController } from './agents.controller';
import { AgentsRepository } from './agents.repository';
import { AgentsService } from './agents.service';
import { KnowledgeBaseAssignmentsController } from './knowledge-base-assignments.controller';
import { KnowledgeBaseAssignmentsRepository } from './knowledge-base-assignments.repository';
import { AgentToolsService } from './agent-tools.service';
import { KnowledgeBaseAssignmentsService } from './knowledge-base-assignments.service';
import { PromptTemplatesController } from './prompt-templates.controller';
import { PromptTemplatesRepository } from './prompt-templates.repository';
import { PromptTemplatesService } from './prompt-templates.service';

@Module({
  imports: [WorkspacesModule, PhoneNumbersModule, KnowledgeBaseModule, DoNotCallModule, ToolsModule],
  controllers: [
    AgentsController,
    AgentAnalysisController,
    AgentVersionsController,
    KnowledgeBaseAssignmentsController,
    PromptTemplatesController,
  ],
  providers: [
    AgentsRepository,
    AgentsService,
    AgentVersionsRepository,
    AgentVersionsService,
    AgentToolsService,
    AgentAnalysisService,
    KnowledgeBaseAssignmentsRepository,
    KnowledgeBaseAssignmentsService,
    PromptTemplatesRepository,
    PromptTemplatesService,
  ],
  exports: [AgentAnalysisService, AgentsService, AgentVersionsService],
})
export class AgentsModule {}
