import { Module } from '@nestjs/common';
import { ScanPermitsModule } from '../../platform/http/scan-permits.module';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { DoNotCallModule } from '../do-not-call/do-not-call.module';
import { KnowledgeBaseModule } from '../knowledge-base/knowledge-base.module';
import { ReportsModule } from '../reports/reports.module';
import { RuntimesModule } from '../runtimes/runtimes.module';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module';
import { ActingTools } from './acting-tools';
import { AgentTools } from './agent-tools';
import { CallTools } from './call-tools';
import { CampaignTools } from './campaign-tools';
import { McpController } from './mcp.controller';
import { McpEndpoint } from './mcp-endpoint';
import { ReportTools } from './report-tools';
import { ToolRunner } from './tool-runner';

@Module({
  imports: [
    AgentsModule,
    CallsModule,
    CampaignsModule,
    DoNotCallModule,
    KnowledgeBaseModule,
    ReportsModule,
    RuntimesModule,
    ScanPermitsModule,
    ToolInvocationsModule,
    WebhookEndpointsModule,
  ],
  controllers: [McpController],
  providers: [ActingTools, AgentTools, CallTools, CampaignTools, McpEndpoint, ReportTools, ToolRunner],
})
export class McpModule {}
