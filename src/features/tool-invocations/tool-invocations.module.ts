import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { createAddressRule } from '../../platform/outbound-http/public-address';
import { AgentsModule } from '../agents/agents.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { LeftInvocations } from './left-invocations';
import { ToolClient } from './tool-client';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolInvocationsRepository } from './tool-invocations.repository';
import { ToolInvocationsService } from './tool-invocations.service';
import { ToolSender } from './tool-sender';

@Module({
  imports: [AgentsModule, WebhooksModule],
  controllers: [ToolInvocationsController],
  providers: [
    ToolInvocationsRepository,
    ToolInvocationsService,
    ToolSender,
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
