import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { KnowledgeBaseModule } from '../knowledge-base/knowledge-base.module';
import { PublishingModule } from '../publishing/publishing.module';
import { RehearsalsModule } from '../rehearsals/rehearsals.module';
import { ToolsModule } from '../tools/tools.module';
import { AgentCode } from './agent-code';
import { CodeController } from './code.controller';
import { CodeRepository } from './code.repository';
import { CodeService } from './code.service';
import { RehearsalCode } from './rehearsal-code';
import { ToolCode } from './tool-code';

@Module({
  imports: [AgentsModule, KnowledgeBaseModule, PublishingModule, RehearsalsModule, ToolsModule],
  controllers: [CodeController],
  providers: [AgentCode, CodeRepository, CodeService, RehearsalCode, ToolCode],
})
export class CodeModule {}
