import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { addressRuleOf } from '../outbound-http/public-address';
import { CONFIG, type Config } from '../config';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { WebhookAttempt } from './webhook-attempt.entity';
import { WebhookCleaner } from './webhook-cleaner';
import { WebhookClient } from './webhook-client';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookSecret } from './webhook-secret.entity';
import { WebhookSecretsService } from './webhook-secrets.service';
import { WebhookSigner } from './webhook-signer';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

const deliveries = scopedRepository(WebhookDelivery);

@Module({
  imports: [
    ...deliveries.imports,
    TypeOrmModule.forFeature([WebhookAttempt, WebhookSecret]),
    WorkspacesModule,
  ],
  controllers: [WebhooksController],
  providers: [
    ...deliveries.providers,
    WebhooksService,
    WebhookSecretsService,
    WebhookSigner,
    {
      provide: WebhookClient,
      inject: [CONFIG],
      useFactory: (config: Config) => new WebhookClient(addressRuleOf(config)),
    },
    WebhookDeliverer,
    WebhookCleaner,
  ],
})
export class WebhooksModule {}
