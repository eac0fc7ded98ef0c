import { Body, Controller, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { WebhookSecretsService } from './webhook-secrets.service';
import {
  AcceptedDeliveryDto,
  DeliveryDetailDto,
  DeliveryDto,
  DismissDeliveriesDto,
  DismissedDeliveriesDto,
  ListDeliveriesQuery,
  RotateSecretDto,
  SecretDto,
  SendTestEventDto,
} from './webhooks.dto';
import { deliveryNotFound, endpointOff } from './webhooks.errors';
import { presentSecrets } from './webhooks.presenter';
import { WebhooksService } from './webhooks.service';

/** Marks an answer that caches must not store, because it has a secret. */
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
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    description:
      'Lists the webhooks that were sent or are to be sent, newest first. They are kept for 30 days ' +
      'unless the installation says otherwise.',
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
    operationId: 'getWebhookDelivery',
    summary: 'Get a webhook delivery',
    description: 'Returns one webhook with its payload and every attempt to deliver it.',
    status: 200,
    message: 'Webhook delivery',
    data: DeliveryDetailDto,
    errors: [deliveryNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('delivery_id') deliveryId: string) {
    return this.webhooks.get(caller.workspaceId, deliveryId);
  }

  @Post('deliveries/:delivery_id/replay')
  @Unscoped({ operates: true })
  @ApiEnvelopeResponse({
    operationId: 'replayWebhookDelivery',
    summary: 'Send a webhook again',
    description:
      'Sends the same event once more, with the same `webhook-id`, in the background. The delivery shows how it ' +
      'went.',
    status: 202,
    message: 'Webhook is sent again',
    data: AcceptedDeliveryDto,
    errors: [deliveryNotFound(), endpointOff()],
  })
  replay(@CurrentCaller() caller: Caller, @Param('delivery_id') deliveryId: string) {
    return this.webhooks.replay(caller.workspaceId, deliveryId);
  }

  @Post('deliveries/dismiss')
  @Unscoped({ operates: true })
  @Audited('webhook.dismissed', () => ({ id: null }))
  @ApiRequestBody(DismissDeliveriesDto)
  @ApiEnvelopeResponse({
    operationId: 'dismissWebhookDeliveries',
    summary: 'Dismiss webhooks that were given up',
    description:
      'Marks the webhooks that were given up as dismissed, so that they are no problem to look at any more. They stay in ' +
      'the list, and can still be sent again.',
    status: 200,
    message: 'Webhooks dismissed',
    data: DismissedDeliveriesDto,
  })
  dismiss(@CurrentCaller() caller: Caller, @Body() body: DismissDeliveriesDto) {
    return this.webhooks.dismiss(caller.workspaceId, body.until);
  }

  @Post('test')
  @Unscoped()
  @ApiRequestBody(SendTestEventDto)
  @ApiEnvelopeResponse({
    operationId: 'sendTestWebhook',
    summary: 'Send a test webhook',
    description:
      'Sends an event of the type `webhook.test` to an address, in the background. The delivery shows ' +
      'how it went.',
    cost: 'No credits. A workspace can send 1,000 test events in 24 hours.',
    status: 202,
    message: 'Test event is sent',
    data: AcceptedDeliveryDto,
    errors: [quotaReached('webhook_test_events', { limit: 1_000, used: 1_000 })],
  })
  sendTestEvent(@CurrentCaller() caller: Caller, @Body() body: SendTestEventDto) {
    return this.webhooks.sendTestEvent(caller.workspaceId, body.url);
  }

  @Get('secret')
  @Unscoped({ showsSecret: true })
  @NotStored()
  @ApiEnvelopeResponse({
    operationId: 'getWebhookSecret',
    summary: 'Get the webhook secret',
    description:
      'Returns the secret with which receivers verify webhooks, and the previous one while it is valid.',
    status: 200,
    message: 'Webhook secret',
    data: SecretDto,
  })
  async getSecret(@CurrentCaller() caller: Caller) {
    return presentSecrets(await this.secrets.find(caller.workspaceId));
  }

  @Post('secret/rotate')
  @Unscoped()
  @NotStored()
  @Audited('webhook_secret.rotated', () => ({ id: null }))
  @ApiRequestBody(RotateSecretDto)
  @ApiEnvelopeResponse({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the webhook secret',
    description:
      'Makes a new secret. Webhooks carry a signature with each valid secret until the overlap ends.',
    status: 200,
    message: 'Webhook secret rotated',
    data: SecretDto,
  })
  async rotateSecret(@CurrentCaller() caller: Caller, @Body() body: RotateSecretDto) {
    return presentSecrets(await this.secrets.rotate(caller.workspaceId, body.overlap_hours));
  }
}
