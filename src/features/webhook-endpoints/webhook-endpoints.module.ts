import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { AgentsModule } from '../agents/agents.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { WebhookEndpointsController } from './webhook-endpoints.controller';
import { WebhookEndpointsService } from './webhook-endpoints.service';

@Module({
  imports: [AgentsModule, WebhooksModule, WorkspacesModule],
  controllers: [WebhookEndpointsController],
  providers: [WebhookEndpointsService],
  exports: [WebhookEndpointsService],
})
export class WebhookEndpointsModule {}
