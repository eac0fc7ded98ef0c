import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { MonitoringModule } from '../../platform/monitoring/monitoring.module';
import { createAddressRule } from '../../platform/outbound-http/public-address';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { WebhookAttemptsRepository } from './webhook-attempts.repository';
import { WebhookCleaner } from './webhook-cleaner';
import { WebhookClient } from './webhook-client';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSecretsRepository } from './webhook-secrets.repository';
import { WebhookSecretsService } from './webhook-secrets.service';
import { WebhookSender } from './webhook-sender';
import { WebhookSigner } from './webhook-signer';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  imports: [MonitoringModule, WorkspacesModule],
  controllers: [WebhooksController],
  providers: [
    WebhookAttemptsRepository,
    WebhookDeliveriesRepository,
    WebhookEndpointsRepository,
    WebhookSecretsRepository,
    WebhooksService,
    WebhookSecretsService,
    WebhookSigner,
    WebhookSender,
    {
      provide: WebhookClient,
      inject: [CONFIG],
      useFactory: (config: Config) => new WebhookClient(createAddressRule(config)),
    },
    WebhookDeliverer,
    WebhookMetrics,
    WebhookCleaner,
  ],
  exports: [WebhookEndpointsRepository, WebhookSecretsService],
})
export class WebhooksModule {}
