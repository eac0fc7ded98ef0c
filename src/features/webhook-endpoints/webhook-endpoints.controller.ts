import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import type { Created } from '../../platform/http/created';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { agentNotFound } from '../agents/agents.errors';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity';
import { AcceptedDeliveryDto, RotateSecretDto, SecretDto } from '../webhooks/webhooks.dto';
import {
  ChangeWebhookEndpointDto,
  CreateWebhookEndpointDto,
  ListWebhookEndpointsQuery,
  ReplayDeliveriesDto,
  ReplayedDeliveriesDto,
  WebhookEndpointDto,
} from './webhook-endpoints.dto';
import { endpointNotFound, endpointOff } from '../webhooks/webhooks.errors';
import { WebhookEndpointsService } from './webhook-endpoints.service';

/** Marks an answer that caches must not store, because it has a secret. */
const NotStored = () => Header('Cache-Control', 'no-store');

const AuditedEndpoint = (action: Parameters<typeof Audited>[0]) =>
  Audited(action, ({ params }) => ({ id: params.endpoint_id as string }));

@ApiTags('Webhooks')
@Controller('api/webhooks/endpoints')
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Post()
  @Unscoped()
  @Audited<Created<WebhookEndpointDto, WebhookEndpoint>>(
    'webhook_endpoint.created',
    ({ result: { row } }) => ({
      id: row.id,
      name: row.url,
    }),
  )
  @ApiRequestBody(CreateWebhookEndpointDto)
  @ApiEnvelopeResponse({
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Registers an address that gets the events of the workspace, or of some agents. They are signed with a secret of ' +
      'the endpoint.',
    cost: 'No credits. A workspace can have 20 endpoints.',
    status: 201,
    message: 'Webhook endpoint created',
    data: WebhookEndpointDto,
    location: 'The new endpoint: /api/webhooks/endpoints/…',
    errors: [agentNotFound(), quotaReached('webhook_endpoints', { limit: 20, used: 20 })],
  })
  create(@CurrentCaller() { workspaceId }: Caller, @Body() body: CreateWebhookEndpointDto) {
    return this.endpoints.create(workspaceId, body);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'Lists the endpoints of the workspace, the oldest first.',
    status: 200,
    message: 'Webhook endpoints',
    data: WebhookEndpointDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ListWebhookEndpointsQuery) {
    return this.endpoints.list(workspaceId, query);
  }

  @Get(':endpoint_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: 'Returns one endpoint, its status, and how much waits for it.',
    status: 200,
    message: 'Webhook endpoint',
    data: WebhookEndpointDto,
    errors: [endpointNotFound()],
  })
  get(@CurrentCaller() { workspaceId }: Caller, @Param('endpoint_id') endpointId: string) {
    return this.endpoints.get(workspaceId, endpointId);
  }

  @Patch(':endpoint_id')
  @Unscoped()
  @AuditedEndpoint('webhook_endpoint.updated')
  @ApiRequestBody(ChangeWebhookEndpointDto)
  @ApiEnvelopeResponse({
    operationId: 'changeWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description: 'Changes the fields that are given.',
    status: 200,
    message: 'Webhook endpoint changed',
    data: WebhookEndpointDto,
    errors: [endpointNotFound(), agentNotFound()],
  })
  change(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('endpoint_id') endpointId: string,
    @Body() body: ChangeWebhookEndpointDto,
  ) {
    return this.endpoints.change(workspaceId, endpointId, body);
  }

  @Delete(':endpoint_id')
  @Unscoped()
  @AuditedEndpoint('webhook_endpoint.deleted')
  @ApiEnvelopeResponse({
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description:
      'Deletes an endpoint and what waits for it. What it has got stays in the list of deliveries.',
    status: 200,
    message: 'Webhook endpoint deleted',
    errors: [endpointNotFound()],
  })
  async delete(@CurrentCaller() { workspaceId }: Caller, @Param('endpoint_id') endpointId: string) {
    await this.endpoints.remove(workspaceId, endpointId);
  }

  @Get(':endpoint_id/secret')
  @Unscoped({ showsSecret: true })
  @NotStored()
  @ApiEnvelopeResponse({
    operationId: 'getWebhookEndpointSecret',
    summary: 'Get the secret of a webhook endpoint',
    description:
      'Returns the secret with which the receiver verifies what it gets, and the previous one while it is valid.',
    status: 200,
    message: 'Webhook secret',
    data: SecretDto,
    errors: [endpointNotFound()],
  })
  getSecret(@CurrentCaller() { workspaceId }: Caller, @Param('endpoint_id') endpointId: string) {
    return this.endpoints.getSecret(workspaceId, endpointId);
  }

  @Post(':endpoint_id/secret/rotate')
  @Unscoped()
  @NotStored()
  @AuditedEndpoint('webhook_endpoint.secret_rotated')
  @ApiRequestBody(RotateSecretDto)
  @ApiEnvelopeResponse({
    operationId: 'rotateWebhookEndpointSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Makes a new secret. Webhooks carry a signature with each valid secret until the overlap ends.',
    status: 200,
    message: 'Webhook secret rotated',
    data: SecretDto,
    errors: [endpointNotFound()],
  })
  rotateSecret(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('endpoint_id') endpointId: string,
    @Body() body: RotateSecretDto,
  ) {
    return this.endpoints.rotateSecret(workspaceId, endpointId, body.overlap_hours);
  }

  @Post(':endpoint_id/test')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends an event of the type `webhook.test`, in the background, whatever the events and the status of the endpoint ' +
      'are. The delivery shows how it went.',
    cost: 'No credits. A workspace can send 1,000 test events in 24 hours.',
    status: 202,
    message: 'Test event is sent',
    data: AcceptedDeliveryDto,
    errors: [endpointNotFound(), quotaReached('webhook_test_events', { limit: 1_000, used: 1_000 })],
  })
  sendTestEvent(@CurrentCaller() { workspaceId }: Caller, @Param('endpoint_id') endpointId: string) {
    return this.endpoints.sendTestEvent(workspaceId, endpointId);
  }

  @Post(':endpoint_id/replay')
  @Unscoped()
  @AuditedEndpoint('webhook_endpoint.replayed')
  @ApiRequestBody(ReplayDeliveriesDto)
  @ApiEnvelopeResponse({
    operationId: 'replayWebhookEndpoint',
    summary: 'Send again what an endpoint has not got',
    description:
      'Sends what was held or failed since a time, the events of each call in order, in the background. A paused endpoint ' +
      'goes on with it.',
    status: 202,
    message: 'Webhooks are sent again',
    data: ReplayedDeliveriesDto,
    errors: [endpointNotFound(), endpointOff()],
  })
  replay(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('endpoint_id') endpointId: string,
    @Body() body: ReplayDeliveriesDto,
  ) {
    return this.endpoints.replay(workspaceId, endpointId, body);
  }
}
