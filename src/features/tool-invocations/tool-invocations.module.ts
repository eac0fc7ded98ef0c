import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { createAddressRule } from '../../platform/outbound-http/public-address';
import { StreamedAnswersModule } from '../../platform/http/streamed-answers.module';
import { AgentsModule } from '../agents/agents.module';
import { ToolsModule } from '../tools/tools.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { InvocationExportService } from './invocation-export.service';
import { InvocationRecordsController } from './invocation-records.controller';
import { InvocationRecordsRepository } from './invocation-records.repository';
import { InvocationRecordsService } from './invocation-records.service';
import { InvocationWaits } from './invocation-waits';
import { LeftInvocations } from './left-invocations';
import { ToolClient } from '../tools/tool-client';
import { ToolInvocationMetrics } from './tool-invocation-metrics';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolInvocationsRepository } from './tool-invocations.repository';
import { ToolInvocationsService } from './tool-invocations.service';
import { ToolTestsController } from './tool-tests.controller';
import { ToolTestsService } from './tool-tests.service';
import { ToolRequests } from './tool-requests';
import { ToolSender } from './tool-sender';

@Module({
  imports: [AgentsModule, StreamedAnswersModule, ToolsModule, WebhooksModule],
  controllers: [ToolInvocationsController, InvocationRecordsController, ToolTestsController],
  providers: [
    InvocationRecordsRepository,
    InvocationRecordsService,
    InvocationExportService,
    InvocationWaits,
    ToolTestsService,
    ToolInvocationMetrics,
    ToolInvocationsRepository,
    ToolInvocationsService,
    ToolSender,
    ToolRequests,
    LeftInvocations,
    {
      provide: ToolClient,
      inject: [CONFIG],
      useFactory: (config: Config) => new ToolClient(createAddressRule(config)),
    },
  ],
  exports: [ToolInvocationsService],
})
export class ToolInvocationsModule {}
