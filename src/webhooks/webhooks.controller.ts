import { Body, Controller, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { ApiRequestBody } from '../http/request-body';
import { quotaReached } from '../workspaces/workspaces.errors';
import { WebhookSecretsService } from './webhook-secrets.service';
import {
  AcceptedDeliveryDto,
  DeliveryDetailDto,
  DeliveryDto,
  ListDeliveriesQuery,
  RotateSecretDto,
  SecretDto,
  SendTestEventDto,
} from './webhooks.dto';
import { deliveryNotFound } from './webhooks.errors';
import { presentSecrets } from './webhooks.presenter';
import { WebhooksService } from './webhooks.service';

/** Caches must not store a secret. */
const NotStored = () => Header('Cache-Control', 'no-store');

@ApiTags('Webhooks')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecretsService,
  ) {}

  @Get('deliveries')
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Webhook deliveries',
    data: DeliveryDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListDeliveriesQuery) {
    return this.webhooks.list(caller.workspaceId, query);
  }

  @Get('deliveries/:delivery_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Webhook delivery',
    data: DeliveryDetailDto,
    errors: [deliveryNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('delivery_id') deliveryId: string) {
    return this.webhooks.get(caller.workspaceId, deliveryId);
  }

  @Post('deliveries/:delivery_id/replay')
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 202,
    message: 'Webhook is sent again',
    data: AcceptedDeliveryDto,
    errors: [deliveryNotFound()],
  })
  replay(@CurrentCaller() caller: Caller, @Param('delivery_id') deliveryId: string) {
    return this.webhooks.replay(caller.workspaceId, deliveryId);
  }

  @Post('test')
  @Unscoped()
  @ApiRequestBody(SendTestEventDto)
  @ApiEnvelopeResponse({
    status: 202,
    message: 'Test event is sent',
    data: AcceptedDeliveryDto,
    errors: [quotaReached('webhook_test_events', { limit: 1_000, used: 1_000 })],
  })
  sendTestEvent(@CurrentCaller() caller: Caller, @Body() body: SendTestEventDto) {
    return this.webhooks.sendTestEvent(caller.workspaceId, body.url);
  }

  @Get('secret')
  @Unscoped()
  @NotStored()
  @ApiEnvelopeResponse({ status: 200, message: 'Webhook secret', data: SecretDto })
  async getSecret(@CurrentCaller() caller: Caller) {
    return presentSecrets(await this.secrets.find(caller.workspaceId));
  }

  @Post('secret/rotate')
  @Unscoped()
  @NotStored()
  @ApiRequestBody(RotateSecretDto)
  @ApiEnvelopeResponse({ status: 200, message: 'Webhook secret rotated', data: SecretDto })
  async rotateSecret(@CurrentCaller() caller: Caller, @Body() body: RotateSecretDto) {
    return presentSecrets(await this.secrets.rotate(caller.workspaceId, body.overlap_hours));
  }
}
